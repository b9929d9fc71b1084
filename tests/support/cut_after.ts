/** An answer that breaks off: what was sent of it arrives, and then nothing more. */

/** The bytes that were sent are to arrive before the connection breaks. */
const PAUSES = 5;
const PAUSE_MS = 10;

export function cutAfter(bytes: Uint8Array, count: number): ReadableStream<Uint8Array> {
  return new ReadableStream({
    async start(controller) {
      if (count > 0) controller.enqueue(bytes.slice(0, count));
      // One timer may be overdue before anything is sent, where the machine had no time for this process.
      for (let n = 0; n < PAUSES; n++) {
        await new Promise((resolve) => setTimeout(resolve, PAUSE_MS));
      }
      controller.error(new Error("cut"));
    },
  });
}

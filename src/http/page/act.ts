/** Something that a person does on the page: done, or the reason why not. */
import { useState } from "preact/hooks";
import { askAgain, reasonOf } from "./live.ts";

/** Of who goes on typing while it is saved. */
export const SAVED_BEFORE = "Saved, but for what you typed since.";

export interface Acting {
  /** Why the last one failed; empty while all is well. */
  readonly said: string;
  act(what: () => Promise<unknown>): Promise<void>;
}

export function useAct(): Acting {
  const [said, setSaid] = useState("");
  return {
    said,
    async act(what) {
      setSaid("");
      try {
        await what();
        askAgain();
      } catch (error) {
        setSaid(reasonOf(error));
      }
    },
  };
}

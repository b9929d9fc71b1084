/** Something that a person does on the page: done, or the reason why not. */
import { useRef, useState } from "preact/hooks";
import { askAgain, reasonOf } from "./live.ts";

export interface Acting {
  /** Why the last one failed; empty while all is well. */
  readonly said: string;
  act(what: () => Promise<unknown>): Promise<void>;
  /** The same, and nothing while one is under way: who clicks twice means it once. */
  once(what: () => Promise<unknown>): Promise<void>;
}

export function useAct(): Acting {
  const [said, setSaid] = useState("");
  const isActing = useRef(false);
  const act = async (what: () => Promise<unknown>): Promise<void> => {
    setSaid("");
    try {
      await what();
      askAgain();
    } catch (error) {
      setSaid(reasonOf(error));
    }
  };
  const once = async (what: () => Promise<unknown>): Promise<void> => {
    if (isActing.current) return;
    isActing.current = true;
    await act(what);
    isActing.current = false;
  };
  return { said, act, once };
}

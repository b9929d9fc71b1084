/** Runs an action of the person, and keeps the reason if it failed. */
import { useRef, useState } from "preact/hooks";
import { askAgain, reasonOf } from "./live.ts";

export interface Acting {
  /** Why the last action failed; "" if it did not. */
  readonly said: string;
  act(what: () => Promise<unknown>): Promise<void>;
  /** Does nothing while an action is in progress, so that a double click acts once. */
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

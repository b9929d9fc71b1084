/** Runs an action of the person, and says that it takes long, or why it failed. */
import type { VNode } from "preact";
import { useRef, useState } from "preact/hooks";
import { useLate, WAITING } from "./late.ts";
import { askAgain, reasonOf } from "./live.ts";
import { shown } from "./prose.tsx";

export interface Acting {
  /** Why the last action failed, or that one is not answered yet; null if there is nothing to say. */
  readonly said: VNode | null;
  act(what: () => Promise<unknown>): Promise<void>;
  /** Does nothing while an action is in progress, so that a double click acts once. */
  once(what: () => Promise<unknown>): Promise<void>;
}

/** `word`: what is said while the server does not answer. */
export function useAct(word = WAITING): Acting {
  const [reason, setReason] = useState("");
  const [running, setRunning] = useState(0);
  const isLate = useLate(running > 0);
  const isActing = useRef(false);
  const act = async (what: () => Promise<unknown>): Promise<void> => {
    setReason("");
    setRunning((count) => count + 1);
    try {
      await what();
      askAgain();
    } catch (error) {
      setReason(reasonOf(error));
    }
    setRunning((count) => count - 1);
  };
  const once = async (what: () => Promise<unknown>): Promise<void> => {
    if (isActing.current) return;
    isActing.current = true;
    await act(what);
    isActing.current = false;
  };
  const said = reason !== ""
    ? <span class="said warning" role="alert">{shown(reason)}</span>
    : isLate
    ? <span class="said quiet" role="status">{word}</span>
    : null;
  return { said, act, once };
}

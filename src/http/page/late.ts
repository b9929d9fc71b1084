/** What takes longer than a moment is said; before that a word would only flicker. */
import { useEffect, useState } from "preact/hooks";

export const WAITING = "Waiting for the server …";
export const SAVING = "Saving …";

/** After so long a person wonders whether anything happens. */
const LATE_MS = 1000;

/** Whether something has been waited for so long that it is to be said. */
export function useLate(isWaiting: boolean): boolean {
  const [isLate, setLate] = useState(false);
  useEffect(() => {
    if (!isWaiting) return;
    const timer = setTimeout(() => setLate(true), LATE_MS);
    return () => {
      clearTimeout(timer);
      setLate(false);
    };
  }, [isWaiting]);
  return isWaiting && isLate;
}

/** A sample of a person's notes, evenly spaced, to fit a model's calibration to. */
import type { CalibrationRow } from "../../embed/calibration/texts.ts";
import { noteRow, NOTES_MAX } from "../../embed/calibration/fit_notes.ts";
import { embeddedText } from "../../search/document.ts";
import { readDocument } from "../index/document.ts";
import { type Memory, storesThere } from "../memory.ts";

/** Shorter titles are no questions, and shorter notes no answers. */
const TITLE_CHARACTERS_MIN = 4;
const TEXT_CHARACTERS_MIN = 40;

/** Active knowledge in the stores in reach, without private text. The indexes must be up to date. */
export async function sampleNotes(memory: Memory): Promise<CalibrationRow[]> {
  const known = storesThere(memory)
    .flatMap((store) =>
      memory.index(store).notes()
        .filter(({ kind, status, title }) =>
          kind === "knowledge" && status === "active" && title.length >= TITLE_CHARACTERS_MIN
        )
        .map(({ path, title }) => ({ store, path, title }))
    );
  const rows: CalibrationRow[] = [];
  for (const { store, path, title } of evenSample(known)) {
    const document = await readDocument(memory, store, path);
    const [chunk] = typeof document === "object" ? document.chunks : [];
    if (chunk === undefined || chunk.text.length < TEXT_CHARACTERS_MIN) continue;
    rows.push(noteRow(title, embeddedText(chunk)));
  }
  return rows;
}

/** Evenly spaced from the first to the last, at most as many as a fit takes. */
export function evenSample<T>(all: readonly T[]): T[] {
  const step = Math.max(1, all.length / NOTES_MAX);
  const count = Math.min(all.length, NOTES_MAX);
  return Array.from({ length: count }, (_, i) => all[Math.floor(i * step)]).filter((one) =>
    one !== undefined
  );
}

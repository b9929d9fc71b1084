/**
 * Recognises forgotten text by hashes of its sentences, however they are wrapped or marked up; no text
 * is kept. A sentence that was cut short no longer matches, so forgotten ones are removed from a
 * conversation before anything is extracted from it, and from a draft before it is written.
 */
import { sha256Hex } from "../../base/hash.ts";
import {
  collapse,
  mapBlocks,
  plainText,
  splitSentences,
  withoutEnd,
} from "../../base/text/text.ts";
import { forgottenContents } from "../../store/tombstones.ts";
import type { Memory } from "../memory.ts";
import { isOwnLine } from "./own_lines.ts";

type Place = Pick<Memory, "fs" | "places">;

/** Shorter sentences are too common to be recognised. */
const SENTENCE_CHARACTERS_MIN = 24;
/** Stands between a question and its result in texts of Sage's own. */
const JOINT = /^(?:→|— then:)\s*/;
const MARK = /^[-*+>#\s]+|^\d+[.)]\s+/g;
const LINKS_ALONE = /^(?:see(?: also)?:?\s*)?(?:\[\[[^\]]*\]\][\s,;.]*(?:and\s+)?)+$/i;
const END = /[.!?…:;,。！？]/;

/** The sentences by which a text is recognised; of a forgotten one their hashes are kept. */
export function sentencesIn(text: string): string[] {
  return splitSentences(text).filter(saysSomething).map(plain);
}

/** Whether a text has a forgotten sentence. */
export function saysForgotten(memory: Place, text: string): boolean {
  const isForgotten = forgottenSentences(memory);
  return isForgotten !== undefined && splitSentences(text).some(isForgotten);
}

/** Removes forgotten sentences from texts; undefined where nothing was ever forgotten. */
export function withoutForgotten(memory: Place): ((text: string) => string) | undefined {
  const isForgotten = forgottenSentences(memory);
  if (isForgotten === undefined) return undefined;
  return (text) => {
    let isChanged = false;
    const left = mapBlocks(text, (block) => {
      const sentences = splitSentences(block);
      const kept = sentences.filter((sentence) => !isForgotten(sentence));
      if (kept.length === sentences.length) return block;
      isChanged = true;
      return kept.join(" ").replace(JOINT, "");
    });
    return isChanged ? left.trim() : text;
  };
}

function forgottenSentences({ fs, places }: Place): ((sentence: string) => boolean) | undefined {
  const isForgotten = forgottenContents(fs, places.stateDir);
  if (isForgotten === undefined) return undefined;
  return (sentence) => {
    if (!saysSomething(sentence)) return false;
    const said = plain(sentence);
    // Earlier versions hashed marks and punctuation too.
    return [said, collapse(bare(sentence)).toLowerCase()].some((one) =>
      isForgotten(sha256Hex(one))
    );
  };
}

/**
 * Long enough to be recognised, and more than links, which belong to the notes that they lead to, and than what
 * Sage itself writes. Asked for what was forgotten too, because earlier versions recorded Sage's own lines.
 */
function saysSomething(sentence: string): boolean {
  const said = plain(sentence);
  return said.length >= SENTENCE_CHARACTERS_MIN && !LINKS_ALONE.test(bare(sentence)) &&
    !isOwnLine(said);
}

function plain(sentence: string): string {
  return withoutEnd(plainText(bare(sentence)), END);
}

function bare(sentence: string): string {
  return sentence.replace(JOINT, "").replace(MARK, "");
}

/** The door to the published tokenizers in JavaScript: whatever a model's tokenizer.json says. */
import { SageError } from "../../base/errors.ts";

/** Token ids of a text, how many of them mark its ends, and no more than the model takes. */
export type Encode = (text: string) => { readonly ids: readonly number[]; readonly marks: number };

const ABSENT = { normalizer: null, pre_tokenizer: null, post_processor: null, added_tokens: [] };

/** `text`: `{"tokenizer": …, "config": …}`. SageError `invalid_model` where it is not understood. */
export async function openTokenizer(text: string, tokensMax: number): Promise<Encode> {
  const { Tokenizer } = await import("@huggingface/tokenizers");
  try {
    const { tokenizer, config } = JSON.parse(text);
    // Some files leave out what they do without; nothing is decoded here.
    const opened = new Tokenizer({ ...ABSENT, ...tokenizer, decoder: null }, config);
    const encode = (text: string): number[] => opened.encode(text).ids;
    const [empty, word] = [encode(""), encode("a")];
    let tail = 0;
    while (tail < empty.length && empty.at(-1 - tail) === word.at(-1 - tail)) tail++;
    return (text) => {
      const ids = encode(text);
      const cut = ids.length <= tokensMax
        ? ids
        // What marks the end stays there.
        : [...ids.slice(0, tokensMax - tail), ...ids.slice(ids.length - tail)];
      return { ids: cut, marks: empty.length };
    };
  } catch (cause) {
    throw new SageError("invalid_model", "Cannot use tokenizer.json of the model", { cause });
  }
}

/** The only file that imports the JavaScript tokenizers, which run any model's tokenizer.json. */
import { SageError } from "../../base/errors.ts";

/** The token ids of a text, cut to the model's limit, and how many of them are special tokens (`marks`). */
export type Encode = (text: string) => { readonly ids: readonly number[]; readonly marks: number };

const ABSENT = { normalizer: null, pre_tokenizer: null, post_processor: null, added_tokens: [] };

/** `text`: `{"tokenizer": …, "config": …}`. Throws `invalid_model` if it cannot be used. */
export async function openTokenizer(text: string, tokensMax: number): Promise<Encode> {
  const { Tokenizer } = await import("@huggingface/tokenizers");
  try {
    const { tokenizer, config } = JSON.parse(text);
    // Some files omit empty parts. Nothing is decoded here, so no decoder is needed.
    const opened = new Tokenizer({ ...ABSENT, ...tokenizer, decoder: null }, config);
    const encode = (text: string): number[] => opened.encode(text).ids;
    const [empty, word] = [encode(""), encode("a")];
    let tail = 0;
    while (tail < empty.length && empty.at(-1 - tail) === word.at(-1 - tail)) tail++;
    return (text) => {
      const ids = encode(text);
      const cut = ids.length <= tokensMax
        ? ids
        // The special tokens at the end stay there.
        : [...ids.slice(0, tokensMax - tail), ...ids.slice(ids.length - tail)];
      return { ids: cut, marks: empty.length };
    };
  } catch (cause) {
    throw new SageError("invalid_model", "Cannot use tokenizer.json of the model", { cause });
  }
}

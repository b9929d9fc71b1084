/**
 * Where a link of a vault leads, by Obsidian's rules and nothing of ours: what its help says under
 * "Internal links", and what its `getFirstLinkpathDest` does with a path, a name, a heading and a block. It
 * imports nothing from src, so that a mistake there cannot agree with itself.
 */

export interface VaultLink {
  /** What stands between the brackets, without the shown name. */
  readonly linktext: string;
  readonly shown: string | undefined;
  readonly isEmbed: boolean;
}

export interface Destination {
  /** From the vault's root. */
  readonly path: string;
  /** Whether another file has as good a claim: then it is luck where the link leads. */
  readonly isAmbiguous: boolean;
  /** Whether the heading or the block after `#` is there. */
  readonly hasSubpath: boolean;
}

/** What no file may be called, because a link to it ends there, or a system cannot write it. */
export const FORBIDDEN = /[#^[\]|\\/:*"<>?]/;

export class Vault {
  readonly #files = new Map<string, string>();
  readonly #byName = new Map<string, string[]>();

  /** Every file with its text, hidden folders left out, as Obsidian does. */
  constructor(files: ReadonlyMap<string, string>) {
    for (const [path, text] of files) {
      if (path.split("/").some((part) => part.startsWith("."))) continue;
      this.#files.set(path, text);
      const name = fold(path.slice(path.lastIndexOf("/") + 1));
      this.#byName.set(name, [...this.#byName.get(name) ?? [], path]);
    }
  }

  get paths(): string[] {
    return [...this.#files.keys()];
  }

  text(path: string): string {
    return this.#files.get(path) ?? "";
  }

  /** Undefined: the link is grey, and a click would make a new note. */
  resolve(linktext: string, source: string): Destination | undefined {
    const at = linktext.indexOf("#");
    const [path, subpath] = at < 0 ? [linktext, ""] : [linktext.slice(0, at), linktext.slice(at)];
    const found = this.#destinations(path.trim(), source);
    const [best] = found.files;
    if (best === undefined) return undefined;
    const hasSubpath = hasPlace(this.text(best), subpath);
    return { path: best, isAmbiguous: !found.isExact && found.files.length > 1, hasSubpath };
  }

  #destinations(typed: string, source: string): { files: string[]; isExact: boolean } {
    if (typed === "") return { files: [source], isExact: true };
    const folder = source.slice(0, Math.max(0, source.lastIndexOf("/")));
    const wanted = fold(typed);
    const name = wanted.slice(wanted.lastIndexOf("/") + 1);
    // Any file with its extension; a note also without.
    const named = this.#byName.get(name) ?? this.#byName.get(`${name}.md`) ?? [];
    const ending = this.#byName.has(name) ? "" : ".md";
    const exactly = (path: string): string[] => named.filter((one) => fold(one) === path + ending);
    if (/^\.{1,2}\//.test(wanted)) {
      const target = normalize(`${fold(folder)}/${wanted}`);
      return { files: target === undefined ? [] : exactly(target), isExact: true };
    }
    const absolute = exactly(wanted.replace(/^\//, ""));
    if (absolute.length > 0 || wanted.startsWith("/")) return { files: absolute, isExact: true };
    const fits = named.filter((one) => `/${fold(one)}`.endsWith(`/${wanted}${ending}`));
    const near = (path: string): number => path.startsWith(`${folder}/`) ? 0 : 1;
    fits.sort((a, b) => near(a) - near(b) || a.length - b.length);
    return { files: fits, isExact: false };
  }
}

/** Every link that Obsidian follows from a note: in the text, and in its properties. */
export function linksOf(text: string): VaultLink[] {
  const { properties, body } = parts(text);
  return [...wikilinks(properties), ...wikilinks(plain(body)), ...fileLinks(plain(body))];
}

function wikilinks(text: string): VaultLink[] {
  return [...text.matchAll(/(!?)\[\[([^[\]\n]+?)\]\]/g)].map((match) => {
    // In a table the bar is written with a backslash.
    const [linktext = "", ...shown] = (match[2] ?? "").split(/\\?\|/);
    return {
      linktext: linktext.replaceAll("\u00a0", " ").trim(),
      shown: shown.length === 0 ? undefined : shown.join("|"),
      isEmbed: match[1] === "!",
    };
  });
}

function fileLinks(text: string): VaultLink[] {
  return [...text.matchAll(/(!?)\[([^\]\n]*)\]\((?:<([^>\n]+)>|([^()\s]+))\)/g)].flatMap(
    (match) => {
      const address = match[3] ?? match[4] ?? "";
      if (/^[a-z][a-z0-9+.-]*:/i.test(address)) return [];
      return [{
        linktext: decodeURI(address).replaceAll("%23", "#"),
        shown: match[2],
        isEmbed: match[1] === "!",
      }];
    },
  );
}

/** The body without what is shown as it stands: fences, code, comments. */
function plain(body: string): string {
  let fence: string | undefined;
  const open = body.split("\n").filter((line) => {
    const mark = /^ {0,3}(`{3,}|~{3,})/.exec(line)?.[1];
    if (fence === undefined && mark !== undefined) fence = mark;
    else if (fence !== undefined && mark?.startsWith(fence)) fence = undefined;
    else return fence === undefined;
    return false;
  }).join("\n");
  return open.replace(/<!--[^]*?-->/g, "").replace(/%%[^]*?%%/g, "")
    .replace(/(`+)(?!`)[^]*?(?<!`)\1(?!`)/g, "");
}

function parts(text: string): { properties: string; body: string } {
  const front = /^\uFEFF?---\r?\n([^]*?)\r?\n---[ \t]*(?:\r?\n|$)/.exec(text);
  return { properties: front?.[1] ?? "", body: text.slice(front?.[0].length ?? 0) };
}

function hasPlace(text: string, subpath: string): boolean {
  if (subpath === "") return true;
  const body = parts(text).body;
  const block = /^#\^([A-Za-z0-9-]+)$/.exec(subpath)?.[1];
  if (block !== undefined) return new RegExp(`(?:^|\\s)\\^${block}\\s*$`, "mi").test(body);
  const headings = [...body.matchAll(/^#{1,6}[ \t]+(.+?)[ \t]*#*$/gm)].map((m) => bare(m[1] ?? ""));
  let from = 0;
  return subpath.slice(1).split("#").every((part) => {
    const at = headings.indexOf(bare(part), from);
    from = at + 1;
    return at >= 0;
  });
}

/** Headings are compared without what a link could not hold. */
function bare(heading: string): string {
  return fold(
    heading.replace(/[!"#$%&()*+,.:;<=>?@^`{|}~/[\]\\]/g, " ").replace(/\s+/g, " ").trim(),
  );
}

function fold(text: string): string {
  return text.normalize("NFC").toLowerCase();
}

function normalize(path: string): string | undefined {
  const out: string[] = [];
  for (const part of path.split("/")) {
    if (part === "" || part === ".") continue;
    if (part !== "..") out.push(part);
    else if (out.pop() === undefined) return undefined;
  }
  return out.join("/");
}

import assert from "node:assert/strict";
import { readAsset } from "../../src/base/assets.ts";
import { realFs } from "../../src/base/fs.ts";
import { equalBytes } from "../../src/base/hash.ts";
import { openStaticEmbedder } from "../../src/embed/static.ts";
import { formulaOf } from "../../src/search/ranking/explain.ts";
import { prepareQuery } from "../../src/search/query/query.ts";
import { DEFAULT_WEIGHTS } from "../../src/search/ranking/score.ts";
import { openIndex } from "../../src/search/search_index.ts";
import { phraseOf } from "../../src/search/query/lexical.ts";
import { expandBy, expansionsOf, Thesaurus } from "../../src/search/query/thesaurus.ts";
import { LANGUAGES, unspacedIn } from "../../src/search/query/words.ts";
import { makeTable, parseGroups, readTables } from "../../scripts/thesaurus.ts";
import { tempDir } from "../support/temp_store.ts";
import { testEmbedder as embedder } from "./embedder.ts";
import { noteDocument } from "./notes.ts";

function othersOf(lines: string, words: string): Record<string, string> {
  const [said] = expandBy([new Thesaurus(makeTable(parseGroups(lines)))], words.split(" "));
  return Object.fromEntries((said?.synonyms ?? []).map(({ word, relation }) => [word, relation]));
}

Deno.test("the tables in the program are what their source says", async () => {
  for (const [name, table] of await readTables()) {
    assert.ok(equalBytes(readAsset(name), table), name);
  }
});

Deno.test("expansionsOf() knows which side of a group was asked", () => {
  const concrete = "database, db > postgres, mysql # no comment";
  assert.deepEqual(othersOf(concrete, "databases"), {
    db: "same",
    postgres: "narrower",
    mysql: "narrower",
  });
  assert.deepEqual(othersOf(concrete, "postgres"), { database: "broader", db: "broader" });
  assert.deepEqual(othersOf("lock, latch ~ race", "lock"), { race: "related" });
  assert.deepEqual(othersOf("a > b\nlonely", "lonely"), {});
});

Deno.test("expansionsOf() prefers the longest entry and the nearest relation", () => {
  const lines = "sign in, login\nsign, signature\nsign in ~ login, password";
  assert.deepEqual(othersOf(lines, "signing in"), { login: "same", password: "related" });
  assert.deepEqual(othersOf(lines, "sign here"), { signature: "same" });
});

Deno.test("partsOf() takes a word apart where all of it is known, and the longest head", () => {
  const lines =
    "daten > data\nbank > bench\ndatenbank > database\nsicherung > backup\nkopie > copy";
  const thesaurus = new Thesaurus(makeTable(parseGroups(lines)));
  const cases = {
    sicherungskopie: ["sicherungs", "kopie"],
    datenbanksicherungskopie: ["datenbank", "sicherungs", "kopie"],
    datenbank: [],
    sicherungen: ["sicherung"],
    banken: [],
    datenbankverwalter: [],
    bank: [],
    ["bank".repeat(1000)]: [],
    "": [],
  };
  for (const [word, parts] of Object.entries(cases)) {
    assert.deepEqual(thesaurus.partsOf(word), parts, word);
  }
});

Deno.test("a German question asks for what its words mean, in English notes too", () => {
  const model = openStaticEmbedder();
  const ask = (text: string) => prepareQuery(text, model, { synonyms: true });
  const question = ask("wie lange dauert die Sicherungskopie der Datenbank");
  assert.equal(question.vector, undefined, "the built-in model does not read it");
  const terms = question.terms.map(({ term }) => term);
  assert.ok(!terms.includes("die") && !terms.includes("der"), terms.join(" "));
  const others = question.expansions().flatMap(({ synonyms }) => synonyms.map(({ word }) => word));
  assert.ok(others.includes("database") && others.includes("backup"), others.join(", "));
  const english = ask("when will the replica die");
  assert.ok(english.vector !== undefined && english.terms.some(({ term }) => term === "die"));
  for (const short of ["redis timeout", "man page", "MIT license", "die casting", ""]) {
    assert.deepEqual(ask(short).vector, model.embedQuery(short), short);
  }
  model.close();
});

Deno.test("a language's entries are found in their regular forms", () => {
  const cases = {
    french: {
      "bases de donnees": "database",
      "nous deployons": "deploy",
      "ils deploient": "deploy",
      "mots de passe": "password",
      journaux: "logs",
      niveaux: "level",
      choisissons: "choose",
      supprimees: "delete",
      appelle: "call",
      "fuites de memoire": "memory leak",
      lentes: "slow",
    },
    spanish: {
      cambiamos: "change",
      contrasenas: "password",
      "bases de datos": "database",
      despliegan: "deploy",
      errores: "error",
      imagenes: "image",
      pruebas: "test",
      vuelve: "return",
      buscaron: "search",
      luces: "light",
      guardando: "save",
    },
    portuguese: {
      mudamos: "change",
      senhas: "password",
      "bancos de dados": "database",
      versoes: "version",
      imagens: "image",
      niveis: "level",
      trocaram: "replace",
      gravacoes: "recording",
      lentas: "slow",
      testando: "test",
      pagou: "pay",
    },
    italian: {
      cambiamo: "change",
      "basi di dati": "database",
      versioni: "version",
      immagini: "image",
      cerchiamo: "search",
      registrazioni: "recording",
      pacchi: "parcel",
      lente: "slow",
      inviato: "send",
      falliscono: "fail",
    },
    // As phrases are: pairs of characters.
    chinese: {
      "数据 据库": "database",
      "數據 據庫": "database",
      "資料 料庫": "database",
      "鸟": "bird",
    },
    japanese: {
      "デー ータ タベ ベー ース": "database",
      "変更": "change",
      "sd カー ード": "sd card",
    },
  };
  for (const [name, forms] of Object.entries(cases)) {
    const language = LANGUAGES.find((one) => one.name === name);
    for (const [form, english] of Object.entries(forms)) {
      const words = form.split(" ");
      const said = (of = language) =>
        expansionsOf(words, of).flatMap(({ synonyms }) => synonyms.map(({ word }) => word));
      assert.ok(said().includes(english), `${form}: ${said().join(", ")}`);
    }
  }
});

Deno.test("a table with endings of its own is asked for what is on the left, and the very word first", () => {
  const endings = LANGUAGES.find(({ name }) => name === "french")?.own?.endings;
  const lines = "porte > door\nporter > carry\nexporter > export, dump";
  const french = new Thesaurus(makeTable(parseGroups(lines), endings), endings);
  const others = (words: string) =>
    expandBy([french], words.split(" ")).map(({ synonyms }) => synonyms.map(({ word }) => word));
  assert.deepEqual(others("porte"), [["door"]]);
  assert.deepEqual(others("porter"), [["carry"]]);
  assert.deepEqual(others("portons"), [["door", "carry"]]);
  assert.deepEqual(others("exportez"), [["export", "dump"]]);
  assert.deepEqual(others("door"), [], "who asks in English reads no French");
  const english = new Thesaurus(makeTable(parseGroups("porter, carrier\ncache, store")));
  const both = expandBy([french, english], ["porter", "cache"]);
  assert.deepEqual(both.map(({ synonyms }) => synonyms[0]?.word), ["carry", "store"]);
});

Deno.test("a French or a Spanish question asks for what its words mean, an English one as before", () => {
  const model = openStaticEmbedder();
  const ask = (text: string) => prepareQuery(text, model, { synonyms: true });
  const meant = {
    "combien de temps dure la sauvegarde de la base de données": ["backup", "database"],
    "¿cuánto dura la copia de seguridad de la base de datos?": ["backup", "database"],
    // Their small words are the same.
    "la panne de la passerelle": ["outage", "gateway"],
    "la caída de la pasarela": ["outage", "gateway"],
    // There are none, or one.
    "mot de passe postgres": ["password"],
    "changer le mot de passe": ["password", "change"],
    "politica de retencion": ["policy", "retention"],
  };
  for (const [text, words] of Object.entries(meant)) {
    const question = ask(text);
    assert.equal(question.vector, undefined, text);
    const terms = question.terms.map(({ term }) => term);
    assert.ok(!terms.includes("de") && !terms.includes("la"), terms.join(" "));
    const others = question.expansions().flatMap(({ synonyms }) =>
      synonyms.map(({ word }) => word)
    );
    for (const word of words) assert.ok(others.includes(word), `${word}: ${others.join(", ")}`);
  }
  const alike = [
    "main page comment",
    "plus plan pricing par level",
    "rio de janeiro depot",
    "con de facto standard",
    "locale es en de fallback",
    "car comment import",
    "son me no a es on",
    "run ls -la",
    "services de tests",
    "table des pages",
  ];
  for (const text of alike) assert.deepEqual(ask(text).vector, model.embedQuery(text), text);
  const english = ask("is the main page on sale, or is the comment red");
  const others = english.expansions().flatMap(({ synonyms }) => synonyms.map(({ word }) => word));
  for (const word of ["hand", "dirty", "network"]) assert.ok(!others.includes(word), word);
  assert.ok(english.vector !== undefined && english.terms.some(({ term }) => term === "main"));
  model.close();
});

Deno.test("where no space parts words the longest entries are found, from the left", () => {
  const said = (text: string) => {
    const words = phraseOf(text).split(" ");
    return expansionsOf(words, unspacedIn(words.join(" "))[0])
      .map(({ words, synonyms }) =>
        `${words.join("+")}: ${synonyms.find(({ word }) => /^[a-z]/.test(word))?.word}`
      );
  };
  // A pair over the end of an entry is of no word: 份数.
  assert.deepEqual(said("为什么备份数据的包"), [
    "备份+份数: backup",
    "数据+据的: data",
    "的包: package",
  ]);
  assert.deepEqual(said("死んだ鳥"), ["死ん+んだ: die", "だ鳥: bird"]);
  assert.deepEqual(said("吗"), []);
});

Deno.test("a question without spaces asks for what its words mean, and its prompt is what it was", () => {
  const model = openStaticEmbedder();
  const meant = {
    "数据库的备份要保留多久": ["database", "backup", "retention"],
    "資料庫備份": ["database", "backup"],
    "データベースのバックアップはどこに保存しますか": ["database", "backup", "store"],
    "認証方式": ["authentication"],
    "quanto tempo dura o backup do banco de dados": ["database"],
    "quanto dura il salvataggio della base di dati": ["backup", "database"],
    // Their small words are the same as in Spanish.
    "a senha do usuário para entrar": ["password", "user"],
  };
  for (const [text, words] of Object.entries(meant)) {
    const asked = prepareQuery(text, model, { synonyms: true });
    const others = asked.expansions().flatMap(({ synonyms }) => synonyms.map(({ word }) => word));
    for (const word of words) assert.ok(others.includes(word), `${word}: ${others.join(", ")}`);
  }
  const prompt = prepareQuery("为什么用 Postgres", model, {});
  assert.deepEqual(prompt.expansions(), []);
  assert.deepEqual(prompt.vector, model.embedQuery("为什么用 Postgres"), "names are read");
  assert.ok(prompt.terms.every(({ weight }) => weight === 1));
  model.close();
});

Deno.test("a note in the question's own characters stands before what a dictionary finds", () => {
  const index = openIndex(tempDir(), realFs, embedder.id);
  const english = noteDocument(
    "english.md",
    "database backup: retention, storage, restore, archive",
  );
  const chinese = noteDocument("chinese.md", "数据库每天两点做备份，文件放在 S3");
  const ask = () =>
    index.query(prepareQuery("数据库的备份保留多久", undefined, { synonyms: true }), { limit: 3 })
      .map(({ note }) => note.id);
  const other = noteDocument("other.md", "lamps and chairs");
  index.apply({ put: [english, other], remove: [] }, embedder);
  assert.deepEqual(ask(), ["english"]);
  index.apply({ put: [chinese], remove: [] }, embedder);
  assert.deepEqual(ask(), ["chinese", "english"]);
  index.close();
});

Deno.test("Thesaurus() refuses a table that was cut", () => {
  const table = makeTable(parseGroups("a1, b1"));
  assert.throws(() => new Thesaurus(table.slice(0, 12)), /thesaurus is damaged/);
});

Deno.test("query() finds a note by other words, says by which, and can do without", () => {
  const index = openIndex(tempDir(), realFs, embedder.id);
  const notes = [
    noteDocument("a.md", "the login page remembers the address"),
    noteDocument("b.md", "pictures of the harbour at dusk"),
    noteDocument("c.md", "sign here and in the second field"),
  ];
  index.apply({ put: notes, remove: [] }, embedder);
  const ask = (synonyms: boolean) =>
    index.query(prepareQuery("where can I sign in", undefined, { synonyms }), { limit: 3 });
  const found = ask(true).find(({ note }) => note.id === "a");
  assert.ok(found !== undefined);
  assert.match(formulaOf(found, DEFAULT_WEIGHTS), /other words \(.*sign in → log\w*/);
  assert.equal(found.kw, 0, "a word that was not asked for is no keyword");
  assert.equal(ask(true)[0]?.note.id, "c", "the word itself is worth more");
  assert.deepEqual(ask(false).map(({ note }) => note.id), ["c"]);
  index.close();
});

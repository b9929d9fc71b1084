/**
 * Stop words of queries, and the language of a query by them. Notes are indexed whole, because a word that
 * is noise in a question may be the point of a note. English and the `LANGUAGES`; in others the rarity of
 * a word in the store has to do.
 */
import type { AssetName } from "../../base/assets.ts";
import { isUnspaced } from "../../base/text/unspaced.ts";
import { type Paradigms, readParadigms } from "./inflections.ts";
import { phraseOf } from "./lexical.ts";

/** Stop words of English. */
const NOISE = setOf(
  `a about above after again ah all also am an and any anyone anything are aren as at be because
  been before being both but by can cannot could couldn d did didn do does doesn doing don done down
  each either else ever every few for from further had hadn has hasn have haven having he hello her
  here hers hey hi him his how i if in into is isn it its itself just let ll m may maybe me might
  mine more most much must my myself need no nor not now o of off ok okay on once only or other our
  ours out over own please pls re really s same shall she should shouldn so some somehow someone
  something such t than thank thanks that the their theirs them then there these they thing things
  think this those though through to too try under until up upon us ve very was wasn way we well
  were weren what whatever when where whether which while who whom whose why will with within
  without won would wouldn yeah yes yet you your yours`,
);

/** Words of many questions that say little about their subject. */
const GENERIC = setOf(
  `actually add again ask asked based better case change changed check checkpoint code come correct create
  current currently different directly exactly example file find first fix following full get gets
  getting give given go going good got great handle happen happens help implement implementation
  include instead issue kind know last like line list little look looking lot made make makes making
  many mean means needed needs new next note number old one part place possible problem project put question
  quick quickly rather read ready real remember right run running said say see seem session set should show
  side simple since start still stuff sure take tell time today todo together topic true turn two update use
  used useful using usually want wanted wants work working works write wrong`,
);

/**
 * A language that questions are asked in. If there is a thesaurus/<name>.txt, it translates words of the
 * question for notes in English.
 */
export interface Language {
  readonly name: string;
  /** Its stop words, folded. In English notes they are rare or say something else: `die`. */
  readonly small: ReadonlySet<string>;
  /** Further stop words that are English words, names or codes too: `comment`, `de`. They do not tell the language. */
  readonly alike?: ReadonlySet<string>;
  /** Those of `alike` that are so frequent in English questions that they do not hint at it either: `ci`, `per`. */
  readonly shy?: ReadonlySet<string>;
  /** Its commonest stop words are English too (`a`, `as`, `do`, `i`), so English ones do not rule it out. */
  readonly isMixed?: boolean;
  /** How its words inflect, if more than English ones do and their script does not tell (inflections.ts). */
  readonly paradigms?: Paradigms;
  /** Writes words as one that are others: `Datenbankmigration`. */
  readonly hasCompounds?: boolean;
  /** For a language without spaces between words: matches characters that only it has. */
  readonly unspaced?: RegExp;
  /** Its own table of the thesaurus; without one, the table of all questions has its words. */
  readonly own?: { readonly table: AssetName; readonly endings: Endings };
}

/** A light stemmer: replacements at a word's end, applied in order, so that its forms become one. */
export type Endings = readonly (readonly [RegExp, string])[];

export const LANGUAGES: readonly Language[] = [{
  name: "german",
  paradigms: readParadigms(`
    - e en n es s
    - ge | en n t te ten et ete eten ung ungen`),
  hasCompounds: true,
  small: setOf(
    `ab aber alle allem allen aller alles als also am an ander andere anderem anderen anderer anderes
    auch auf aus ausser bei beide beiden beim bin bis bist bitte da dabei dadurch dafur dagegen daher
    damit danach dann daran darauf daraus darf darin daruber darum das dass davon davor dazu dein deine
    dem den denen denn der deren des dessen dich die dies diese diesem diesen dieser dieses dir doch
    dort du durch durfen ein eine einem einen einer eines einige einmal er erst es etwa etwas euch euer
    fur gab ganz gar geben gegen gehen geht genau gerade gern gibt gilt habe haben habt hat hatte hatten
    hier hin hinter ich ihm ihn ihnen ihr ihre ihrem ihren ihrer im immer in ins ist ja je jede jedem
    jeden jeder jedes jemand jetzt kam kann kannst kein keine keinem keinen keiner kommen kommt konnen
    konnte konnten lassen lasst machen macht mal man mehr mein meine meinem meinen meiner mich mir mit
    mochte moglich muss mussen musste nach nachdem nehmen nicht nichts nie nimmt noch nun nur ob oder
    oft ohne schon sehr sei sein seine seinem seinen seiner seit sich sie sind so sogar soll sollen
    sollte solche sonst sowie tun tut uber um und uns unser unsere unserem unseren unserer unter viel
    viele vielen vom von vor wann war waren warum was weil welche welchem welchen welcher welches wem
    wen wenn wer werde werden weshalb wessen wie wieder wieso will wir wird wirklich wo wobei wodurch
    wofur woher wohin womit worin wozu wurde wurden zu zum zur zwar zwischen`,
  ),
}, {
  name: "french",
  paradigms: readParadigms(`
    - s x e es al ale ales aux eau eaux
    er e es ee ees ons ez ent ait aient ant a era eront erait ai age ages ement ements ation ations
    ir is it i ie ies issons issez issent issait issant ira issement
    re s t u ue us ues ons ez ent ait ant ra
    eur eurs euse euses teur teurs trice trices
    if ifs ive ives`),
  own: {
    table: "french.bin",
    endings: [
      [/(?<!e)aux$/, "al"],
      [/(?<=...)[sx]$/, ""],
      [
        /(?<=...)(?:iss)?(?:er(?:ait?|aient|a|on|ont|ez)|ir(?:ait?|a|ont)|aient|ai|e?ait|e?ante?|e?on|ente?|ee?|e[rz]|i[ert]?|re|ue?)$/,
        "",
      ],
      [/([b-df-hj-np-tv-z])\1$/, "$1"],
      [/y$/, "i"],
    ],
  },
  small: setOf(
    `afin ai ainsi alors apres au aucun aucune aussi autre autres avait avant avec avez avoir avons
    bien cela celle celles celui ces cet cette ceux chaque chez combien comme dans deja depuis des
    dois doit doivent donc du elle elles encore entre etaient etait ete etes etre eux faire fais
    faisait fait faites faut fut ici il ils jamais je jusqu jusque l la laquelle le lequel les
    lesquels leur leurs lors lorsque lui mais meme mes moi moins mon ne ni nos notre nous ont ou
    parce parmi pas pendant peu peut peux pourquoi pouvez pouvons puis puisque qu quand que quel
    quelle quelles quelqu quelque quelques quels qui quoi rien sauf selon sera serait seront ses
    soit sommes sont souvent suis sur ta tes toi toujours tous toute toutes tres trop un une vais
    vas vers veut veux voir vont vos votre voulons vous`,
  ),
  alike: setOf(
    `a as aux c ca car ce chose comment d de dit dont en es est et eu font j ma me n on or par plus
    pour s sa sans se si son sous t te ton tout tu va y`,
  ),
}, {
  name: "spanish",
  paradigms: readParadigms(`
    - s es a as o os
    ar o a as e es en amos emos an aba aban aron ado ada ados adas ando ara aran aria acion aciones amiento amientos
    er ir o a e as es emos imos amos en an ia ian io ieron ido ida idos idas iendo era eran ira iran imiento imientos
    z ces`),
  own: {
    table: "spanish.bin",
    endings: [
      [/(?<=..)s$/, ""],
      [
        /(?<=...)(?:[aei]r(?:an?|emo|ian?)?|[aei]mo|[ai]d[ao]|ando|iendo|aban?|ian?|io|aron|ieron|[ae]ne?|[aeo])$/,
        "",
      ],
      [/ie/, "e"],
      [/ue/, "o"],
      [/qu$/, "c"],
      [/gu$/, "g"],
      [/z$/, "c"],
    ],
  },
  small: setOf(
    `ahora algo alguien algun alguna algunas algunos alli antes aqui asi aun aunque bajo bien cada
    como contra cosa cual cuales cualquier cuando cuanta cuantas cuanto cuantos cuya cuyo debe
    debemos deben debo del desde despues donde el ella ellas ellos entonces entre eran eres esa esas
    ese eso esos esta estaba estamos estan estar estas este esto estos estoy estuvo fue fueron gran
    haber habia hace hacemos hacen hacer haces hacia hago han hasta hemos hizo hubo incluso la las
    los luego mas mediante menos mientras misma mismo mucha muchas mucho muchos muy nada
    nadie nos nosotros nuestra nuestras nuestro nuestros nunca otra otras otro otros para pero poco
    podemos poder podria por porque pudo puede pueden puedes puedo pues que quien quienes quiere
    quiero sabe segun ser sido siempre sino sobre solamente somos soy sus tambien tampoco tanto
    tenemos tener tengo tiene tienen toda todas todavia tras un una unas uno unos usted ustedes
    vamos veces vez ya yo`,
  ),
  alike: setOf(
    `a al ante con de dice dos e en era es ha hay he le les lo me mi mis ni no o se sera si sin solo son su
    tan te todo todos tu tus u va van ver y`,
  ),
}, {
  name: "portuguese",
  paradigms: readParadigms(`
    - s es a as o os
    ao oes aos aes a as
    al ais
    el il eis is
    m ns
    ar o a as e em amos emos am ava avam ou aram ado ada ados adas ando ara arao aria acao acoes amento amentos
    er ir o a e as es emos imos am em ia iam iu eram ido ida idos idas endo indo era ira erao irao imento imentos`),
  isMixed: true,
  own: {
    table: "portuguese.bin",
    endings: [
      [/[ao]es$/, "ao"],
      [/([aeo])is$/, "$1l"],
      [/ns$/, "m"],
      [/(?<=..)s$/, ""],
      [
        /(?<=...)(?:[aei]r(?:am?|ao|emo?|iam?)?|[aei]mo|[ai]d[ao]|[aei]ndo|avam?|iam?|[eio]u|ei|[ae]m|[aeo])$/,
        "",
      ],
      [/qu$/, "c"],
      [/gu$/, "g"],
    ],
  },
  small: setOf(
    `agora ainda algum alguma alguns antes ao aos aquele aqui assim cada como contra dela dele depois
    desde deve devemos ela elas ele eles entre essa esse esta estamos estao estava este estou faz
    fazem fazemos fazer fez foi foram isso isto mais mas mesmo meu minha muita muito muitos nada
    nao nenhum nos nossa nossas nosso nossos nunca onde ou outra outro outros para pela pelas pelo
    pelos pode podem podemos por porque pouco quais qual quando quanta quantas quanto quantos que quem
    quer queremos sao sem sempre ser seu seus sido sobre sua suas tambem tem temos ter tinha toda
    todas tudo um uma vai vamos voce`,
  ),
  alike: setOf(
    `a as ate com da das de diz do dos e em era ha ir ja la me na nas no num numa o os se seja so
    sou te todo todos`,
  ),
  shy: setOf("ate com em ir la na nas num os"),
}, {
  name: "italian",
  paradigms: readParadigms(`
    - a e i o
    co chi ca che
    go ghi ga ghe
    are o i a e iamo ate ano ava avano ato ata ati ate ando era eranno erebbe azione azioni amento amenti
    ere ire o i e a iamo ete ite ono ano eva iva evano ivano uto uta uti ute ito ita iti ite endo era ira isce iscono imento imenti`),
  isMixed: true,
  own: {
    table: "italian.bin",
    endings: [
      [
        /(?<=...)(?:[aei]r(?:e|si)|iamo|[aei]te|[ao]no|[aiu]t[aeio]|[ae]ndo|[aei]va(?:no|mo)?|er(?:a|anno|ebbe)|[aeio])$/,
        "",
      ],
      [/(?<=...)(?:isc|i)$/, ""],
      [/(?<=[cg])h$/, ""],
    ],
  },
  small: setOf(
    `abbiamo agli alla alle allo anche ancora aveva che chi cosa cui dagli dal dalla dalle degli dei del
    dell della delle dello deve devono dobbiamo dopo dove erano essere fanno facciamo fare fatto fra
    gia gli hanno il li loro mai mentre mia mio molta molte molti molto negli nei nel nell nella
    nelle nessun nessuno noi nostra nostre nostri nostro ogni perche piu poi possiamo possono posso
    puo qual qualche quale quali quando quanta quante quanti quanto quel quella quelle quelli quello
    questa queste questi questo sara sempre senza siamo sono sopra sta stanno sua sul sulla sulle
    suo suoi tra tutta tutte tutti tutto un una uno vengono viene`,
  ),
  alike: setOf(
    `a ai al all c ci come con d da di e ed era fa ha ho i in io l la le lo ma me mi ne non o ora per se sei si
    sia state su sui sull te ti tu vi`,
  ),
  shy: setOf("ai al c ci come con d ed ho io l me mi non ora per sei sia state su sui vi"),
}, {
  name: "russian",
  small: setOf(
    `а без был была были было быть в вам вас ваш весь во вот все всегда всего всех вы где да даже для
    до его ее если есть еще же за зачем здесь и из изза или им их к как какая какие каких какои какую
    когда кого кто куда ли либо лучше между меня мне можно мои моя мы на над надо нам нас наш наша
    наше нашеи нашем наши наших него нее нельзя нет ни них но ну нужна нужно нужны о об он она они оно
    от откуда очень по под после потом потому почему при про раз с сам себя сеичас сколько со так
    также такие такои там твои те тем теперь то того тоже только том тот ты у уже хотя чего чем через
    что чтобы чье эта эти этих это этого этои этом этот я`,
  ),
}, {
  name: "ukrainian",
  small: setOf(
    `або але без був була були було бути в вам вас ваш весь вже ви вона вони воно всі від він де для до
    з за зараз звідки и из иого кого коли кому куди мене мені ми мии моя міи на над нам нас наш наша
    наше нашому наші нашіи не немає неі них ні о об от перед по при про під після скільки та так такии
    також там теж тепер ти то том тому тот тільки у усі хто це цеи цього ця ці ціи через чи чого чому
    щe ще що щоб я як яка якии яких якого які якіи є і із іх іі`,
  ),
}, {
  name: "greek",
  small: setOf(
    `αλλα αν απο αυτα αυτεσ αυτη αυτην αυτο αυτοι αυτοσ για γιατι δεν δυο εαν εγω εδω ειμαι ειναι εκει
    εμεισ ενα ενασ ενοσ ετσι εχει εχουμε εχουν η ηταν θα καθε και καποια κατα κατι μασ με μετα μεχρι
    μη μια μιασ μονο μου μπορει μπορουμε να ο οι ολα ολεσ οποια οποιο οποιοσ οπου οταν οτι ουτε πανω
    παρα περι πια ποια ποιεσ ποιο ποιοσ ποσα ποσεσ ποσο ποσοι ποτε που πρεπει πριν προσ πωσ σασ σε σου
    στα στη στην στησ στισ στο στον στουσ τα τη την τησ τι τισ το τον τοτε του τουσ των υπαρχει χωρισ
    ωσ`,
  ),
}, {
  name: "arabic",
  small: setOf(
    `اذا التي الذي الذين الى ام اما ان انا انت انه انها او اي ايضا اين بعد بين تكون تلك ثم حتى حول حيث
    ذلك سوف على عن عند عندما غير فقط في فيه فيها قبل قد كان كانت كل كم كما كيف لا لان لدينا لكن لم
    لماذا لن له لها ليس ما ماذا متى مثل مع من منه منها نحن نكون هذا هذه هل هم هنا هناك هو هولاء هي و
    يا يتم يجب يكون يمكن`,
  ),
}, {
  name: "persian",
  small: setOf(
    `از است اما ان انها اگر ای این اینکه با باید بر برای به بود بودند بی تا خود دارد دارند داریم در را
    روی شد شده شود ما من می نمی نیست هر هم همه هنوز هیچ و ولی پس چرا چطور چقدر چند چه چون چگونه چیست
    کجا کدام کند کنند کنیم که کی یا یک`,
  ),
}, {
  name: "hebrew",
  small: setOf(
    `או אז איך אין איפה אל אם אנו אנחנו אני אף אפשר את אתה באיזה בין בלי גם דרך האם הוא הזאת הזה היא
    היה היו היתה הם הן וגם זאת זה זו יש כבר כדי כי כל כמה כמו כן לא לאן לי למה לנו לפי לפני מאוד מה
    מהו מהי מי מן מתי נגד עד עוד עכשיו על עם צריך צריכים רק של שלי שלנו שם תחת`,
  ),
}, {
  name: "hindi",
  small: setOf(
    `अगर अपना अपनी अपने अब आप इस इसका इसके इसको इसमें उन उस उसके एक ऐसे और कब कभी कर करता करते करना
    करने करें कहाँ कहां का कि किस किसी की कुछ के केवल कैसे को कोई कौन क्या क्यों गई गए गया चाहिए जब
    जहाँ जाता जाती जाते जो तक तब तो था थी थे दिया नहीं ने पर फिर बहुत भी मगर में मैं यह यहाँ यहां या
    ये रहा रही रहे लिए वह वे सकता सकते सब सभी साथ से हम हमारा हमारी हमारे हर ही हुआ हुई हुए है हैं हो
    होता होती होते होना`,
  ),
}, {
  name: "chinese",
  // Characters that Japanese does not have, or writes differently.
  unspaced:
    /[\u4e48\u4e3a\u4ece\u4eec\u4f60\u5011\u5417\u5427\u5462\u54ea\u55ce\u600e\u6ca1\u6c92\u8c01\u8fd9\u9019\u9ebc]/,
  own: { table: "chinese.bin", endings: [] },
  small: new Set(),
}, {
  name: "japanese",
  unspaced: /[\u3041-\u3096\u30a1-\u30fa]/,
  own: { table: "japanese.bin", endings: [] },
  small: new Set(),
}];

/** How much a word says about the subject: 1 for a telling word, 0 for a stop word. */
export function wordWeight(word: string, { small, alike }: Partial<Language> = {}): number {
  if (NOISE.has(word) || small?.has(word) === true || alike?.has(word) === true) return 0;
  if (GENERIC.has(word)) return 0.35;
  return word.length === 1 && word < "\x80" ? 0.2 : 1;
}

/** The words of a title that name its subject. */
export function tellingWords(title: string): ReadonlySet<string> {
  return new Set(phraseOf(title).split(" ").filter((word) => wordWeight(word) === 1));
}

/** Whether a text has the stop words of English, which make up a third to a half of a sentence. */
export function isEnglish(text: string): boolean {
  const words = phraseOf(text).split(" ");
  return countOf(words, NOISE) > words.length * SMALL_WORDS;
}

/**
 * The language of most of a phrase's stop words: more than one, and more than English ones. Several
 * languages if they share all of these: `la base de`.
 */
export function languagesOf(phrase: string): readonly Language[] {
  const words = phrase.split(" ");
  const noise = words.filter((word) => NOISE.has(word));
  const others = words.filter((word) => !NOISE.has(word));
  const least = Math.max(1, words.length * SMALL_WORDS);
  let [most, found]: [number, Language[]] = [0, []];
  for (const language of LANGUAGES) {
    const { small, alike } = language;
    const isAlike = (word: string): boolean => alike?.has(word) === true;
    const english = noise.filter((word) => !small.has(word) && !isAlike(word)).length;
    // One is not enough: `man page` and `MIT license` have it.
    const own = countOf(others, small);
    if (own <= Math.max(least, english) || own < most) continue;
    found = own > most ? [language] : [...found, language];
    most = own;
  }
  return found;
}

/** The languages without spaces that a phrase may be in; none if it has as many stop words of English. */
export function unspacedIn(phrase: string): readonly Language[] {
  if (!isUnspaced(phrase)) return [];
  const words = phrase.split(" ");
  // Bigrams overlap: count two of them as a word.
  if (words.filter(isUnspaced).length <= 2 * countOf(words, NOISE)) return [];
  const all = LANGUAGES.filter(({ unspaced }) => unspaced !== undefined);
  const told = all.find(({ unspaced }) => unspaced?.test(phrase));
  return told === undefined ? all : [told];
}

/**
 * The languages that a phrase may be in that is too short to tell: `mot de passe`. It has no stop word of
 * English, or only such as they share and one that is theirs alone: `quantos dias as fotos`.
 */
export function hintedIn(phrase: string): readonly Language[] {
  const words = phrase.split(" ");
  const noise = words.filter((word) => NOISE.has(word));
  return LANGUAGES.filter(({ alike, small, shy, isMixed }) => {
    if (alike === undefined) return false;
    if (noise.length > 0) {
      return isMixed === true && noise.every((word) => alike.has(word)) &&
        words.some((word) => small.has(word));
    }
    return words.some((word) => small.has(word) || alike.has(word) && shy?.has(word) !== true);
  });
}

function countOf(words: readonly string[], small: ReadonlySet<string>): number {
  return words.filter((word) => small.has(word)).length;
}

/** The share of stop words that tells a language: others have `in`, `was`, `so` and `am` too. */
const SMALL_WORDS = 0.15;

/** Splits by strings alone: a pattern took a millisecond of every search for five hundred words. */
function setOf(lines: string): ReadonlySet<string> {
  const words = new Set(lines.replaceAll("\n", " ").split(" "));
  // Lines begin with spaces.
  words.delete("");
  return words;
}

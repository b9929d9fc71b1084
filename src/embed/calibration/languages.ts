/**
 * Which languages a model understands besides English: questions to eight of the calibration notes, in
 * each language that questions are recognised in. To a model that was trained on English a question in
 * another language is near whatever else it cannot read, and the note that answers it is not there.
 */
import { dot } from "../../base/dot.ts";
import type { Embeds } from "./fit.ts";
import { CALIBRATION_ROWS } from "./texts.ts";

/** The rows that are asked for: their English questions have no word that other languages share. */
const ROWS: readonly number[] = [6, 8, 9, 12, 15, 20, 22, 28];

/** By the names that `search/query/words.ts` has for languages; in the order of `ROWS`. */
const QUESTIONS: Readonly<Record<string, readonly string[]>> = {
  german: [
    "Wann soll das Gemüse hinaus ins Beet?",
    "Wie viel wirft unser Geld jetzt ab?",
    "Wie viele Leute passen in den Raum für den Vortrag?",
    "Bis wann müssen Kunden zahlen?",
    "Welche Frucht ist für unser Haustier gefährlich?",
    "Bis wann müssen wir die Wohnung kündigen?",
    "Wie lange ruht der Teig?",
    "Wie stark ist das Eis geschrumpft?",
  ],
  french: [
    "Quand faut-il mettre les légumes dehors, au jardin ?",
    "Combien rapporte maintenant notre argent ?",
    "Combien de gens tiennent dans le lieu prévu pour l'exposé ?",
    "Jusqu'à quand les acheteurs doivent-ils payer ?",
    "Quel fruit est dangereux pour notre animal ?",
    "Quand devons-nous résilier le bail du logement ?",
    "Combien de temps faut-il laisser reposer la pâte ?",
    "De combien la glace a-t-elle reculé ?",
  ],
  spanish: [
    "¿Cuándo hay que sacar las verduras a la huerta?",
    "¿Cuánto rinde ahora nuestro dinero?",
    "¿Cuánta gente cabe en el lugar de la charla?",
    "¿Hasta cuándo tienen que pagar los compradores?",
    "¿Qué fruta es peligrosa para nuestra mascota?",
    "¿Cuándo tenemos que rescindir el alquiler del piso?",
    "¿Cuánto tiempo reposa la masa?",
    "¿Cuánto ha encogido el hielo?",
  ],
  portuguese: [
    "Quando devemos levar os legumes para a horta?",
    "Quanto rende agora o nosso dinheiro?",
    "Quantas pessoas cabem no lugar da palestra?",
    "Até quando os compradores têm de pagar?",
    "Que fruta é perigosa para o nosso bicho?",
    "Quando temos de rescindir o aluguel do apartamento?",
    "Quanto tempo descansa a massa?",
    "Quanto encolheu o gelo?",
  ],
  italian: [
    "Quando bisogna portare fuori gli ortaggi?",
    "Quanto rendono adesso i nostri soldi?",
    "Quante persone ci stanno nel luogo della lezione?",
    "Entro quando devono pagare gli acquirenti?",
    "Quale frutto è pericoloso per il nostro animale?",
    "Quando dobbiamo disdire l'affitto di casa?",
    "Per quanto tempo riposa l'impasto?",
    "Di quanto si è ritirato il ghiaccio?",
  ],
  russian: [
    "Когда пора высаживать овощи на грядку?",
    "Сколько сейчас приносят наши деньги?",
    "Сколько людей поместится там, где будет лекция?",
    "До какого срока покупатели должны заплатить?",
    "Какой плод опасен для нашего питомца?",
    "Когда нам надо отказаться от съёмной квартиры?",
    "Как долго должно отдыхать тесто?",
    "Насколько уменьшился лёд?",
  ],
  ukrainian: [
    "Коли час висаджувати овочі на грядку?",
    "Скільки зараз приносять наші гроші?",
    "Скільки людей поміститься там, де буде лекція?",
    "До якого терміну покупці мають заплатити?",
    "Який плід небезпечний для нашого улюбленця?",
    "Коли нам треба відмовитися від орендованої квартири?",
    "Як довго має відпочивати тісто?",
    "Наскільки зменшився лід?",
  ],
  greek: [
    "Πότε πρέπει να βγουν τα λαχανικά στον κήπο;",
    "Πόσο αποδίδουν τώρα τα χρήματά μας;",
    "Πόσοι άνθρωποι χωράνε στον χώρο της διάλεξης;",
    "Μέχρι πότε πρέπει να πληρώσουν οι πελάτες;",
    "Ποιο φρούτο είναι επικίνδυνο για το ζώο μας;",
    "Πότε πρέπει να λύσουμε τη σύμβαση για το διαμέρισμα;",
    "Πόση ώρα ξεκουράζεται η ζύμη;",
    "Πόσο μίκρυνε ο πάγος;",
  ],
  arabic: [
    "متى يجب نقل الخضروات إلى الحديقة؟",
    "كم تكسب أموالنا المدخرة الآن؟",
    "كم شخصا يتسع له مكان المحاضرة؟",
    "متى آخر موعد لدفع العملاء؟",
    "أي فاكهة خطيرة على حيواننا الأليف؟",
    "متى يجب أن نلغي عقد الشقة؟",
    "كم من الوقت يرتاح العجين؟",
    "كم تقلص الجليد؟",
  ],
  persian: [
    "سبزیجات را کی باید در باغچه بکاریم؟",
    "پول ما الان چقدر سود می‌دهد؟",
    "چند نفر در محل سخنرانی جا می‌شوند؟",
    "مشتری‌ها تا کی باید پرداخت کنند؟",
    "کدام میوه برای حیوان خانگی ما خطرناک است؟",
    "کی باید قرارداد آپارتمان را فسخ کنیم؟",
    "خمیر چه مدت باید استراحت کند؟",
    "یخ چقدر کوچک شده است؟",
  ],
  hebrew: [
    "מתי צריך להוציא את הירקות לגינה?",
    "כמה מניב עכשיו הכסף שלנו?",
    "כמה אנשים נכנסים למקום של ההרצאה?",
    "עד מתי הלקוחות חייבים לשלם?",
    "איזה פרי מסוכן לחיית המחמד שלנו?",
    "מתי אנחנו צריכים לבטל את החוזה על הדירה?",
    "כמה זמן הבצק נח?",
    "בכמה הצטמצם הקרח?",
  ],
  hindi: [
    "सब्ज़ियाँ बगीचे में कब लगानी चाहिए?",
    "हमारी जमा रक़म पर अब कितनी कमाई होती है?",
    "व्याख्यान की जगह में कितने लोग आ सकते हैं?",
    "ग्राहकों को कब तक भुगतान करना है?",
    "कौन सा फल हमारे पालतू जानवर के लिए ख़तरनाक है?",
    "हमें फ़्लैट का अनुबंध कब रद्द करना होगा?",
    "आटे को कितनी देर रखना है?",
    "बर्फ़ कितनी सिकुड़ गई है?",
  ],
  chinese: [
    "蔬菜什么时候应该种到菜园里？",
    "现在钱存着能赚多少？",
    "听讲座的地方能坐多少人？",
    "客户最晚什么时候要付款？",
    "哪种水果对我们的宠物有危险？",
    "我们必须在什么时候退租？",
    "面团要放多久？",
    "冰缩小了多少？",
  ],
  japanese: [
    "野菜はいつ畑に植えればいいですか？",
    "預けたお金は今どれくらい増えますか？",
    "講演の場所には何人入れますか？",
    "お客様はいつまでに支払う必要がありますか？",
    "うちのペットに危険な果物はどれですか？",
    "部屋の解約はいつまでに伝えますか？",
    "生地はどのくらい寝かせますか？",
    "氷はどれだけ縮みましたか？",
  ],
};

/** All of them, for a model that must be asked ahead. */
export const FOREIGN_QUESTIONS: readonly string[] = Object.values(QUESTIONS).flat();

/**
 * The languages in which at least half as many questions find their note as do in English. Nothing if the
 * model finds less than half of those in English: then nothing can be told of it.
 */
export function understoodBy(embeds: Embeds): { readonly languages?: readonly string[] } {
  const notes = embeds.embedDocuments(CALIBRATION_ROWS.map(({ note }) => note));
  const foundBy = (questions: readonly string[]): number =>
    questions.filter((question, i) => nearest(embeds.embedQuery(question), notes) === ROWS[i])
      .length;
  const english = foundBy(ROWS.map((row) => CALIBRATION_ROWS[row]?.question ?? ""));
  if (2 * english < ROWS.length) return {};
  const languages = Object.entries(QUESTIONS)
    .filter(([, questions]) => 2 * foundBy(questions) >= english)
    .map(([name]) => name);
  return { languages };
}

type Vector = Float32Array | undefined;

/** The place of the note nearest to a question; -1 for a question without a vector. */
function nearest(question: Vector, notes: readonly Vector[]): number {
  if (question === undefined) return -1;
  const cosines = notes.map((note) => note === undefined ? -1 : dot(question, note));
  return cosines.indexOf(Math.max(...cosines));
}

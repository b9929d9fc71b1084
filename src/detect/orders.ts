/**
 * What a person settles by how they say it: what is left, kept, forbidden, taken after all, or was settled
 * by somebody else. Apart from decisions.ts, which hears decisions of whoever states them; here what is said
 * must be an order or news, and not what somebody does next, waits for or wonders at.
 */
import { termsOf, wordCount } from "./sentences.ts";
import { wider } from "./unspaced.ts";

/** What is said before one gets to it. */
const BEGINNING =
  /^(?:(?:ok|okay|yes|no(?=[,.!]| (?:do|leave|keep|never)\b)|good|and|but|then|please|also|so|later|u+m+|erm|ja|gut|nein|dann|aber|bitte|und|vale|pero|et)[,.!]? )+/i;
/** Where a clause ends; `3.18` is one word. */
const CLAUSE_END = /[,;?!]|[.:](?=\s|$)/;

/** What is done to a system: to forbid that holds for whoever works on it, and 'don't worry' does not. */
const CHANGE =
  "(?:add|announce|apply|archive|build|bump|cache|change|close|commit|convert|cut|delete|depend|deploy|disable|drop|edit|enable|expose|import|index|install|introduce|launch|log|merge|migrate|mix|mock|modify|move|overwrite|port|publish|push|raise|refactor|release|rely|remove|rename|replace|restart|retry|rewrite|roll|rotate|run|scale|send|ship|split|start|store|support|switch|sync|tag|touch|turn|update|upgrade|use|wrap|write)";
const FORBIDS = new RegExp(
  `^(?:(?:do not|don['’]?t|never) ${CHANGE}|(?:no|kein\\w*) (?:\\w+ )?(?:deploy(?:ment)?s?|release[ns]|merge[sn]?|migration(?:s|en)|change[sn]|updates|upgrades|pushes|mails|(?:ä|ae)nderungen|neustarts)|no (?!(?:poder|saber|ver|ser|estar|tener|haber)\\b)\\w+[aei]r(?=\\s.*\\b(?:hasta|antes de)\\b)|` +
    "no (?:toques|borres|cambies|muevas|subas|publiques|despliegues|mezcles|actualices|ejecutes|lances|uses)|" +
    "ne (?:touche|supprime|change|modifie|déplace|pousse|publie|déploie|fusionne|lance)[sz]? (?:pas|plus|rien)|" +
    "pas de (?:déploiement|release|merge|migration|changement|push|mail|mise (?:en prod|à jour))s?)(?![\\wà-ÿ])",
  "i",
);
/**
 * What is not to be taken for it, however long: 'do not use lodash for this'. Not what belongs to the talk of
 * the two, or to this moment.
 */
const BARS = new RegExp(
  "^(?:(?:do not|don['’]?t) (?:use|add|introduce|install|depend on|rely on|import|mock|support|switch to|migrate to|move to)|" +
    "no (?:uses|añadas|metas|instales|introduzcas|dependas de)|(?:ne |n['’])(?:utilise|ajoute|installe|importe)[sz]? (?:pas|plus)|" +
    "(?:nimm|nutze?|verwende|benutze?) (?:(?:hier|da|dafür|dazu|bitte) )*kein\\w*) " +
    "(?!(?:(?:the|an?|la|el|le|les|de|d['’]) ?)*(?:it|that|this|them|these|those|any\\w*|more|much|many|too|so|up|all|every\\w*|your|my|me|yet|now|again|else|words?|emphasis|sarcasm|tone|eso|esto|nada|más|tant[ao]?s?|autant|palabras|mots|tu|ça|cela|tout|trop|encore|rien|mehr|dein\\w*)(?![\\wà-ÿ]))" +
    "(?!.*\\b(?:yet|now|again|this time|todavía|ahora|encore|maintenant|jetzt|diesmal)[.!]*$).{3,}",
  "i",
);
const BARS_SIGN = /^(?:don|do n|no |ne |n['’]|nimm|nutz|verw|benutz)/i;
/** What is left as it is, or switched off, and not what somebody keeps doing or is to leave somewhere. */
const KEEPS =
  /^(?:leave(?! (?:me|you|us|an?|some|room|space|(?:it|that|this) open)\b)|keep(?! (?:(?:it|that|this) open|\w+ing|in|me|us|you|an|calm|quiet|it (?:short|simple|brief|running)|(?:the|this|your) (?:answers?|tone|replies|terminal|window|tab|laptop)|track)\b)|lass(?! (?:uns|mal|mich|dir|dich)\b)|behalt\w*|dej[ae](?:lo|la|los|las)?(?! (?:de|que)\b)|laisse(?!-| (?:moi|tourner|tomber)\b)|(?:turn off|disable|park|postpone|freeze|schalt\w*)(?! (?:(?:the|this) )?(?:\w+ )?(?:button|field|link|input|form|menu)\b))\b/i;
const AS_IT_IS =
  /^leave (?:it|that|this|them) (?:as (?:it |they )?(?:is|are)|alone)\b(?! for an? (?:sec|moment|minute|bit))/i;

/** How long something holds. */
const SPAN =
  /\b(?:for (?:now|tonight|today|the time being|(?:the )?(?:this|next) (?:week|month|sprint|release|version|quarter|year)|(?:an?|one|two|three|another|\d{1,3}) (?:\w+ )?(?:days?|weeks?|months?|sprints?|releases?))|vorerst|de momento|por ahora|pour l'instant)\b/i;
/** What the two of them wait for just now ends nothing. */
const NOT_JUST_NOW = String
  .raw`(?! (?:i|you|it|ich|du|er|es|yo|je|tu|que acabe|everything|now|today|yesterday|das|jetzt|heute|gestern|ahora|hoy|ayer|lunch|noon|dinner|(?:dem )?mittag\w*|à ce qu\S*|(?:(?:the|all|your|my|die|der|alle) )*(?:tests?|builds?|suite|ci|linter|pipeline|code|script))\b)`;
const UNTIL = new RegExp(
  String.raw`(?:\b(?:until|till|unless|bis|hasta)\b|\bjusqu\S{1,3})${NOT_JUST_NOW}`,
  "i",
);
const BEFORE = new RegExp(String.raw`\b(?:before|bevor|vor|antes de|avant)\b${NOT_JUST_NOW}`, "i");
const NOT_BEFORE = new RegExp(
  `^(?:not (?:before|until)|nicht (?:vor|bevor))\\b${NOT_JUST_NOW}`,
  "i",
);

/** Whether somebody says what is to be left alone or out, or as it is, and how long; few sentences have an end. */
function isHeld(said: string): boolean {
  const [clause = ""] = said.replace(BEGINNING, "").split(CLAUSE_END, 1);
  const lasts = UNTIL.test(clause) || SPAN.test(clause);
  return lasts && KEEPS.test(clause) ||
    (lasts || BEFORE.test(clause)) && FORBIDS.test(clause) ||
    BARS_SIGN.test(clause) && BARS.test(clause) ||
    NOT_BEFORE.test(clause) || AS_IT_IS.test(clause);
}

/**
 * What nobody must do, and what is to stay: 'audit must not be migrated'. Of a fault the same words say how
 * strange it is, and 'may not' says what may be.
 */
const MUST_STAY =
  /^(?!.*, (?:sagt|meldet|kommt|steht|says|dice|dit)\b)(?!(?:this|that|it|there|you|i|we|they|das|dies\w*|es|ich|du|er|man|wir|so|eso|es[et]e|esto|ça|(?:(?:the|our|die|der|das|la|el|le|les) )?(?:error|bug|failure|crash|problem|issue|cause|reason|test|build|fehler|fallo|erreur)s?) )(?:(?:the|our|and|but|also|die|der|das|unsere?|la|el|los|las|le|les) )*[^\s,.;:?]+(?: [^\s,.;:?]+){0,3} (?:must(?: not|n['’]?t) (?!(?:have|like|know|want|understand|care|expect|think|get|feel|mind)\b|be (?!\w+ed\b(?! then\b)))\w+|must (?:stay|remain)|d(?:arf|[uü]rfen) (?:nicht|kein\w*)(?: \S+){0,4} (?:\w*(?:ge|ver|be|ent|über)\S*(?:t|en)|\S+iert) werden|muss (?:(?!noch )\S+ ){0,3}bleiben|no deben? (?:ser \w+[ai]d[oa]s?|\w+rse)|ne doi(?:t|vent) (?:pas|plus|rien))\b/i;
/** What stays for a while that is named; a spinner stays too, and a lamp for two days. */
const STAYS =
  /^(?!(?:this|that|it) )(?:\S+ ){1,5}stays? (?!(?:red|blank|empty|broken|open)\b)[^,.;:?!]{2,200}\bfor (?:now|the time being|(?:the )?(?:this|next) (?:week|month|sprint|release|version|quarter|year))\b/i;
const MUST_SIGN = /\bmust|\bd(?:a|ü|ue?)rf|\bmuss\b|\bno debe|\bne doi/i;
const MUST_WORDS_MIN = 6;

/** Whether a person says what is to be left as it is, or what must not be done. */
export function holds(said: string): boolean {
  return isHeld(said) ||
    (MUST_SIGN.test(said) && MUST_STAY.test(said) || STAYS.test(said)) &&
      wordCount(said) >= MUST_WORDS_MIN;
}

/** 'Dann doch lieber pg-boss', 'dann doch wieder Postgres': a name; 'doch wieder rot' says how it is. */
const TURNED =
  /^(?:(?:no|nein|nee?|ok|hm+|ach|dann|also|sorry|gut)[,.!]? )*(?:(?:doch lieber|lieber doch) (?!(?:noch ?mal|erst|kurz|schnell|sp[aä]ter)\b).{3,}|(?<=\bdann )doch wieder (?:zur?(?:[uü]ck zu)? |auf |mit )?(?!(?:ein\w*|kein\w*|die|der|das|rot|gr[uü]n|null|nichts?|alles|so|was|falsch|kaputt|langsam|leer)\b)[^\s,.;:?!]{3,}(?: [^\s,.;:?!]+){0,2}[.!]?$)/i;

/** A person who says what they will do, or leave as it is: for whoever works on it is settled. */
const WILL = new RegExp(
  "(?:^|[.;:,] |\\b(?:so|then|and|but) )we(?:'ll|’ll| will) (?:just |only |still )?" +
    "(?:keep(?! (?:\\w+ing|an|in|you)\\b)|stay(?! (?:in touch|tuned|late)\\b)|stick(?! around\\b)|leave(?! (?:at|for|early|soon|now|you)\\b)|" +
    "use(?! (?:a lot|up|your|this (?:chance|time))\\b)|skip|postpone|do without|" +
    "take(?! (?:it|that|this|care|ages|hours|forever|long|turns|notes|(?:an?|another|one) (?:\\w+ )?(?:look|break|hit|peek|while|moment|step|minute|vote|screenshot|day))\\b)|" +
    `wait (?:with|until|till|for(?! (?:you|it|him|her|them|that|hours|ages)))${NOT_JUST_NOW}|` +
    "go(?! (?:over|through|on|ahead|into|and|to|home|there|from|out|now|further|back|for an?)\\b)|" +
    "run(?! (?:out|into|late|(?:(?:the|all|your|those|some|this|that) )*(?:tests?|suite|build|script|benchmarks?|it|them|this|that))\\b))\\b.{6,}",
  "i",
);

/** Who settles something for the person. */
const BODIES =
  "[Tt]he (?:team|customer|board|management|boss)|[Mm]y boss|[Ll]egal|[Pp]roduct|[Mm]anagement|[Mm]arketing|[Ff]inance|[Ss]ecurity|[Ss]ales|[Cc]ompliance|[Tt]hey|[Mm]y (?:client|supervisor|manager|advisor)";
/** They open a sentence with a capital, and name nobody: words for anybody, and what programs are called. */
const NOBODY_WORDS =
  "Nobody|Somebody|Terminal|Console|Server|Browser|Client|Worker|Compiler|Shell|Some|Someone|Every(?:body|one)|Anyone|Nothing|He|She|We|You|It|This|That|Who|What|Docker|Kubernetes|Helm|Terraform|Ansible|Nginx|Postgres|Redis|Kafka|Node|Deno|Bun|Npm|Yarn|React|Vue|Angular|Next|Vite|Webpack|Rollup|Babel|Jest|Vitest|Cypress|Playwright|Prettier|Eslint|Biome|Typescript|Python|Pip|Poetry|Rails|Django|Rust|Cargo|Java|Gradle|Maven|Xcode|Android|Windows|Linux|Ubuntu|Chrome|Firefox|Safari|Git|Github|Gitlab|Jenkins|Dependabot|Renovate|Stripe|Cloudflare|Vercel|Netlify|Azure|Google|Apple|Microsoft|Claude|Gemini|Copilot|Cursor|Slack|Jira";
const NOBODY = `(?:${NOBODY_WORDS})`;
/** A person who hands on what somebody else settled: 'Elena decided: half to even'; programs decide too. */
const HANDED_ON = new RegExp(
  `^(?:(?:${BODIES})|(?!${NOBODY}\\b)[A-ZÄÖÜ][a-zäöüéñ]+(?:(?: and)? [A-ZÄÖÜ][a-zäöüéñ]+)?)(?: (?:just|finally|already|now))? (?:has |have )?(?:decided(?::| (?:to(?! (?:look|check|see|call|go|come|help|ask|be)\\b)|that|against|in favou?r of|(?:on|for)(?! (?:me|us|you|its own)\\b))\\b)|vetoed:|signed off:)|` +
    `^(?:${BODIES}) (?:just |finally |already )?(?:has |have )?(?:approved|rejected|vetoed|signed off)(?::| (?:on|for|against|in favou?r of)\\b(?! (?:once|the \\w+ time|whatever)\\b))`,
);

/** The same in Spanish and in French. */
const SPANISH_BODIES = "[Ee]l (?:cliente|equipo|jefe)|[Ll]a (?:clienta|jefa|dirección)";
const FRENCH_BODIES = "[Ll]e (?:client|chef)|[Ll]a (?:cliente|cheffe|direction)|[Ll]['’]équipe";
/** What a program turns down many times a day, and a body of people seldom. */
const ASKED_OF_PROGRAMS =
  "(?:\\S+ )?(?:requests?|connections?|tokens?|cards?|payments?|calls?|logins?|uploads?|certificates?|commits?|pushes|peticion\\w*|petición|conexi[oó]n\\w*|tarjetas?|pagos?|requêtes?|connexions?|cartes?|paiements?|[Aa]nfragen?|[Vv]erbindung\\w*|[Zz]ahlung\\w*|[Kk]arten?)(?![\\wà-ÿ])";
/** The same of a thing that is named: 'the customer rejected the dark theme'. */
const TURNED_DOWN = new RegExp(
  `^(?:(?:${BODIES}) (?:just |finally |already |has |have )*(?:approved|rejected|vetoed|turned down) (?:the|our|an?|any|all)|` +
    `(?:${BODIES}|(?!${NOBODY}\\b)[A-ZÄÖÜ][a-zäöüéñ]+) (?:said|says) no to (?:the|our|an?|any|all)|` +
    `(?:${SPANISH_BODIES}) (?:ya )?(?:ha )?(?:rechaz(?:ó|ado)|aprob(?:ó|ado)|vet(?:ó|ado)) (?:el|la|los|las|una?)|` +
    `(?:${FRENCH_BODIES}) a (?:déjà )?(?:refusé|rejeté|approuvé|validé) (?:les?|la|une?)|` +
    "(?:[Dd]er (?:Kunde|Chef|Vorstand)|[Dd]ie (?:Kundin|Chefin|Leitung)|[Dd]as Team) hat (?:die|den|das|eine?n?)(?=.*\\b(?:abgelehnt|freigegeben|genehmigt|verworfen)\\b)) " +
    `(?!${ASKED_OF_PROGRAMS})`,
);
/** Somebody decided, in the words of others: with a colon, or that it be so. */
const DECIDED_BY = new RegExp(
  `^(?!${NOBODY}\\b)(?:${SPANISH_BODIES}|${FRENCH_BODIES}|[A-ZÁÉ][a-zà-ÿ]+) ` +
    "(?:(?:ya )?(?:decidió|ha decidido)|a (?:déjà )?décidé)(?: ?:| qu(?:e|['’]))",
);
/** Who is asked in a company, as it is typed. */
const OFFICES =
  "ops|legal|accounting|finance|support|qa|hr|infra|security|sales|marketing|product|compliance|(?:[Dd]ie|[Uu]nsere|[Dd]er|[Uu]nser) (?:Buchhaltung|Rechtsabteilung|Fachabteilung|Leitung|Chefin|Chef|Kundin|Kunde)";
const NOBODY_ELSE =
  `(?:${NOBODY_WORDS}|I|Er|Sie|Es|Das|Die|Der|Wir|Ich|Man|Niemand|Doku\\w*|Elle|Il|On|Ella|Nadie)`;
/** What ought to be, and no account of what is: 'no drafts', 'we must', 'dass … storniert werden', 'qu'on enlève'. */
const OUGHT =
  "(?:: (?!(?:i|it|that|this|there|yes|no|ok|hi|hello|thanks)\\b)[a-zä]|(?:,? that|:)? (?:no|not to|to (?!me\\b|us\\b)|never|don['’]t|leave|keep|(?:we|it|they|you)(?:['’]ll| (?:must|should|can(?:not|['’]t)|can only|need|have to|has to|don['’]t|won['’]t|will|keep|stay|drop|use|leave|take)))\\b|,? (?:dass|wir|bitte) [^.;?!]*\\b(?:soll\\w*|muss|müssen|darf|dürfen|wird|werden|bleib\\w*|machen|nehmen|lassen)\\b| qu['’]on \\w| que (?:no )?\\w+[aei]mos\\b)";
/** Somebody else wants it so: 'Petra said no drafts in the dashboard because …', with the reason. */
const WANTED = new RegExp(
  `^(?:${BODIES}|${OFFICES}|(?!${NOBODY_ELSE}\\b)[A-ZÄÖÜ][a-zäöüéñ]+(?: [A-ZÄÖÜ][a-zäöüéñ]+)?)(?: (?:just|also|again))? (?:said|says|told (?:me|us)|wants|insists|hat(?: \\S+){0,2} gesagt|sagte?|meinte?|a dit|dit|veut|dice|dijo|ha dicho|quiere)${OUGHT}`,
);
const SAYS =
  /\b(?:sa(?:id|ys)|told|wants|insists|gesagt|sagte?|meinte?|dit|veut|dice|dijo|dicho|quiere)\b/i;
const WHY =
  /\b(?:because|since|due to|so that|weil|wegen|damit|denn|parce que|à cause|car|porque|ya que)\b/i;
/** When something is done that everybody notices: not on a friday, not before the audit. */
const DATED =
  /^(?:we(?:['’]ll| will)? )?(?:only )?(?:deploy|release|merge|ship|launch|publish|migrate|roll out|cut over|go live)\b[^,.;?!]{0,40}\b(?:(?:on|until|till) (?:mon|tues|wednes|thurs|fri|satur|sun)day|(?:after|before) (?!that\b|it\b|you\b|i\b|lunch\b)\w+|next (?:week|month|sprint|release))\b|^(?:\S+ ){0,4}(?:machen|deployen|mergen|releasen|migrieren|veröffentlichen|löschen|ändern) wir (?:\S+ ){0,2}?erst (?:am|ab|nach|wenn|im|nächste\w*)\b|^wir (?:deployen|mergen|releasen|migrieren|veröffentlichen|löschen|ändern) (?:\S+ ){0,3}?erst (?:am|ab|nach|wenn|im|nächste\w*)\b/i;

/** Whether somebody who is asked, or the day, is why it is to be so. */
function isWanted(said: string): boolean {
  if (!WHY.test(said)) return false;
  const matter = said.replace(BEGINNING, "");
  return DATED.test(matter) || SAYS.test(matter) && WANTED.test(matter);
}

/** What is said between two, and not built. */
const TALK =
  "(?:(?:an?|the|all|any|those|these|that|this|of|more|another|one|long|full) )*(?:your|my|explanations?|reasons?|details?|summar\\w*|opinions?|logs?|output|answers?|comments?|help|advice|coffee|miracles?|everything|all|long|time|errors?|words?|recap|luck|no)\\b";
const NOT_NEEDED = new RegExp(
  `(?:^|[.;:,] |\\b(?:so|then|and|but|no,?) )we (?:don['’]?t|do not|won['’]t) need (?!(?:to|it|that|this|you|much|many|more|any\\w*|a lot|another)\\b|${TALK}).{3,}|` +
    "^(?!(?:brauchen|warum|wieso|wozu|wof[uü]r|wann|wo|das|es|dies\\w*|(?:mehr )?(?:zeit|eile|hilfe|panik)|dein\\w*)\\b).{2,80}\\bbrauchen wir (?!das|es|ihn|sie)(?:(?!\\boder\\b)[^,.;?]){2,40}\\bnicht\\b|^dann brauchen wir kein\\w* .{3,}",
  "i",
);

/** An order whose verb leaves or settles something, whatever the reason. */
const SETTLES = wider(
  "orders.settles",
  new RegExp(
    "^(?:(?:please|honestly|both|no|nein|ja|gut|dann|mejor|entonces|alors)[,.!]? )*(?:scrap(?= (?:the|that|this|it|all|our|both|those|them)\\b)|abandon|ditch(?! the (?:small talk|jokes))|" +
      "drop(?! (?:me|us|by|in|into|an?|your|everything|down)\\b|.* in(?:to)? (?:there|here)\\b)|let['’]?s not (?:" +
      `${CHANGE}|` +
      "do|have|make|keep|go (?:with|for|down))(?! (?:anything stupid|the subject|in circles|fuel|an? (?:fuss|mess)|(?:it|this|that) (?:more|any)))|" +
      "stick (?:with|to)(?! (?:it|me|what|the (?:point|topic|task|facts))\\b)|stay with(?! (?:me|us|it)\\b)(?!.* for an? (?:sec|moment|minute|bit))|" +
      "(?:use|take|keep|do|go (?:with|for))(?= (?!(?:it|that|this)\\b)\\S+(?: \\S+)? after all[.!]?$)|" +
      "(?:dann )?lassen wir(?! (?:uns|(?:das|es|den|die) (?:mal|so laufen))\\b)|bleiben wir(?! (?:mal|kurz|noch)\\b)|verwirf|streich|" +
      "usamos(?! (?:qu[eé]|cu[aá]l|esto\\b|eso\\b))|hacemos(?! (?:una pausa|un descanso|lo mismo|qu[eé])\\b)|dejamos(?! (?:(?:esto|eso|lo) )?(?:aqu[ií]|de|para|por) )|nos quedamos(?= (?:con|en (?:v?\\d|(?:la )?versión)))(?! con la(?:s ganas| duda))|descartamos?|on garde(?! (?:le contact|espoir|en tête|son calme|les doigts|un œil|ça ouvert))|on laisse(?! (?:tourner|passer|faire|ça pour))|laisse tomber)\\b.{4,}",
    "i",
  ),
);

/** 'Drop it and rerun': what is left was named by somebody else. */
const POINTS =
  /^(?:\S+[,.!]? ){0,2}(?:scrap|ditch|drop|abandon|let['’]?s not \w+|stick (?:with|to)|stay with|lassen wir|streich|verwirf) (?:it|that|this|them|those|das|es|die)\b/i;
const POINTED_TERMS_MIN = 3;

/** Whether its verb leaves or settles something. */
export function isOrder(said: string): boolean {
  return SETTLES.test(said);
}

/** Whether it says of what. */
export function settles(said: string): boolean {
  return isOrder(said) && (!POINTS.test(said) || termsOf(said).size >= POINTED_TERMS_MIN);
}

/** A word of each: most sentences have none, and the patterns are dear to make. */
const SIGN =
  /\bwe(?:['’]ll| will) |\b(?:decided|approved|rejected|vetoed|turned down|signed off|sa(?:id|ys) no)\b|need|brauchen| decidi|a (?:déjà )?(?:décidé|refus|rejet|approuv|valid)|rechaz|aprob| vet|abgelehnt|freigegeben|genehmigt|verworfen/i;

/** What people decide, and will do, beside the work. */
const LIFE =
  /\b(?:lunch|dinner|breakfast|coffee|beer|train|hotel|office|meeting room|holidays?|vacation|weekend|bed|home|sick|quit|fingers|micromanage)\b/i;

/** 'Finance decided on Adyen, they told me at lunch': when they did is said behind it. */
const ASIDE = /, (?:they|he|she|who|as|i) /i;

/** Whether a person settles something, or tells what was settled. */
export function tellsWhatIsSettled(said: string): boolean {
  return settles(said) || TURNED.test(said) || isWanted(said) ||
    SIGN.test(said) && !LIFE.test(said.split(ASIDE, 1)[0] ?? "") &&
      (HANDED_ON.test(said) || TURNED_DOWN.test(said) ||
        DECIDED_BY.test(said) || NOT_NEEDED.test(said) ||
        WILL.test(said) && !/^(?:if|when|wenn|falls)\b/i.test(said));
}

/**
 * The texts that a model is calibrated on when it is pulled: notes, a question for each that shares hardly
 * a word with it, and the note lightly edited. Nearly every row has another subject, so that the notes of
 * other rows count as unrelated.
 */

export interface CalibrationRow {
  readonly note: string;
  readonly question: string;
  readonly edited: string;
}

const ROWS: readonly (readonly [note: string, question: string, edited: string])[] = [
  [
    "We chose PostgreSQL because the reports need joins over many tables.",
    "Which database did we settle on, and why?",
    "We picked PostgreSQL because the reports require joins over many tables.",
  ],
  [
    "The nightly backup fails when the disk of the build machine is full.",
    "What makes our copies at night break?",
    "The nightly backup fails if the build machine's disk is full.",
  ],
  [
    "Deployments run on Tuesdays; nobody is on call during the weekend.",
    "On which day do we ship?",
    "We deploy on Tuesdays; during the weekend nobody is on call.",
  ],
  [
    "Maria prefers to be asked by mail and not by phone.",
    "How does she like to be contacted?",
    "Maria would rather be asked by mail than by phone.",
  ],
  [
    "The parser must accept dates without a time, because old files have them.",
    "Why do we have to read days that carry no hour?",
    "The parser has to accept dates without a time, since old files contain them.",
  ],
  [
    "Login tokens expire after fifteen minutes and are renewed in the background.",
    "How long does a session stay valid?",
    "Login tokens run out after fifteen minutes and get renewed in the background.",
  ],
  [
    "Two tomato plants died of frost in April; sow them in May next year.",
    "When should the vegetables go out into the garden?",
    "Two tomato plants died from the frost in April; next year sow them in May.",
  ],
  [
    "The bridge over the river is closed for repairs until autumn.",
    "Can we still cross the water by the usual road?",
    "The bridge over the river is closed until autumn for repairs.",
  ],
  [
    "Interest in the savings account was cut to one per cent.",
    "How much does money in the bank earn now?",
    "The interest in the savings account was lowered to one per cent.",
  ],
  [
    "The hall has room for eighty chairs, and a projector hangs from the ceiling.",
    "How many people fit into the place for the lecture?",
    "The hall has space for eighty chairs, and there is a projector on the ceiling.",
  ],
  [
    "Colour is never the only signal: each state also has a symbol.",
    "How do we make things clear to those who cannot tell red from green?",
    "Colour is never the sole signal: each state has a symbol as well.",
  ],
  [
    "The sensor drifts by half a degree a month and is calibrated in spring.",
    "How wrong does the thermometer become over time?",
    "The sensor drifts half a degree each month and gets calibrated in spring.",
  ],
  [
    "Invoices are sent on the first working day and are due after thirty days.",
    "By when must customers pay?",
    "Invoices go out on the first working day and are due after thirty days.",
  ],
  [
    "The choir sings the requiem in November with a guest conductor.",
    "What is performed at the concert this autumn?",
    "In November the choir sings the requiem with a guest conductor.",
  ],
  [
    "Requests above one megabyte are rejected before they are parsed.",
    "What happens to uploads that are too big?",
    "Requests over one megabyte get rejected before they are parsed.",
  ],
  [
    "The dog may not eat grapes; the vet said that even a few are poisonous.",
    "Which fruit is dangerous for our pet?",
    "The dog must not eat grapes; the vet said even a few are poisonous.",
  ],
  [
    "The novel is told by the sister, who learns the truth only in the last chapter.",
    "Who is the narrator of the book?",
    "The novel is told by the sister, who only learns the truth in the last chapter.",
  ],
  [
    "Use a worker thread for image resizing, or the interface freezes.",
    "How do we keep the window responsive while pictures are made smaller?",
    "Resize images in a worker thread, otherwise the interface freezes.",
  ],
  [
    "The train to the coast leaves at seven and needs four hours.",
    "When do we depart for the sea?",
    "The train to the coast leaves at seven and takes four hours.",
  ],
  [
    "Samples are stored at minus eighty degrees and thawed only once.",
    "How cold do we keep the probes?",
    "Samples are kept at minus eighty degrees and thawed just once.",
  ],
  [
    "The lease ends in June, and the landlord wants notice three months before.",
    "When must we cancel the contract for the flat?",
    "The lease ends in June, and the landlord wants three months' notice.",
  ],
  [
    "Retries wait twice as long each time and give up after five attempts.",
    "How often do we try again when a call does not succeed?",
    "Retries wait double the time each round and give up after five attempts.",
  ],
  [
    "The bread needs eighteen hours to rise because it has very little yeast.",
    "For how long does the dough rest?",
    "The bread takes eighteen hours to rise since it has very little yeast.",
  ],
  [
    "The marathon was moved to October because summers have become too hot.",
    "Why does the race take place later in the year?",
    "The marathon was moved to October because the summers have grown too hot.",
  ],
  [
    "All money is counted in cents as whole numbers to avoid rounding.",
    "Why do we not keep prices as decimals?",
    "All amounts are counted as whole cents to avoid rounding.",
  ],
  [
    "The museum lends the painting to Vienna for half a year.",
    "Where is the portrait being shown at present?",
    "The museum is lending the painting to Vienna for half a year.",
  ],
  [
    "The new engine uses a third less fuel but is louder at low speed.",
    "What is the drawback of the motor that saves petrol?",
    "The new engine needs a third less fuel but is louder at low speeds.",
  ],
  [
    "Members vote by secret ballot; a motion needs two thirds.",
    "What majority does a proposal require?",
    "Members vote in a secret ballot; a motion requires two thirds.",
  ],
  [
    "The glacier has lost forty metres of length since the first survey.",
    "How much has the ice shrunk?",
    "Since the first survey the glacier has lost forty metres in length.",
  ],
  [
    "Children under six travel free when an adult goes with them.",
    "Do the little ones need a ticket?",
    "Children below six travel for free when an adult accompanies them.",
  ],
  [
    "The cache is cleared at each release, so that old pages never return.",
    "How do we prevent outdated sites from being served?",
    "The cache gets cleared with each release, so old pages never come back.",
  ],
  [
    "His grandfather came from Bergen and built boats all his life.",
    "What was the trade of that ancestor from Norway?",
    "His grandfather was from Bergen and built boats all his life.",
  ],
];

export const CALIBRATION_ROWS: readonly CalibrationRow[] = ROWS.map(
  ([note, question, edited]) => ({ note, question, edited }),
);

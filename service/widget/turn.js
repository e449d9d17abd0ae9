/** One question and its answer on the page: the element, its slots for the parts, and what is known so far. */

import { h } from "./dom.js";
import { draw } from "./parts/index.js";

/**
 * @typedef {Object} TurnApp  what parts may ask of the page
 * @property {ReturnType<import("./api.js").createApi>} api
 * @property {(text: string) => void} announce read aloud, not shown
 * @property {(text: string) => void} toast shown for a moment and read aloud
 * @property {(turn: Turn, n: number) => void} openSource shows everything cited as [n]
 * @property {(turn: Turn, reference: import("./types.js").Reference) => void} openReference
 * @property {(text: string, mode?: string) => void} ask puts a question as if it were typed
 * @property {() => void} focusBox puts the focus into the box for questions
 * @property {(turn: Turn) => void} retry
 * @property {(turn: Turn) => void} goOn receives the rest of an answer whose line broke
 * @property {(id: string, title: string) => void} conversationKnown
 * @property {(turn: Turn) => void} grown the answer became longer
 *
 * @typedef {typeof SLOTS[number]} SlotName
 *
 * @typedef {Object} Turn
 * @property {number} key distinct on this page
 * @property {string} question
 * @property {string} mode which path shall answer, "auto" when the service decides
 * @property {string} intent which one did, "" while unknown
 * @property {"waiting"|"streaming"|"done"|"failed"|"stopped"} state
 * @property {boolean} live it is being answered now, not restored from the history
 * @property {string} asOf the day that was asked for, "" for the day of asking
 * @property {string} answeredOn
 * @property {string} text of the answer so far
 * @property {import("./types.js").Reference[]} references
 * @property {import("./types.js").Citation[]} citations
 * @property {?import("./types.js").Refusal} refusal
 * @property {import("./types.js").Chip[]} chips
 * @property {?import("./types.js").StepCard} card
 * @property {string} rating
 * @property {import("./stream.js").Position} position
 * @property {number} frame the pending drawing, 0 for none
 * @property {string[]} drawn keys of the drawn text blocks
 * @property {HTMLElement} element
 * @property {Record<SlotName, HTMLElement>} slots
 * @property {TurnApp} app
 */

/** The places of an answer, in reading order; a part fills one or several. `byline` stands in the head. */
const SLOTS = /** @type {const} */ ([
  "byline", "notice", "progress", "body", "cards", "chips", "failure", "sources", "actions", "comment",
]);

let made = 0;

/**
 * @param {string} question "" when the answer stands alone
 * @param {TurnApp} app
 * @param {string} [mode]
 * @returns {Turn}
 */
export function createTurn(question, app, mode = "auto") {
  made += 1;
  const slots = /** @type {Record<SlotName, HTMLElement>} */ (
    Object.fromEntries(SLOTS.map((name) => [name, h("div", { class: `slot-${name}` })]))
  );
  return {
    key: made,
    question,
    mode,
    intent: "",
    state: "waiting",
    live: false,
    asOf: "",
    answeredOn: "",
    text: "",
    references: [],
    citations: [],
    refusal: null,
    chips: [],
    card: null,
    rating: "",
    position: { messageId: "", lastEventId: "" },
    frame: 0,
    drawn: [],
    element: h("section", { class: "turn" }, question ? asked(question) : null, answer(slots)),
    slots,
    app,
  };
}

/** @param {string} question */
function asked(question) {
  return h(
    "div",
    { class: "question" },
    h("h3", { class: "visually-hidden", text: "您的问题" }),
    h("p", { text: question }),
  );
}

/** @param {Record<SlotName, HTMLElement>} slots */
function answer({ byline, ...below }) {
  const head = h("div", { class: "answer-head" }, h("h3", { class: "answer-name", text: "知行" }), byline);
  return h("article", { class: "answer", "aria-label": "回答" }, head, ...Object.values(below));
}

/**
 * @param {Turn} turn
 * @param {string} event
 * @param {any} [data]
 */
export function apply(turn, event, data = {}) {
  draw(turn, event, data);
  const busy = turn.state === "waiting" || turn.state === "streaming";
  turn.element.querySelector(".answer")?.setAttribute("aria-busy", String(busy));
  turn.app.grown(turn);
}

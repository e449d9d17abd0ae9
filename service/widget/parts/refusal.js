/**
 * A refusal is an honest answer: why, what came nearest (marked 未采用), and whom to ask. Sources in conflict stand
 * side by side; a question of several meanings gets them as buttons.
 */

import { h, icon } from "../dom.js";
import { refusalReason } from "../wording.js";
import { provenance, whereabouts } from "./provenance.js";
import { passage } from "./sources.js";

/** @type {import("./index.js").Part} */
export const refusal = {
  events: {
    refusal(turn, data) {
      turn.refusal = data;
      turn.text = "";
      turn.slots.body.replaceChildren();
      turn.slots.sources.replaceChildren();
      turn.slots.cards.replaceChildren(panel(turn, data));
    },
  },

  replay: (message) => (message.refusal ? [["refusal", message.refusal]] : []),
};

/**
 * What stands below the reason. Where the passages themselves are what is told, the message is shown up to its
 * first line: the rest repeats them for readers of plain text.
 * @param {import("./index.js").Turn} turn
 * @param {import("../types.js").Refusal} data
 */
function panel(turn, { reason, message, nearest = [], contact }) {
  const draw = nearest.length ? (TELLING[/** @type {keyof typeof TELLING} */ (reason)] ?? null) : null;
  const told = draw ? message.split("\n")[0] : message;
  const ask = h("p", { class: "refusal-contact" }, icon("person"), h("span", { text: `可以咨询：${contact}` }));
  return h(
    "section",
    { class: "refusal", "aria-label": "没有作答" },
    h("p", { class: "refusal-reason" }, icon("info"), refusalReason(reason)),
    h("p", { class: "refusal-message", text: told }),
    nearest.length ? (draw ?? unused)(turn, nearest) : null,
    contact && !told.includes(contact) ? ask : null,
  );
}

/** Reasons whose passages are the answer to give, and how they are drawn. */
const TELLING = { conflicting_sources: sides, ambiguous: choices };

/**
 * Sources in conflict, side by side, each with what a reader needs to weigh it.
 * @param {import("./index.js").Turn} turn
 * @param {import("../types.js").Reference[]} nearest
 */
function sides(turn, nearest) {
  return h("ul", { class: "sides", "aria-label": "互相矛盾的规定" }, ...nearest.map((item) => side(turn, item)));
}

/**
 * @param {import("./index.js").Turn} turn
 * @param {import("../types.js").Reference} reference its snippet is the sentence in conflict
 */
function side(turn, reference) {
  const { document_name: name, heading_path: path, issuer, effective_from: from, snippet } = reference;
  const open = { click: () => turn.app.openReference(turn, reference) };
  const title = h("button", { type: "button", class: "source-title", "aria-label": `打开《${name}》`, on: open }, name);
  const issued = [issuer ? `${issuer}发布` : "发布单位未注明", ...(from ? [] : ["施行日期未注明"])];
  return h(
    "li",
    { class: "side" },
    title,
    provenance({ ...reference, in_force: true }, turn.asOf), // only what is in force can be in conflict
    h("p", { class: "side-issuer", text: issued.join("，") }),
    whereabouts({ heading_path: below(name, path) }),
    h("blockquote", { class: "source-quote", text: snippet }),
  );
}

/**
 * What the question may mean; a choice asks it again with the document's name.
 * @param {import("./index.js").Turn} turn
 * @param {import("../types.js").Reference[]} nearest
 */
function choices(turn, nearest) {
  return h("ul", { class: "choices", "aria-label": "请选一项再问" }, ...nearest.map((item) => choice(turn, item)));
}

/**
 * @param {import("./index.js").Turn} turn
 * @param {import("../types.js").Reference} reference
 */
function choice(turn, { document_name: name, heading_path: path }) {
  const ask = { click: () => turn.app.ask(`关于《${name}》：${turn.question}`) };
  const section = below(name, path).at(-1);
  const words = h("span", {}, `《${name}》`, section ? h("span", { class: "choice-section", text: section }) : null);
  return h("li", {}, h("button", { type: "button", class: "suggestion", on: ask }, words, icon("arrow")));
}

/**
 * The headings that say more than the title.
 * @param {string} title
 * @param {string[]} path
 */
function below(title, path) {
  return path.filter((part) => part !== title);
}

/**
 * @param {import("./index.js").Turn} turn
 * @param {import("../types.js").Reference[]} nearest
 */
function unused(turn, nearest) {
  const tag = () => h("span", { class: "tag tag-unused", text: "未采用" });
  const items = nearest.map((reference) => passage(turn, reference, tag()));
  return h("div", { class: "nearest" }, h("h4", { text: "最接近的资料" }), h("ul", {}, ...items));
}

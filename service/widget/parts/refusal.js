/** A refusal is an honest answer: why, what came nearest (marked 未采用), and whom to ask. */

import { h, icon } from "../dom.js";
import { refusalReason } from "../wording.js";
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
 * @param {import("./index.js").Turn} turn
 * @param {import("../types.js").Refusal} data
 */
function panel(turn, { reason, message, nearest = [], contact }) {
  const ask = h("p", { class: "refusal-contact" }, icon("person"), h("span", { text: `可以咨询：${contact}` }));
  return h(
    "section",
    { class: "refusal", "aria-label": "没有作答" },
    h("p", { class: "refusal-reason" }, icon("info"), refusalReason(reason)),
    h("p", { class: "refusal-message", text: message }),
    nearest.length ? unused(turn, nearest) : null,
    contact && !message.includes(contact) ? ask : null,
  );
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

/** A refusal is an honest answer: why, what came nearest (marked 未采用), and whom to ask. */

import { h, icon } from "../dom.js";
import { refusalReason } from "../wording.js";
import { provenance } from "./provenance.js";

/** @type {import("./index.js").Part} */
export const refusal = {
  events: {
    refusal(turn, data) {
      turn.refusal = data;
      turn.slots.sources.replaceChildren();
      turn.slots.cards.replaceChildren(h("section", { class: "refusal" },
        h("p", { class: "refusal-reason" }, icon("info"), refusalReason(data.reason)),
        h("p", { class: "refusal-message", text: data.message }),
        nearest(turn, data.nearest ?? []),
        data.contact ? h("p", { class: "refusal-contact" }, icon("person"), h("span", { text: `可以咨询：${data.contact}` })) : null));
    },
  },

  replay: (message) => (message.refusal ? [["refusal", message.refusal]] : []),
};

/**
 * @param {import("./index.js").Turn} turn
 * @param {import("../types.js").Reference[]} references
 */
function nearest(turn, references) {
  if (!references.length) return null;
  const items = references.map((reference) => h("li", {},
    h("div", { class: "nearest-head" },
      h("button", { type: "button", class: "link", on: { click: () => turn.app.openReference(turn, reference) } }, `《${reference.document_name}》`),
      h("span", { class: "tag tag-unused", text: "未采用" })),
    provenance(reference, turn.asOf),
    h("p", { class: "source-snippet", text: reference.snippet })));
  return h("div", { class: "nearest" }, h("h4", { text: "最接近的资料" }), h("ul", {}, ...items));
}

/** 参考来源: under each answer, title, date and quoted words of every citation, readable without a click. */

import { h, icon } from "../dom.js";
import { place } from "../wording.js";
import { provenance } from "./provenance.js";

/** @type {import("./index.js").Part} */
export const sources = {
  events: {
    references(turn, data) {
      turn.references = data.references;
    },
    citation: list,
    done: list,
  },

  replay: (message) => [
    ["references", { references: message.references ?? [] }],
    ...(message.citations ?? []).map((citation) => /** @type {import("./index.js").Replayed} */ (["citation", citation])),
  ],
};

/** @param {import("./index.js").Turn} turn */
function list(turn) {
  if (turn.refusal) return;
  const cited = turn.citations.map((citation) => card(turn, citation));
  const unused = turn.state === "done" ? uncited(turn) : null;
  if (!cited.length && !unused) return;
  const heading = h("h4", { class: "sources-title", id: `sources-${turn.key}`, text: "参考来源" });
  const items = h("ol", { class: "sources-list" }, ...cited);
  const section = h("section", { class: "sources", "aria-labelledby": heading.id }, heading, items, unused);
  turn.slots.sources.replaceChildren(section);
}

/**
 * @param {import("./index.js").Turn} turn
 * @param {import("../types.js").Citation} citation
 */
function card(turn, citation) {
  const open = () => turn.app.openSource(turn, citation.n, citation);
  const number = h("span", { class: "source-number", "aria-hidden": "true", text: String(citation.n) });
  const title = h("button", { type: "button", class: "source-title", on: { click: open } }, citation.document_name);
  title.setAttribute("aria-label", `打开来源 ${citation.n}：《${citation.document_name}》`);
  const where = [citation.heading_path?.join(" › "), place(citation.anchor)].filter(Boolean).join(" · ");
  const checked = citation.verified
    ? h("span", { class: "checked", title: "引文已与原文逐字核对" }, icon("check"), "已核对")
    : null;
  return h("li", { class: "source" }, number, h("div", { class: "source-main" },
    h("div", { class: "source-head" }, title, checked),
    provenance(citation, turn.asOf),
    where ? h("p", { class: "source-where", text: where }) : null,
    h("blockquote", { class: "source-quote", text: citation.quote })));
}

/**
 * What was found but not cited, folded away.
 * @param {import("./index.js").Turn} turn
 */
function uncited(turn) {
  const cited = new Set(turn.citations.map((citation) => citation.chunk_id));
  const rest = turn.references.filter((reference) => !cited.has(reference.chunk_id));
  if (!rest.length) return null;
  const items = rest.map((reference) => h("li", {},
    h("button", { type: "button", class: "link", on: { click: () => turn.app.openReference(turn, reference) } }, `《${reference.document_name}》`),
    provenance(reference, turn.asOf),
    h("p", { class: "source-snippet", text: reference.snippet })));
  return h("details", { class: "uncited" }, h("summary", { text: `检索到但未引用（${rest.length}）` }), h("ul", {}, ...items));
}

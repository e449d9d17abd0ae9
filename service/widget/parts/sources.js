/** 参考来源: under each answer, title, date and quoted words of every citation, readable without a click. */

import { h, icon } from "../dom.js";
import { provenance, whereabouts } from "./provenance.js";

/** @type {import("./index.js").Part} */
export const sources = {
  events: {
    references(turn, data) {
      turn.references = data.references;
    },
    citation: list,
    done: list,
  },

  replay: (message) => [["references", { references: message.references ?? [] }]],
};

/** @param {import("./index.js").Turn} turn */
function list(turn) {
  if (turn.refusal) return;
  const cited = turn.citations.map((citation) => card(turn, citation));
  const unused = turn.state === "done" ? uncited(turn) : null;
  if (!cited.length && !unused) return;
  const heading = h("h4", { class: "sources-title", id: `sources-${turn.key}`, text: "参考来源" });
  const cards = cited.length ? h("ol", { class: "sources-list" }, ...cited) : null;
  const section = h("section", { class: "sources", "aria-labelledby": heading.id }, heading, cards, unused);
  turn.slots.sources.replaceChildren(section);
}

/**
 * @param {import("./index.js").Turn} turn
 * @param {import("../types.js").Citation} citation
 */
function card(turn, citation) {
  const title = h(
    "button",
    {
      type: "button",
      class: "source-title",
      "aria-label": `打开来源 ${citation.n}：《${citation.document_name}》`,
      on: { click: () => turn.app.openSource(turn, citation.n, citation) },
    },
    citation.document_name,
  );
  const checked = h("span", { class: "checked", title: "引文已与原文逐字核对" }, icon("check"), "已核对");
  return h(
    "li",
    { class: "source" },
    h("span", { class: "source-number", "aria-hidden": "true", text: String(citation.n) }),
    h(
      "div",
      { class: "source-main" },
      h("div", { class: "source-head" }, title, citation.verified ? checked : null),
      provenance(citation, turn.asOf),
      whereabouts(citation),
      h("blockquote", { class: "source-quote", text: citation.quote }),
    ),
  );
}

/**
 * What was found but not cited, folded away.
 * @param {import("./index.js").Turn} turn
 */
function uncited(turn) {
  const cited = new Set(turn.citations.map((citation) => citation.chunk_id));
  const rest = turn.references.filter((reference) => !cited.has(reference.chunk_id));
  if (!rest.length) return null;
  const summary = h("summary", { text: `检索到但未引用（${rest.length}）` });
  return h("details", { class: "uncited" }, summary, h("ul", {}, ...rest.map((item) => passage(turn, item))));
}

/**
 * A passage the answer does not rest on.
 * @param {import("./index.js").Turn} turn
 * @param {import("../types.js").Reference} reference
 * @param {HTMLElement|null} [tag]
 */
export function passage(turn, reference, tag = null) {
  const open = { click: () => turn.app.openReference(turn, reference) };
  const title = h("button", { type: "button", class: "link", on: open }, `《${reference.document_name}》`);
  return h(
    "li",
    {},
    h("div", { class: "source-head" }, title, tag),
    provenance(reference, turn.asOf),
    h("p", { class: "source-snippet", text: reference.snippet }),
  );
}

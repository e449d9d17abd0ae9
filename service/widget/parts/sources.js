/** 参考来源: under each answer, title, date and quoted words of every citation, readable without a click. */

import { h, icon } from "../dom.js";
import { provenance, whereabouts } from "./provenance.js";

const CHECKED = "引文与原文一致；回答里的数字、日期和名称都在引文中";

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
  const cited = [...byNumber(turn.citations)].map(([n, citations]) => card(turn, n, citations));
  const unused = turn.state === "done" ? uncited(turn) : null;
  if (!cited.length && !unused) return;
  const heading = h("h4", { class: "sources-title", id: `sources-${turn.key}`, text: "参考来源" });
  const cards = cited.length ? h("ol", { class: "sources-list" }, ...cited) : null;
  const section = h("section", { class: "sources", "aria-labelledby": heading.id }, heading, cards, unused);
  turn.slots.sources.replaceChildren(section);
}

/**
 * @param {import("../types.js").Citation[]} citations
 * @returns {Map<number, import("../types.js").Citation[]>} in the order of first mention
 */
function byNumber(citations) {
  const groups = new Map();
  for (const citation of citations) groups.set(citation.n, [...(groups.get(citation.n) ?? []), citation]);
  return groups;
}

/**
 * @param {import("./index.js").Turn} turn
 * @param {number} n
 * @param {import("../types.js").Citation[]} citations of one passage
 */
function card(turn, n, citations) {
  const [first] = citations;
  const open = { click: () => turn.app.openSource(turn, n) };
  const name = `打开来源 ${n}：《${first.document_name}》`;
  const title = h("button", { type: "button", class: "source-title", "aria-label": name, on: open });
  title.append(first.document_name);
  const checked = h("span", { class: "checked", title: CHECKED }, icon("check"), "已核对");
  const quotes = citations.flatMap((citation) => [
    whereabouts(citation),
    h("blockquote", { class: "source-quote", text: citation.quote }),
  ]);
  return h(
    "li",
    { class: "source" },
    h("span", { class: "source-number", "aria-hidden": "true", text: String(n) }),
    h(
      "div",
      { class: "source-main" },
      h("div", { class: "source-head" }, title, citations.every((item) => item.verified) ? checked : null),
      provenance({ ...first, in_force: true }, turn.asOf), // only what is in force gets cited
      ...quotes,
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
    whereabouts(reference),
    h("p", { class: "source-snippet", text: reference.snippet }),
  );
}

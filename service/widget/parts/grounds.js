/** What a step card rests on: the values it was worked out from, the row that decided, and the clause behind it. */

import { h } from "../dom.js";
import { origin } from "../wording.js";
import { citationChip, nameChips } from "./answer.js";
import { section } from "./section.js";

/**
 * Each value with where it comes from, so that a wrong assumption is seen.
 * @param {import("../types.js").StepCard} card
 */
export function valueList({ values }) {
  if (!values.length) return null;
  const items = values.map(({ field, value, source }) =>
    h(
      "div",
      { class: "value" },
      h("dt", { text: field }),
      h("dd", {}, h("span", { class: "value-text", text: value }), h("span", { class: "tag", text: origin(source) })),
    ),
  );
  return h("dl", { class: "values", "aria-label": "按这些情况" }, ...items);
}

/** @param {import("../types.js").StepCard} card */
export function basis({ basis: found, version }) {
  const rows = found.rows.map((id) => h("span", { class: "tag rule-id", text: id }));
  const conditions = found.conditions.map(({ column, text }) =>
    h("div", { class: "condition" }, h("dt", { text: column }), h("dd", { text })),
  );
  const met = conditions.length
    ? h("dl", { class: "conditions", "aria-label": "符合的条件" }, ...conditions)
    : h("p", { class: "card-note", text: "这一行不设条件，所有申请都适用。" });
  const clause = h("p", { class: "clause" }, found.source, h("span", { class: "clause-marks" }));
  return section(
    "basis-part",
    "依据",
    version ? `版本 ${version}` : null,
    h("p", { class: "deciding" }, h("span", { text: found.table }), ...rows),
    met,
    ...remarks(found),
    found.source ? clause : null,
  );
}

/**
 * What the table remarks beside the rows that decided. A card kept from before there were remarks has none.
 * @param {import("../types.js").Basis} basis
 */
function remarks({ notes = [] }) {
  return notes.map(({ row, text }) =>
    h("p", { class: "card-note row-note" }, h("span", { class: "row-note-of", text: `${row} 备注：` }), text),
  );
}

/**
 * The clause opens from the card too, once its citations are known.
 * @param {import("./index.js").Turn} turn
 */
export function markClause(turn) {
  const marks = turn.slots.cards.querySelector(".clause-marks");
  if (!marks || !turn.card || turn.card.basis.citation === null) return;
  const numbers = new Set(turn.citations.map((citation) => citation.n));
  marks.replaceChildren(...[...numbers].map((n) => citationChip(turn, n)));
  nameChips(turn);
}

/** The way of a case: who does what, how long it takes, and how long it all takes. */

import { h } from "../dom.js";
import { workdays } from "../wording.js";
import { section } from "./section.js";

/** @param {import("../types.js").StepCard} card */
export function stepList(card) {
  const { steps } = card;
  const none = "这条规则没有列出办理步骤。";
  if (!steps.length) return section("steps-part", "步骤", null, h("p", { class: "card-none", text: none }));
  const timed = steps.some((step) => step.days !== null);
  const items = steps.map((item, index) => step(item, index + 1, timed));
  const note = reckoning(card);
  return section(
    "steps-part",
    "步骤",
    duration(card),
    h("ol", { class: "steps", role: "list" }, ...items),
    note ? h("p", { class: "card-note", text: note }) : null,
  );
}

/** @param {import("../types.js").StepCard} card */
export function duration({ steps, total_days: total }) {
  return [`${steps.length} 步`, total === null ? "总时限未注明" : `预计 ${workdays(total)}`].join("，");
}

/**
 * Why the whole is not the sum of its steps: the row that decided may halve the usual times.
 * @param {import("../types.js").StepCard} card
 * @returns {string} "" where nothing has to be said
 */
export function reckoning({ steps, total_days: total, basis }) {
  if (total === null || steps.some((step) => step.days === null)) return "";
  const sum = steps.reduce((days, step) => days + Number(step.days), 0);
  if (Math.abs(sum - total) < 0.01) return "";
  const usual = `各步写的是通常时限，合计 ${workdays(Number(sum.toFixed(2)))}`;
  return `${usual}；按规则 ${basis.rows.join("、")}，全程预计 ${workdays(total)}。`;
}

/**
 * @param {import("../types.js").CardStep} item
 * @param {number} place counts from 1
 * @param {boolean} timed whether any step has a time; where none has, the gap is told once above
 */
function step({ name, role, days, notes }, place, timed) {
  return h(
    "li",
    { class: "step" },
    h("span", { class: "step-place", text: String(place) }),
    h(
      "div",
      { class: "step-main" },
      h("p", {}, h("span", { class: "step-name", text: name }), " ", h("span", { class: "step-role", text: role })),
      timed ? h("p", { class: days === null ? "step-days step-untimed" : "step-days", text: workdays(days) }) : null,
      notes ? h("p", { class: "step-notes", text: notes }) : null,
    ),
  );
}

/** The lines that say which revision a passage comes from, how that revision stands, and where in it the passage is. */

import { h } from "../dom.js";
import { day, places, standing } from "../wording.js";

/**
 * @param {import("../types.js").Standing & {revision: string}} source
 * @param {string} asOf
 */
export function provenance(source, asOf) {
  const from = day(source.effective_from);
  return h(
    "p",
    { class: "provenance" },
    statusTag(source, asOf),
    source.revision ? h("span", { text: source.revision }) : null,
    from ? h("span", { text: `${from}起施行` }) : null,
  );
}

/**
 * @param {import("../types.js").Standing} revision
 * @param {string} [asOf]
 */
export function statusTag(revision, asOf) {
  const { code, label } = standing(revision, asOf);
  return h("span", { class: `tag tag-${code}`, text: label });
}

/**
 * @param {{heading_path: string[], anchor?: import("../types.js").Anchor}} passage
 * @returns {?HTMLElement} null when the passage tells nothing
 */
export function whereabouts({ heading_path: path, anchor }) {
  const parts = [path.join(" › "), ...places(anchor)].filter(Boolean);
  return parts.length ? h("p", { class: "source-where" }, ...parts.map((text) => h("span", { text }))) : null;
}

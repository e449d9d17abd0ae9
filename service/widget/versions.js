/** The line of a document's revisions: which there are, from when to when, how each stands, which one is shown. */

import { h } from "./dom.js";
import { statusTag } from "./parts/provenance.js";
import { term } from "./wording.js";

/**
 * @param {import("./types.js").Revision[]} revisions the newest first
 * @param {string} shown the id of the one whose text is open
 * @param {(id: string) => void} onChoose
 * @returns {?HTMLElement} null where there is nothing to choose from
 */
export function versionLine(revisions, shown, onChoose) {
  if (revisions.length < 2) return null;
  const items = revisions.map((revision) => {
    const current = revision.id === shown;
    const choose = () => current || onChoose(revision.id);
    const marked = current ? { "aria-current": "true" } : {};
    const properties = { type: "button", class: "version", ...marked, on: { click: choose } };
    return h("li", {}, h("button", properties, ...naming(revision), current ? h("span", { text: "正在看" }) : null));
  });
  return h("nav", { class: "versions", "aria-label": "版本" }, h("ol", {}, ...items));
}

/**
 * Whether another revision came before this one.
 * @param {import("./types.js").Revision[]} revisions the newest first
 * @param {import("./types.js").Revision} revision
 */
export function hasPredecessor(revisions, { id, supersedes }) {
  return revisions.at(-1)?.id !== id || revisions.some((other) => other.id === supersedes);
}

/**
 * How a revision stands, its name and its term.
 * @param {import("./types.js").Revision} revision
 */
export function naming(revision) {
  const dates = term(revision);
  return [
    statusTag(revision),
    h("span", { class: "version-name", text: revision.label || revision.file_name }),
    dates ? h("span", { class: "version-term", text: dates }) : null,
  ];
}

/** Two revisions beside each other: changed blocks next to their counterpart, the changed words in them marked. */

import { h } from "./dom.js";
import { pieces } from "./locate.js";
import { naming } from "./versions.js";

const KINDS = { changed: "修改", added: "新增", removed: "删除" };
const OLDER = "前一版";
const NEWER = "这一版";

/**
 * @param {import("./types.js").Comparison} found
 * @returns {HTMLElement[]}
 */
export function comparisonView(found) {
  const pairs = h("ol", { class: "pairs" }, ...found.rows.map(pair));
  const text = h(
    "div",
    { class: "comparison-text", tabindex: "0", role: "region", "aria-label": "两版对照" },
    h("div", { class: "pair-heads" }, head(OLDER, found.left), head(NEWER, found.right)),
    pairs,
  );
  const note = found.note ? [h("p", { class: "source-missing", role: "status", text: found.note })] : [];
  return [summary(found.counts, pairs), ...note, text];
}

/**
 * @param {import("./types.js").Comparison["counts"]} counts
 * @param {HTMLElement} pairs
 */
function summary(counts, pairs) {
  const said = Object.entries(KINDS)
    .map(([kind, word]) => `${word} ${counts[/** @type {keyof typeof KINDS} */ (kind)]} 段`)
    .join("，");
  const changes = counts.changed + counts.added + counts.removed;
  const switching = { type: "checkbox", id: "only-changes", disabled: changes === 0 };
  const only = /** @type {HTMLInputElement} */ (h("input", switching));
  only.addEventListener("change", () => pairs.classList.toggle("only-changes", only.checked));
  return h(
    "div",
    { class: "comparison-bar" },
    h("p", { role: "status", text: changes ? said : "对照的部分文字相同" }),
    h("label", { class: "only", for: "only-changes" }, only, "只看变化"),
  );
}

/**
 * @param {string} which
 * @param {import("./types.js").Revision} revision
 */
function head(which, revision) {
  return h("p", { class: "provenance" }, h("span", { class: "pair-which", text: which }), ...naming(revision));
}

/** @param {import("./types.js").ComparedRow} row */
function pair({ kind, left, right }) {
  const word = kind === "same" ? null : h("p", { class: "pair-kind", text: KINDS[kind] });
  const sides = [side(OLDER, "del", left), side(NEWER, "ins", right)];
  return h("li", { class: `pair pair-${kind}` }, word, ...sides);
}

/**
 * @param {string} which
 * @param {"del"|"ins"} tag
 * @param {?import("./types.js").ComparedSide} found
 */
function side(which, tag, found) {
  if (!found) return h("div", { class: `side-text side-${tag} side-none` });
  const { kind, text, marks } = found;
  const block = { text, char_start: 0, char_end: Array.from(text).length };
  const cut = pieces(block, marks).map((piece) => (piece.marked ? h(tag, { text: piece.text }) : piece.text));
  return h(
    "div",
    { class: `side-text side-${tag}` },
    h("span", { class: "visually-hidden", text: `${which}：` }),
    h("p", { class: `block block-${kind}` }, ...cut),
  );
}

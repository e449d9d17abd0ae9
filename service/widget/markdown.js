/**
 * The small part of Markdown that answers use: headings, lists, tables, quotes, code, bold; and `[n]` citation
 * marks. Everything else, HTML and links included, stays the text it is, as does a mark behind a backslash.
 */

import { h } from "./dom.js";

/**
 * @typedef {Object} TextBlock
 * @property {"heading"|"list"|"table"|"quote"|"code"|"paragraph"} kind
 * @property {string[]} lines the source lines, without a code fence
 *
 * @typedef {(n: number) => Node} MarkRenderer draws the mark `[n]`
 */

const FENCE = /^\s*```/;
const HEADING = /^#{1,6}\s+/;
const ITEM = /^(\s*)(?:[-*•]|(\d{1,3})[.、)])\s+/;
const QUOTE = /^>\s?/;
const TABLE_ROW = /^\s*\|.*\|\s*$/;
const TABLE_RULE = /^\s*\|(?:\s*:?-+:?\s*\|)+\s*$/;
const INLINE = /\\([\\`*_[\]<>|#~])|`([^`]+)`|\*\*([^*]+)\*\*|\[(\d{1,3})\]/g;

/**
 * Text that is still being written, without the marks that have only begun: half a citation, half a table row;
 * an open bold is closed.
 * @param {string} text
 */
export function withoutLooseEnds(text) {
  const settled = text.replace(/\[\d{0,3}$/, "").replace(/(?:^|\n)\|[^\n]*$/, "").replace(/\*+$/, "");
  const lastLine = settled.slice(settled.lastIndexOf("\n") + 1);
  return (lastLine.split("**").length - 1) % 2 ? `${settled}**` : settled;
}

/**
 * @param {string} text
 * @returns {TextBlock[]}
 */
export function splitBlocks(text) {
  const lines = text.split("\n");
  /** @type {TextBlock[]} */
  const blocks = [];
  for (let at = 0; at < lines.length; ) {
    const block = takeBlock(lines, at);
    at = block.next;
    if (block.lines.length) blocks.push({ kind: block.kind, lines: block.lines });
  }
  return blocks;
}

/**
 * @param {string[]} lines
 * @param {number} at
 * @returns {TextBlock & {next: number}}
 */
function takeBlock(lines, at) {
  if (FENCE.test(lines[at])) {
    const close = lines.findIndex((line, index) => index > at && FENCE.test(line));
    const end = close < 0 ? lines.length : close; // an open fence is code still being written
    return { kind: "code", lines: lines.slice(at + 1, end), next: end + 1 };
  }
  if (HEADING.test(lines[at])) return { kind: "heading", lines: [lines[at]], next: at + 1 };
  const kind = kindAt(lines, at);
  let end = at;
  while (end < lines.length && continues(kind, lines, end, at)) end += 1;
  return { kind, lines: lines.slice(at, end).filter((line) => line.trim()), next: Math.max(end, at + 1) };
}

/**
 * @param {string[]} lines
 * @param {number} at
 * @returns {TextBlock["kind"]}
 */
function kindAt(lines, at) {
  if (TABLE_ROW.test(lines[at]) && TABLE_RULE.test(lines[at + 1] ?? "")) return "table";
  if (ITEM.test(lines[at])) return "list";
  return QUOTE.test(lines[at]) ? "quote" : "paragraph";
}

/**
 * @param {TextBlock["kind"]} kind
 * @param {string[]} lines
 * @param {number} at
 * @param {number} start
 */
function continues(kind, lines, at, start) {
  const line = lines[at];
  if (kind === "table") return TABLE_ROW.test(line);
  if (kind === "quote") return QUOTE.test(line);
  if (kind === "list") return ITEM.test(line) || (/^\s{2,}\S/.test(line) && at > start);
  if (at === start) return true;
  return line.trim() !== "" && !FENCE.test(line) && !HEADING.test(line) && kindAt(lines, at) === kind;
}

/**
 * @param {TextBlock} block
 * @param {MarkRenderer} mark
 * @returns {HTMLElement}
 */
export function renderBlock(block, mark) {
  if (block.kind === "code") return h("pre", { tabindex: "0" }, h("code", { text: block.lines.join("\n") }));
  if (block.kind === "table") return renderTable(block.lines, mark);
  if (block.kind === "list") return renderList(block.lines, mark);
  if (block.kind === "heading") return h("h4", {}, ...inline(block.lines[0].replace(HEADING, ""), mark));
  if (block.kind === "paragraph") return h("p", {}, ...textLines(block.lines, mark));
  return h("blockquote", {}, ...textLines(block.lines.map((line) => line.replace(QUOTE, "")), mark));
}

/**
 * @param {string[]} lines
 * @param {MarkRenderer} mark
 */
function textLines(lines, mark) {
  return lines.flatMap((line, index) => [...(index ? [h("br")] : []), ...inline(line, mark)]);
}

/**
 * @param {string} text
 * @param {MarkRenderer} mark
 * @returns {Node[]}
 */
export function inline(text, mark) {
  /** @type {Node[]} */
  const nodes = [];
  let end = 0;
  for (const match of text.matchAll(INLINE)) {
    if (match.index > end) nodes.push(document.createTextNode(text.slice(end, match.index)));
    const [whole, escaped, code, strong, number] = match;
    if (escaped) nodes.push(document.createTextNode(escaped));
    else if (code) nodes.push(h("code", { text: code }));
    else if (strong) nodes.push(h("strong", {}, ...inline(strong, mark)));
    else nodes.push(mark(Number(number)));
    end = match.index + whole.length;
  }
  if (end < text.length) nodes.push(document.createTextNode(text.slice(end)));
  return nodes;
}

/**
 * @param {string[]} lines
 * @param {MarkRenderer} mark
 */
function renderTable(lines, mark) {
  const head = cells(lines[0]).map((cell) => h("th", { scope: "col" }, ...inline(cell, mark)));
  const rows = lines.slice(2).map((line) => cells(line).map((cell) => h("td", {}, ...inline(cell, mark))));
  const body = h("tbody", {}, ...rows.map((row) => h("tr", {}, ...row)));
  const table = h("table", {}, h("thead", {}, h("tr", {}, ...head)), body);
  return h("div", { class: "table-scroll", tabindex: "0", role: "region", "aria-label": "表格" }, table);
}

/** @param {string} row */
function cells(row) {
  const inner = row.trim().slice(1, -1);
  return inner.split("|").map((cell) => cell.trim());
}

/**
 * Lists nest by indentation; a line without a bullet goes on with the item above.
 * @param {string[]} lines
 * @param {MarkRenderer} mark
 */
function renderList(lines, mark) {
  /** @type {{indent: number, list: HTMLElement}[]} */
  const open = [];
  for (const line of lines) {
    const item = ITEM.exec(line);
    if (!item) {
      open.at(-1)?.list.lastElementChild?.append(h("br"), ...inline(line.trim(), mark));
      continue;
    }
    const [bullet, space, number] = item;
    while (open.length > 1 && space.length < open[open.length - 1].indent) open.pop();
    if (!open.length || space.length > open[open.length - 1].indent) {
      const list = h(number ? "ol" : "ul", { start: number && number !== "1" ? number : null });
      open.at(-1)?.list.lastElementChild?.append(list);
      open.push({ indent: space.length, list });
    }
    open[open.length - 1].list.append(h("li", {}, ...inline(line.slice(bullet.length), mark)));
  }
  return open[0].list;
}

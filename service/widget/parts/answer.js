/** The answer's text as it streams in, with its citation marks as numbered chips. */

import { h } from "../dom.js";
import { renderBlock, splitBlocks } from "../markdown.js";

/** @type {import("./index.js").Part} */
export const answer = {
  events: {
    delta(turn, data) {
      if (turn.refusal) return;
      turn.state = "streaming";
      turn.text += data.text;
      drawSoon(turn);
    },

    citation(turn, data) {
      turn.citations.push(data);
      nameChips(turn);
    },

    done(turn, data) {
      turn.state = "done";
      if (data.answer && !turn.refusal) turn.text = data.answer;
      if (data.citations?.length) turn.citations = data.citations;
      drawNow(turn);
      turn.slots.body.querySelectorAll(".chip").forEach((chip) => settle(turn, /** @type {HTMLElement} */ (chip)));
      nameChips(turn);
    },

    error: drawNow,
    stopped: drawNow,
  },

  replay: (message) => (message.refusal ? [] : [["delta", { text: message.text }]]),
};

/**
 * Deltas come faster than the screen is drawn; one drawing a frame is enough.
 * @param {import("./index.js").Turn} turn
 */
function drawSoon(turn) {
  turn.frame ||= requestAnimationFrame(() => drawNow(turn));
}

/**
 * Redraws only the blocks that changed, so that focus and selection in the finished ones survive.
 * @param {import("./index.js").Turn} turn
 */
function drawNow(turn) {
  cancelAnimationFrame(turn.frame);
  turn.frame = 0;
  const body = turn.slots.body;
  const sources = turn.text ? splitBlocks(turn.text) : [];
  sources.forEach((block, index) => {
    const key = `${block.kind}\n${block.lines.join("\n")}`;
    const old = /** @type {HTMLElement|undefined} */ (body.children[index]);
    if (turn.drawn[index] === key && old) return;
    const fresh = renderBlock(block, (n) => chip(turn, n));
    if (old) old.replaceWith(fresh);
    else body.append(fresh);
    turn.drawn[index] = key;
  });
  while (body.children.length > sources.length) body.lastElementChild?.remove();
  turn.drawn.length = sources.length;
  turn.app.grown();
}

/**
 * @param {import("./index.js").Turn} turn
 * @param {number} n
 */
function chip(turn, n) {
  const open = () => turn.app.openSource(turn, n);
  return h("button", { type: "button", class: "chip", "data-n": n, "aria-label": chipName(turn, n), on: { click: open } }, String(n));
}

/** @param {import("./index.js").Turn} turn */
function nameChips(turn) {
  turn.slots.body.querySelectorAll(".chip").forEach((element) => {
    const name = chipName(turn, Number(element.getAttribute("data-n")));
    element.setAttribute("aria-label", name);
    element.setAttribute("title", name);
  });
}

/**
 * A mark that no citation stands behind is shown as the text it is: it must not look like evidence.
 * @param {import("./index.js").Turn} turn
 * @param {HTMLElement} element
 */
function settle(turn, element) {
  const n = Number(element.dataset.n);
  if (!turn.citations.some((citation) => citation.n === n)) element.replaceWith(`[${n}]`);
}

/**
 * @param {import("./index.js").Turn} turn
 * @param {number} n
 */
function chipName(turn, n) {
  const source = turn.citations.find((item) => item.n === n) ?? turn.references.find((item) => item.n === n);
  return source ? `来源 ${n}：《${source.document_name}》` : `来源 ${n}`;
}

/** The answer's text as it streams in, with its citation marks as numbered chips. */

import { h } from "../dom.js";
import { renderBlock, splitBlocks, withoutLooseEnds } from "../markdown.js";

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
      turn.state = data.stopped ? "stopped" : "done";
      if (data.answer && !turn.refusal) turn.text = data.answer;
      if (data.citations?.length) turn.citations = data.citations;
      drawNow(turn);
      settle(turn);
      nameChips(turn);
    },

    error: drawNow,
    stopped: drawNow,
  },
};

/**
 * Deltas come faster than the screen is drawn; one drawing a frame is enough.
 * @param {import("./index.js").Turn} turn
 */
function drawSoon(turn) {
  turn.frame ||= requestAnimationFrame(() => {
    drawNow(turn);
    turn.app.grown(turn);
  });
}

/**
 * Redraws only the blocks that changed, so that focus and selection in the finished ones survive.
 * @param {import("./index.js").Turn} turn
 */
function drawNow(turn) {
  cancelAnimationFrame(turn.frame);
  turn.frame = 0;
  const { body } = turn.slots;
  const blocks = splitBlocks(turn.state === "done" ? turn.text : withoutLooseEnds(turn.text));
  blocks.forEach((block, index) => {
    const key = [block.kind, ...block.lines].join("\n");
    if (turn.drawn[index] === key) return;
    turn.drawn[index] = key;
    const fresh = renderBlock(block, (n) => citationChip(turn, n));
    if (index < body.children.length) body.children[index].replaceWith(fresh);
    else body.append(fresh);
  });
  while (body.children.length > blocks.length) body.lastElementChild?.remove();
  turn.drawn.length = blocks.length;
}

/**
 * A mark that no citation stands behind becomes text once the answer is over: it must not look like evidence.
 * @param {import("./index.js").Turn} turn
 */
function settle(turn) {
  for (const chip of turn.slots.body.querySelectorAll(".chip")) {
    const n = Number(chip.getAttribute("data-n"));
    if (!turn.citations.some((citation) => citation.n === n)) chip.replaceWith(`[${n}]`);
  }
}

/**
 * @param {import("./index.js").Turn} turn
 * @param {number} n
 */
export function citationChip(turn, n) {
  const open = () => turn.app.openSource(turn, n);
  return h("button", { type: "button", class: "chip", "data-n": n, on: { click: open } }, String(n));
}

/**
 * Says of every chip, wherever in the answer it stands, what it opens.
 * @param {import("./index.js").Turn} turn
 */
export function nameChips(turn) {
  turn.element.querySelectorAll(".chip").forEach((chip) => {
    const n = Number(chip.getAttribute("data-n"));
    const source = [...turn.citations, ...turn.references].find((item) => item.n === n);
    const name = source ? `来源 ${n}：《${source.document_name}》` : `来源 ${n}`;
    chip.setAttribute("aria-label", name);
    chip.setAttribute("title", name);
  });
}

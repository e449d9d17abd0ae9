/** Quick replies below the newest answer: pressed instead of typed, and closed once something else was sent. */

import { h, icon } from "../dom.js";

/** Where a key moves the focus, from the place it has and the number of places. */
const MOVES = {
  ArrowRight: (/** @type {number} */ at, /** @type {number} */ count) => (at + 1) % count,
  ArrowDown: (/** @type {number} */ at, /** @type {number} */ count) => (at + 1) % count,
  ArrowLeft: (/** @type {number} */ at, /** @type {number} */ count) => (at + count - 1) % count,
  ArrowUp: (/** @type {number} */ at, /** @type {number} */ count) => (at + count - 1) % count,
  Home: () => 0,
  End: (/** @type {number} */ _at, /** @type {number} */ count) => count - 1,
};

/** @type {import("./index.js").Part} */
export const chips = {
  events: {
    chips(turn, data) {
      turn.chips = data.chips;
    },

    /** Not before: while an answer is being written, nothing can be sent. */
    done(turn, data) {
      if (turn.chips.length && !data.stopped) turn.slots.chips.replaceChildren(toolbar(turn));
    },

    overtaken: close,
  },

  replay: (message) => (message.chips?.length ? [["chips", { chips: message.chips }]] : []),
};

/** @param {import("./index.js").Turn} turn */
function toolbar(turn) {
  const buttons = turn.chips.map((chip, index) => reply(turn, chip, index === 0));
  const walking = { keydown: (/** @type {KeyboardEvent} */ event) => walk(buttons, event) };
  const properties = { class: "quick-replies", role: "toolbar", "aria-label": "快捷回答", on: walking };
  return h("div", properties, ...buttons);
}

/**
 * @param {import("./index.js").Turn} turn
 * @param {import("../types.js").Chip} chip
 * @param {boolean} reached by Tab; the arrow keys reach the others
 */
function reply(turn, { label, send, mode }, reached) {
  const press = () => {
    button.classList.add("quick-chosen");
    button.prepend(icon("check"));
    turn.app.ask(send, mode);
  };
  const properties = { type: "button", class: "quick-reply", tabindex: reached ? "0" : "-1" };
  const button = h("button", { ...properties, on: { click: press } }, h("span", { text: label }));
  return button;
}

/**
 * @param {HTMLElement[]} buttons
 * @param {KeyboardEvent} event
 */
function walk(buttons, event) {
  const move = MOVES[/** @type {keyof typeof MOVES} */ (event.key)];
  if (!move) return;
  event.preventDefault();
  event.stopPropagation(); // for the page, these keys scroll
  const next = move(buttons.indexOf(/** @type {HTMLElement} */ (document.activeElement)), buttons.length);
  buttons.forEach((button, index) => button.setAttribute("tabindex", index === next ? "0" : "-1"));
  buttons[next].focus();
}

/**
 * What was chosen stays to be seen as long as the page lives; restored answers show no old choices.
 * @param {import("./index.js").Turn} turn
 */
function close(turn) {
  const { chips: slot } = turn.slots;
  const focused = slot.contains(document.activeElement);
  if (!turn.live) slot.replaceChildren();
  slot.querySelectorAll("button").forEach((button) => {
    button.disabled = true;
  });
  if (focused) turn.app.focusBox();
}

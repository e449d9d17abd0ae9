/** The box a question is typed into, the day it shall hold for, and the button that sends or stops. */

import { byId, icon } from "./dom.js";
import { day, today } from "./wording.js";

/** What browsers report as `keyCode` while an input method composes; Enter then picks a word. */
const COMPOSING = 229;

/**
 * @param {Object} parts
 * @param {ReturnType<typeof import("./state.js").createState>} parts.state
 * @param {(text: string) => void} parts.onAsk
 * @param {() => void} parts.onStop
 */
export function createComposer({ state, onAsk, onStop }) {
  const form = /** @type {HTMLFormElement} */ (byId("composer"));
  const input = /** @type {HTMLTextAreaElement} */ (byId("question"));
  const button = /** @type {HTMLButtonElement} */ (byId("send"));

  function submit() {
    const text = input.value.trim();
    if (!text || state.get().answering) return;
    input.value = "";
    fit();
    onAsk(text);
  }

  function fit() {
    input.rows = Math.min(6, input.value.split("\n").length);
    button.disabled = !state.get().answering && !input.value.trim();
  }

  form.addEventListener("submit", (event) => {
    event.preventDefault();
    if (state.get().answering) onStop();
    else submit();
  });
  input.addEventListener("input", fit);
  input.addEventListener("keydown", (event) => {
    if (event.key !== "Enter" || event.shiftKey || event.isComposing || event.keyCode === COMPOSING) return;
    event.preventDefault();
    submit();
  });
  state.watch(({ answering }) => {
    const label = answering ? "停止" : "发送";
    button.setAttribute("aria-label", label);
    button.title = label;
    button.classList.toggle("send-stop", answering);
    button.replaceChildren(icon(answering ? "stop" : "send"));
    fit();
  });
  createAsOf(state);
  return {
    /** Not on touch screens, where the keyboard would cover the page. */
    focus() {
      if (window.matchMedia("(hover: hover)").matches) input.focus();
    },
    skipTo: () => input.focus(),
  };
}

/** @param {ReturnType<typeof import("./state.js").createState>} state */
function createAsOf(state) {
  const toggle = byId("as-of-toggle");
  const field = byId("as-of-field");
  const input = /** @type {HTMLInputElement} */ (byId("as-of"));

  /** @param {boolean} open */
  function show(open) {
    field.hidden = !open;
    toggle.setAttribute("aria-expanded", String(open));
    (open ? input : toggle).focus();
  }

  toggle.addEventListener("click", () => show(field.hidden));
  input.addEventListener("change", () => state.set({ asOf: input.value === today() ? "" : input.value }));
  byId("as-of-reset").addEventListener("click", () => {
    input.value = "";
    state.set({ asOf: "" });
    show(false);
  });
  state.watch(({ asOf }) => {
    byId("as-of-label").textContent = asOf ? `按 ${day(asOf)} 的规定回答` : "按今天有效的规定回答";
    toggle.classList.toggle("as-of-past", asOf !== "");
  });
}

/** What is going on while the reader waits: one line above the answer, gone once there is something to read. */

import { h } from "../dom.js";

/** @type {import("./index.js").Part} */
export const progress = {
  events: {
    asked: (turn) => show(turn, "正在查找资料…"),
    references: (turn, data) => turn.live && turn.state === "waiting" && show(turn, reading(data.references)),
    reconnecting: (turn) => show(turn, "连接中断，正在续传…"),
    delta: clear,
    refusal: clear,
    done: clear,
    error: clear,
    stopped: clear,
  },
};

/** @param {import("../types.js").Reference[]} references */
function reading(references) {
  const names = [...new Set(references.map((reference) => `《${reference.document_name}》`))];
  if (!names.length) return "没有找到直接相关的资料，正在确认…";
  return `正在阅读${names.slice(0, 2).join("、")}${names.length > 2 ? ` 等 ${names.length} 份资料` : ""}…`;
}

/**
 * @param {import("./index.js").Turn} turn
 * @param {string} text
 */
function show(turn, text) {
  const dots = h("span", { class: "dots", "aria-hidden": "true" }, h("i"), h("i"), h("i"));
  turn.slots.progress.replaceChildren(h("p", { class: "progress" }, dots, text));
  turn.app.announce(text);
}

/** @param {import("./index.js").Turn} turn */
function clear(turn) {
  turn.slots.progress.replaceChildren();
}

/** What is going on while the reader waits: one line above the answer, gone once there is something to read. */

import { h } from "../dom.js";

/** @type {import("./index.js").Part} */
export const progress = {
  events: {
    asked: (turn) => show(turn, "正在查找资料…"),
    meta: (turn) => turn.state === "waiting" && show(turn, "正在查找资料…"),
    references(turn, data) {
      if (turn.state !== "waiting") return;
      const names = [...new Set(data.references.map((/** @type {any} */ reference) => `《${reference.document_name}》`))];
      const more = names.length > 2 ? ` 等 ${names.length} 份资料` : "";
      show(turn, names.length ? `正在阅读${names.slice(0, 2).join("、")}${more}…` : "没有找到直接相关的资料，正在确认…");
    },
    reconnecting: (turn) => show(turn, "连接中断，正在续传…"),
    delta: clear,
    refusal: clear,
    done: clear,
    error: clear,
    stopped: clear,
  },
};

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

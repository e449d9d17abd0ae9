/** An answer that broke off: what happened, and the way on. */

import { h, icon } from "../dom.js";

/** @type {import("./index.js").Part} */
export const failure = {
  events: {
    error(turn, data) {
      turn.state = "failed";
      const number = data.request_id ? h("span", { class: "request-id", text: `请求编号 ${data.request_id}` }) : null;
      const retry = h("button", { type: "button", class: "button", on: { click: () => turn.app.retry(turn) } }, icon("retry"), "重试");
      turn.slots.failure.replaceChildren(h("div", { class: "failure", role: "alert" },
        h("p", {}, icon("warning"), h("span", { text: data.message })), h("div", { class: "failure-actions" }, retry, number)));
    },

    stopped(turn) {
      turn.state = "stopped";
      const goOn = turn.position.messageId
        ? h("button", { type: "button", class: "button", on: { click: () => turn.app.goOn(turn) } }, icon("play"), "继续")
        : null;
      const again = h("button", { type: "button", class: "button", on: { click: () => turn.app.retry(turn) } }, icon("retry"), "重新提问");
      turn.slots.failure.replaceChildren(h("div", { class: "stopped" }, h("p", { text: "已停止接收回答。" }), goOn, again));
    },

    asked: clear,
    delta: clear,
    done: clear,
  },
};

/** @param {import("./index.js").Turn} turn */
function clear(turn) {
  turn.slots.failure.replaceChildren();
}

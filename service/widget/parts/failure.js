/** An answer that broke off: what happened, and the way on. */

import { h, icon } from "../dom.js";

/** @type {import("./index.js").Part} */
export const failure = {
  events: {
    error(turn, { message, request_id: number }) {
      turn.state = "failed";
      const retry = button("retry", "重试", () => turn.app.retry(turn));
      const origin = number ? h("span", { class: "request-id", text: `请求编号 ${number}` }) : null;
      turn.slots.failure.replaceChildren(
        h(
          "div",
          { class: "failure", role: "alert" },
          h("p", {}, icon("warning"), h("span", { text: message })),
          h("div", { class: "failure-actions" }, turn.question ? retry : null, origin),
        ),
      );
    },

    stopped(turn) {
      turn.state = "stopped";
      const goOn = turn.position.messageId ? button("play", "继续", () => turn.app.goOn(turn)) : null;
      const again = button("retry", "重新提问", () => turn.app.retry(turn));
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

/**
 * @param {string} picture
 * @param {string} label
 * @param {() => void} onClick
 */
function button(picture, label, onClick) {
  return h("button", { type: "button", class: "button", on: { click: onClick } }, icon(picture), label);
}

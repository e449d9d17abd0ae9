/** An answer that broke off: what happened, and the way on. */

import { h, icon } from "../dom.js";

/** @type {import("./index.js").Part} */
export const failure = {
  events: {
    error(turn, { code, message, request_id: number }) {
      turn.state = "failed";
      const retry = turn.question ? button("retry", "重试", () => turn.app.retry(turn)) : null;
      const broken = code === "stream_dropped" && turn.position.messageId; // the service goes on writing meanwhile
      const goOn = broken ? button("play", "继续接收", () => turn.app.goOn(turn)) : null;
      const origin = number ? h("span", { class: "request-id", text: `请求编号 ${number}` }) : null;
      turn.slots.failure.replaceChildren(
        h(
          "div",
          { class: "failure", role: "alert" },
          h("p", {}, icon("warning"), h("span", { text: message })),
          h("div", { class: "failure-actions" }, goOn, retry, origin),
        ),
      );
    },

    stopped,
    done: (turn, data) => (data.stopped ? stopped(turn) : clear(turn)),
    asked: clear,
  },
};

/** @param {import("./index.js").Turn} turn */
function stopped(turn) {
  turn.state = "stopped";
  if (turn.live) turn.app.announce("回答已停止");
  const again = turn.question ? button("retry", "重新提问", () => turn.app.retry(turn)) : null;
  turn.slots.failure.replaceChildren(h("div", { class: "stopped" }, h("p", { text: "回答已停止。" }), again));
}

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

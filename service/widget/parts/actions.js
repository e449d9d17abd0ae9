/** What can be done with a finished answer: copy it, say whether it helped. */

import { copyText } from "../clipboard.js";
import { h, icon, iconButton } from "../dom.js";

const CONFIRMED_MS = 1600;

/** @type {import("./index.js").Part} */
export const actions = {
  events: {
    feedback(turn, data) {
      turn.rating = data.rating ?? "";
    },

    done(turn) {
      const rating = h(
        "div",
        { class: "rating", role: "group", "aria-label": "这条回答有帮助吗" },
        rateButton(turn, "like", "有帮助", "thumb-up"),
        rateButton(turn, "dislike", "没有帮助", "thumb-down"),
      );
      turn.slots.actions.replaceChildren(...(turn.text ? [copyButton(turn)] : []), rating);
      mark(turn);
    },
  },

  replay: (message) => [["feedback", { rating: ratingOf(message.feedback) }]],
};

/** @param {any} feedback a rating, or an object that holds it */
function ratingOf(feedback) {
  return typeof feedback === "object" ? feedback?.rating : feedback;
}

/** @param {import("./index.js").Turn} turn */
function copyButton(turn) {
  const button = iconButton("copy", "复制回答", async () => {
    const copied = await copyText(withSources(turn));
    turn.app.toast(copied ? "已复制回答和出处" : "浏览器不允许复制，请手动选择文字");
    if (!copied) return;
    button.replaceChildren(icon("check"));
    setTimeout(() => button.replaceChildren(icon("copy")), CONFIRMED_MS);
  });
  return button;
}

/** @param {import("./index.js").Turn} turn */
function withSources({ text, citations }) {
  const quoted = citations.map((citation) => {
    const revision = citation.revision ? `（${citation.revision}）` : "";
    return `[${citation.n}] 《${citation.document_name}》${revision}：${citation.quote}`;
  });
  return quoted.length ? [text, "", "参考来源", ...quoted].join("\n") : text;
}

/**
 * @param {import("./index.js").Turn} turn
 * @param {"like"|"dislike"} rating
 * @param {string} label
 * @param {string} picture
 */
function rateButton(turn, rating, label, picture) {
  const button = iconButton(picture, label, () => rate(turn, rating));
  button.dataset.rating = rating;
  return button;
}

/** @param {import("./index.js").Turn} turn */
function mark(turn) {
  turn.slots.actions.querySelectorAll("[data-rating]").forEach((button) => {
    button.setAttribute("aria-pressed", String(button.getAttribute("data-rating") === turn.rating));
  });
}

/**
 * @param {import("./index.js").Turn} turn
 * @param {"like"|"dislike"} rating
 * @param {string} [comment]
 */
async function rate(turn, rating, comment = "") {
  const before = turn.rating;
  turn.rating = rating;
  mark(turn);
  try {
    await turn.app.api.feedback(turn.position.messageId, { rating, comment });
    turn.app.toast(comment ? "感谢补充" : "已记录您的反馈");
    turn.slots.comment.replaceChildren(...(rating === "dislike" && !comment ? [commentForm(turn)] : []));
  } catch (error) {
    turn.rating = before;
    mark(turn);
    turn.app.toast(/** @type {Error} */ (error).message);
  }
}

/** @param {import("./index.js").Turn} turn */
function commentForm(turn) {
  const field = /** @type {HTMLInputElement} */ (
    h("input", { type: "text", maxlength: "500", placeholder: "哪里不对？（选填）", "aria-label": "哪里不对" })
  );
  const send = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (field.value.trim()) rate(turn, "dislike", field.value.trim());
  };
  const button = h("button", { type: "submit", class: "button" }, "提交");
  return h("form", { class: "comment", on: { submit: send } }, field, button);
}

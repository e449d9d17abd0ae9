/** What can be done with a finished answer: copy it, say whether it helped. */

import { copyText } from "../clipboard.js";
import { h, icon, iconButton } from "../dom.js";

const RATINGS = /** @type {const} */ ([["like", "有帮助", "thumb-up"], ["dislike", "没有帮助", "thumb-down"]]);

/** @type {import("./index.js").Part} */
export const actions = {
  events: {
    done(turn) {
      const copy = turn.refusal ? null : iconButton("copy", "复制回答", () => copyAnswer(turn, copy));
      const rating = h("div", { class: "rating", role: "group", "aria-label": "这条回答有帮助吗" },
        ...RATINGS.map(([value, label, picture]) => rateButton(turn, value, label, picture)));
      turn.slots.actions.replaceChildren(...(copy ? [copy, rating] : [rating]));
      mark(turn);
    },

    feedback(turn, data) {
      turn.rating = data.rating ?? "";
    },
  },

  replay: (message) => [["feedback", { rating: ratingOf(message.feedback) }]],
};

/** @param {any} feedback a rating, or an object that holds it */
function ratingOf(feedback) {
  return typeof feedback === "object" ? feedback?.rating : feedback;
}

/**
 * @param {import("./index.js").Turn} turn
 * @param {HTMLElement|null} button
 */
async function copyAnswer(turn, button) {
  const quoted = turn.citations.map((citation) => `[${citation.n}] 《${citation.document_name}》${citation.revision ?? ""}：${citation.quote}`);
  const copied = await copyText([turn.text, ...(quoted.length ? ["", "参考来源", ...quoted] : [])].join("\n"));
  turn.app.toast(copied ? "已复制回答" : "浏览器不允许复制，请手动选择文字");
  if (!copied || !button) return;
  button.replaceChildren(icon("check"));
  setTimeout(() => button.replaceChildren(icon("copy")), 1600);
}

/**
 * @param {import("./index.js").Turn} turn
 * @param {"like"|"dislike"} value
 * @param {string} label
 * @param {string} picture
 */
function rateButton(turn, value, label, picture) {
  const button = iconButton(picture, label, () => rate(turn, value));
  button.dataset.rating = value;
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
 * @param {"like"|"dislike"} value
 * @param {string} [comment]
 */
async function rate(turn, value, comment = "") {
  const before = turn.rating;
  turn.rating = value;
  mark(turn);
  try {
    await turn.app.api.feedback(turn.messageId, { rating: value, comment });
    turn.app.toast(comment ? "感谢补充" : "已记录您的反馈");
    turn.slots.comment.replaceChildren(...(value === "dislike" && !comment ? [commentForm(turn)] : []));
  } catch (error) {
    turn.rating = before;
    mark(turn);
    turn.app.toast(/** @type {Error} */ (error).message);
  }
}

/** @param {import("./index.js").Turn} turn */
function commentForm(turn) {
  const field = /** @type {HTMLInputElement} */ (h("input", { type: "text", maxlength: "500", placeholder: "哪里不对？（选填）", "aria-label": "哪里不对" }));
  const send = (/** @type {Event} */ event) => {
    event.preventDefault();
    if (field.value.trim()) rate(turn, "dislike", field.value.trim());
  };
  return h("form", { class: "comment", on: { submit: send } }, field, h("button", { type: "submit", class: "button" }, "提交"));
}

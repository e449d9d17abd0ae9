/** Who answered, for which day, and how the question was understood. */

import { h } from "../dom.js";
import { day, engineName, today } from "../wording.js";

/** Answers that rest on no regulation, so that no day can be named for them. */
const TIMELESS = new Set(["status", "unclear", "other", "minutes"]);

/** @type {import("./index.js").Part} */
export const meta = {
  events: {
    meta(turn, data) {
      turn.position.messageId = data.message_id ?? turn.position.messageId;
      turn.asOf = data.as_of ?? "";
      turn.intent = data.intent ?? "";
      turn.app.conversationKnown(data.conversation_id, turn.question);
      turn.answeredOn = data.answered_on ?? today();
      turn.slots.byline.replaceChildren(...byline(data.engine, turn));
      const rewritten = data.question && data.question.trim() !== turn.question.trim();
      const understood = h("p", { class: "understood", text: `理解为：${data.question}` });
      turn.slots.notice.replaceChildren(...(rewritten ? [understood] : []));
    },

    done(turn, data) {
      turn.position.messageId = data.message_id ?? turn.position.messageId;
      if (data.engine) turn.slots.byline.replaceChildren(...byline(data.engine, turn), ...again(data.cached));
    },
  },

  replay({ id, engine, as_of, intent, created_at: created }) {
    return [["meta", { message_id: id, engine, as_of, intent, answered_on: today(new Date(created)) }]];
  },
};

/** @param {boolean|undefined} cached the same was asked before, and nothing it rests on has changed */
function again(cached) {
  return cached ? [h("span", { class: "holds", text: "与上次同问，沿用上次的回答" })] : [];
}

/**
 * The day stands out when it is another than the day of asking.
 * @param {?string|undefined} engine
 * @param {import("./index.js").Turn} turn
 */
function byline(engine, { asOf, answeredOn, intent }) {
  const name = h("span", { class: "badge", title: "生成这条回答的引擎", text: engineName(engine ?? "") });
  const another = asOf && asOf !== answeredOn;
  const holds = { class: another ? "badge badge-asof" : "holds", text: `按 ${day(asOf || answeredOn)} 有效的规定` };
  return [...(engine ? [name] : []), ...(TIMELESS.has(intent) ? [] : [h("span", holds)])];
}

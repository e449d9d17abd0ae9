/** Who answered, for which day, and how the question was understood. */

import { h } from "../dom.js";
import { day, engineName, today } from "../wording.js";

/** @type {import("./index.js").Part} */
export const meta = {
  events: {
    meta(turn, data) {
      turn.messageId = data.message_id ?? turn.messageId;
      turn.asOf = data.as_of ?? "";
      turn.app.conversationKnown(data.conversation_id, turn.question);
      turn.slots.byline.replaceChildren(...byline(data.engine, turn.asOf));
      const rewritten = data.question && data.question.trim() !== turn.question.trim();
      const understood = h("p", { class: "understood", text: `理解为：${data.question}` });
      turn.slots.notice.replaceChildren(...(rewritten ? [understood] : []));
    },

    done(turn, data) {
      turn.messageId = data.message_id ?? turn.messageId;
      if (data.engine) turn.slots.byline.replaceChildren(...byline(data.engine, turn.asOf));
    },
  },

  replay: (message) => [["meta", { message_id: message.id, engine: message.engine, as_of: message.as_of }]],
};

/**
 * @param {?string|undefined} engine
 * @param {string} asOf
 */
function byline(engine, asOf) {
  const another = asOf !== today();
  const facts = [
    engine ? h("span", { class: "badge", title: "生成这条回答的引擎", text: engineName(engine) }) : null,
    asOf ? h("span", { class: another ? "badge badge-asof" : "holds", text: `按 ${day(asOf)} 有效的规定` }) : null,
  ];
  return facts.filter((node) => node !== null);
}

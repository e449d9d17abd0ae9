/** The open conversation: asking, following the answer, stopping, retrying, and opening an earlier one. */

import { ApiError } from "./api.js";
import { h, icon } from "./dom.js";
import { draw, replay } from "./parts/index.js";
import { followAnswer } from "./stream.js";
import { apply, createTurn } from "./turn.js";

/** Why receiving ended when the reader went elsewhere: the answer itself was not stopped. */
const LEFT = "left";

/**
 * @typedef {import("./turn.js").Turn} Turn
 * @typedef {ReturnType<typeof import("./state.js").createState>} State
 */

/**
 * @param {Object} parts
 * @param {HTMLElement} parts.list
 * @param {State} parts.state
 * @param {import("./turn.js").TurnApp} parts.app
 * @param {ReturnType<typeof import("./scroll.js").createScroll>} parts.scroll
 * @param {() => void} parts.onEmpty an opened conversation holds nothing
 */
export function createThread({ list, state, app, scroll, onEmpty }) {
  /** @type {?AbortController} the answer or the history being received */
  let receiving = null;
  /** @type {?Turn} the turn being answered */
  let answering = null;
  /** @type {?Turn} the turn whose quick replies can be pressed */
  let newest = null;

  /**
   * @param {Turn} turn
   * @param {(signal: AbortSignal) => Promise<Response>} open
   */
  async function follow(turn, open) {
    receiving?.abort();
    const mine = new AbortController();
    receiving = mine;
    state.set({ answering: true });
    answering = turn;
    turn.state = "waiting";
    turn.live = true;
    apply(turn, "asked");
    try {
      const events = followAnswer(app.api, () => open(mine.signal), turn.position, mine.signal);
      for await (const { event, data } of events) {
        if (mine.signal.aborted) break;
        apply(turn, event, data);
      }
      if (turn.state === "done") app.announce(spoken(turn));
    } catch (error) {
      if (!mine.signal.aborted) apply(turn, "error", described(error));
    } finally {
      if (mine.signal.aborted && mine.signal.reason !== LEFT) apply(turn, "stopped");
      if (receiving === mine) {
        receiving = null;
        answering = null;
        state.set({ answering: false });
      }
    }
  }

  /** Turns away from what is being received. The service goes on writing; the answer is found in the history. */
  function leave() {
    receiving?.abort(LEFT);
    receiving = null;
    answering = null;
    state.set({ answering: false });
  }

  /**
   * @param {string} message
   * @param {string} [mode]
   */
  function ask(message, mode) {
    const turn = createTurn(message, app, mode);
    list.append(turn.element);
    scroll.goTo(turn.element);
    return start(turn);
  }

  /** @param {Turn} turn */
  function start(turn) {
    if (newest) draw(newest, "overtaken", {});
    newest = turn;
    const { conversationId, asOf } = state.get();
    const where = { conversation_id: conversationId || undefined, as_of: asOf || undefined };
    const question = { message: turn.question, mode: turn.mode, ...where };
    return follow(turn, (signal) => app.api.chat(question, signal));
  }

  /** @param {Turn} turn */
  function retry(turn) {
    const fresh = createTurn(turn.question, app, turn.mode);
    turn.element.replaceWith(fresh.element);
    return start(fresh);
  }

  /** @param {Turn} turn */
  const goOn = (turn) => follow(turn, (signal) => app.api.resume(turn.position, signal));

  /** @param {string} id */
  async function open(id) {
    leave();
    const mine = new AbortController();
    receiving = mine;
    list.replaceChildren(h("p", { class: "thread-note", text: "正在打开对话…" }));
    try {
      const { items } = await app.api.messages(id);
      if (!mine.signal.aborted) show(items);
    } catch (error) {
      if (!mine.signal.aborted) list.replaceChildren(broken(id, described(error).message));
    }
  }

  /** @param {import("./types.js").StoredMessage[]} items */
  function show(items) {
    receiving = null;
    const turns = paired(items).map(({ question, answer }) => ({ turn: createTurn(question, app), answer }));
    list.replaceChildren(...turns.map(({ turn }) => turn.element));
    for (const { turn, answer } of turns) restore(turn, answer);
    newest = turns.at(-1)?.turn ?? null;
    for (const { turn } of turns) if (turn !== newest) draw(turn, "overtaken", {});
    if (newest) scroll.goTo(newest.element);
    else onEmpty();
  }

  /**
   * An answer that is still being written is followed from its beginning.
   * @param {Turn} turn
   * @param {?import("./types.js").StoredMessage} answer
   */
  function restore(turn, answer) {
    if (!answer || answer.state === "failed") apply(turn, "error", { message: "这个问题没有得到回答。" });
    else if (answer.state === "streaming") {
      turn.position.messageId = answer.id;
      goOn(turn);
    } else replay(turn, answer);
  }

  /** The service is told, and closes the answer with what was said so far; unreachable, it is left alone. */
  async function stop() {
    const mine = receiving;
    const messageId = answering?.position.messageId;
    try {
      if (messageId && (await app.api.stop(messageId))) return;
    } catch (error) {
      app.toast(described(error).message);
    }
    mine?.abort();
  }

  /**
   * @param {string} id
   * @param {string} message
   */
  function broken(id, message) {
    const again = h("button", { type: "button", class: "button", on: { click: () => open(id) } });
    again.append(icon("retry"), "重试");
    return h("div", { class: "thread-note", role: "alert" }, h("p", { text: message }), again);
  }

  return {
    ask, retry, goOn, open, stop,
    clear() {
      leave();
      newest = null;
      list.replaceChildren();
    },
  };
}

/** @param {import("./types.js").StoredMessage[]} items */
function paired(items) {
  /** @type {{question: string, answer: ?import("./types.js").StoredMessage}[]} */
  const pairs = [];
  for (const item of items) {
    const last = pairs.at(-1);
    if (item.role === "user") pairs.push({ question: item.text, answer: null });
    else if (last && !last.answer) last.answer = item;
    else pairs.push({ question: "", answer: item });
  }
  return pairs;
}

/** @param {unknown} error */
function described(error) {
  if (error instanceof ApiError) return { code: error.code, message: error.message, request_id: error.requestId };
  console.error(error);
  return { code: "page_failed", message: "页面出错了，请重试。" };
}

/**
 * What a screen reader hears once the answer is whole; while it streams it would only stutter.
 * @param {Turn} turn
 */
function spoken(turn) {
  if (turn.refusal) return turn.refusal.message;
  const count = turn.citations.length;
  const replies = turn.chips.map((chip) => chip.label).join("、");
  const cited = count ? `。共 ${count} 处引用。` : "";
  return `回答：${turn.text.replace(/\[\d+\]/g, "")}${cited}${replies ? `。可以直接选：${replies}。` : ""}`;
}

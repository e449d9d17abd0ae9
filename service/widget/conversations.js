/** The list of earlier conversations: grouped by age, opened by link, deleted after a question. */

import { h, icon, iconButton } from "./dom.js";
import { age } from "./wording.js";

const PAGE_SIZE = 30;

/** @typedef {import("./types.js").ConversationItem} Item */

/**
 * @param {Object} parts
 * @param {ReturnType<import("./api.js").createApi>} parts.api
 * @param {HTMLElement} parts.container
 * @param {ReturnType<typeof import("./state.js").createState>} parts.state
 * @param {ReturnType<typeof import("./dialogs.js").createConfirm>} parts.confirm
 * @param {(text: string) => void} parts.toast
 * @param {(id: string) => void} parts.onDeleted
 */
export function createConversations({ api, container, state, confirm, toast, onDeleted }) {
  /** @type {Item[]} */
  let items = [];
  let total = 0;
  let failure = "";

  /** @param {number} page counts from 1; the first page replaces what is listed */
  async function load(page) {
    try {
      const answer = await api.conversations(page, PAGE_SIZE);
      items = page === 1 ? answer.items : merged(items, answer.items);
      total = answer.total;
      failure = "";
      nameCurrent();
    } catch (error) {
      failure = /** @type {Error} */ (error).message;
    }
    show();
  }

  const refresh = () => load(1);

  /** The list knows the title of a conversation that was opened by its address. */
  function nameCurrent() {
    const { conversationId, title } = state.get();
    const current = items.find((item) => item.id === conversationId);
    if (current && current.title !== title) state.set({ title: current.title });
  }

  function show() {
    const focused = container.contains(document.activeElement) && document.activeElement?.getAttribute("href");
    if (failure) container.replaceChildren(broken());
    else if (items.length) container.replaceChildren(...groups());
    else container.replaceChildren(h("p", { class: "list-note", text: "还没有对话" }));
    const again = focused && container.querySelector(`a[href="${CSS.escape(focused)}"]`);
    if (again) /** @type {HTMLElement} */ (again).focus();
  }

  function broken() {
    const retry = h("button", { type: "button", class: "link", on: { click: refresh } }, "重试");
    return h("div", { class: "list-note" }, h("p", { text: failure }), retry);
  }

  function groups() {
    /** @type {Map<string, HTMLElement[]>} */
    const byAge = new Map();
    for (const item of items) {
      const name = age(item.updated_at);
      byAge.set(name, [...(byAge.get(name) ?? []), row(item)]);
    }
    const sections = [...byAge].map(([name, rows]) =>
      h("section", {}, h("h3", { class: "list-group", text: name }), h("ul", {}, ...rows)),
    );
    if (items.length >= total) return sections;
    const next = { click: () => load(Math.floor(items.length / PAGE_SIZE) + 1) };
    return [...sections, h("button", { type: "button", class: "link more", on: next }, "更早的对话")];
  }

  /** @param {Item} item */
  function row(item) {
    const current = item.id === state.get().conversationId ? "page" : null;
    const title = item.title || "未命名的对话";
    const link = h("a", { href: `#c=${encodeURIComponent(item.id)}`, "aria-current": current, title }, title);
    const trash = iconButton("trash", `删除对话：${title}`, () => remove(item), "conversation-delete");
    return h("li", { class: "conversation" }, link, trash);
  }

  /** @param {Item} item */
  async function remove(item) {
    if (!(await confirm(`删除「${item.title}」？`, "对话、回答与引用记录都会删除，不能恢复。", "删除"))) return;
    try {
      await api.deleteConversation(item.id);
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
      return;
    }
    items = items.filter((other) => other.id !== item.id);
    total -= 1;
    show();
    toast("已删除对话");
    onDeleted(item.id);
  }

  state.watch((now, before) => {
    if (now.conversationId !== before.conversationId) {
      show();
      nameCurrent();
    }
    if (before.answering && !now.answering) refresh();
  });
  return { refresh };
}

/**
 * @param {Item[]} known
 * @param {Item[]} more
 */
function merged(known, more) {
  return [...known, ...more.filter((item) => !known.some((other) => other.id === item.id))];
}

/**
 * The button that starts a new conversation.
 * @param {() => void} onClick
 */
export function newConversationButton(onClick) {
  const properties = { type: "button", class: "button new-conversation", on: { click: onClick } };
  return h("button", properties, icon("plus"), "新对话");
}

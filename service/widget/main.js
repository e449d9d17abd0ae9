/** Puts the page together: which part gets which other part, and what happens when the address changes. */

import { createApi } from "./api.js";
import { createComposer } from "./composer.js";
import { createConversations, newConversationButton } from "./conversations.js";
import { closeOnBackdrop, createConfirm, openModal } from "./dialogs.js";
import { byId } from "./dom.js";
import { createEmbedding } from "./embedding.js";
import { createHome } from "./home.js";
import { createKeyPrompt } from "./key.js";
import { createNotices } from "./notices.js";
import { createScroll } from "./scroll.js";
import { createSourceView } from "./source.js";
import { conversationInAddress, createState, putConversationInAddress } from "./state.js";
import { createThread } from "./thread.js";

const embedding = createEmbedding(window);
document.documentElement.classList.toggle("embedded", embedding.embedded);
const api = createApi(embedding.embedded ? embedding : createKeyPrompt());
const state = createState({ conversationId: "", title: "", answering: false, asOf: "" });
const { announce, toast } = createNotices();
const scroll = createScroll(byId("scroller"), byId("to-end"));
const sources = createSourceView(api, toast);
const list = byId("turns");
const drawer = /** @type {HTMLDialogElement} */ (byId("drawer"));

/** @type {import("./turn.js").TurnApp} */
const app = {
  api, announce, toast,
  ask: (text, mode) => void ask(text, mode),
  focusBox: () => composer.focus(),
  retry: (turn) => void thread.retry(turn),
  goOn: (turn) => void thread.goOn(turn),
  grown: (turn) => turn.live && scroll.follow(turn.element),
  conversationKnown(id, title) {
    if (!id || id === state.get().conversationId) return;
    state.set({ conversationId: id, title });
    putConversationInAddress(id);
  },
  openSource(turn, n) {
    const citations = turn.citations.filter((item) => item.n === n);
    const reference = turn.references.find((item) => item.n === n);
    if (citations.length) sources.open({ ...citations[0], quotes: citations.map(quoted), label: `引用 ${n}` });
    else if (reference) app.openReference(turn, reference);
  },
  openReference(turn, reference) {
    const label = turn.refusal ? "未采用的资料" : "检索到的资料";
    sources.open({ ...reference, quotes: [{ text: reference.snippet, range: null }], label });
  },
};
const thread = createThread({ list, state, app, scroll, onEmpty: showHome });
const composer = createComposer({ state, onAsk: ask, onStop: () => void thread.stop() });
const conversations = createConversations({
  api, container: byId("conversations"), state, toast, confirm: createConfirm(),
  onDeleted: (id) => id === state.get().conversationId && startNew(),
});

/** @param {import("./types.js").Citation} citation */
function quoted({ quote, char_start: start, char_end: end }) {
  return { text: quote, range: { start, end } };
}

function showHome() {
  byId("app").classList.add("at-home");
  list.replaceChildren(createHome(api, ask));
}

/**
 * @param {string} text
 * @param {string} [mode]
 */
function ask(text, mode) {
  if (state.get().answering) return;
  if (!state.get().conversationId && byId("app").classList.contains("at-home")) list.replaceChildren();
  byId("app").classList.remove("at-home");
  thread.ask(text, mode);
}

function startNew() {
  thread.clear();
  state.set({ conversationId: "", title: "" });
  putConversationInAddress("");
  showHome();
  drawer.close();
  composer.focus();
}

function openFromAddress() {
  const id = conversationInAddress();
  drawer.close();
  if (id === state.get().conversationId && id) return;
  state.set({ conversationId: id, title: "" });
  if (!id) {
    thread.clear();
    showHome();
    return;
  }
  byId("app").classList.remove("at-home");
  thread.open(id);
}

/** The list stands in the side column on a wide page and in a drawer on a narrow or embedded one. */
function openDrawer() {
  drawer.querySelector(".drawer-body")?.append(byId("conversation-panel"));
  openModal(drawer);
}

byId("new-slot").append(newConversationButton(startNew));
byId("open-drawer").addEventListener("click", openDrawer);
byId("close-drawer").addEventListener("click", () => drawer.close());
byId("new-in-bar").addEventListener("click", startNew);
byId("close-widget").addEventListener("click", embedding.close);
byId("skip").addEventListener("click", (event) => {
  event.preventDefault(); // the address belongs to the conversation
  composer.skipTo();
});
closeOnBackdrop(drawer);
drawer.addEventListener("close", () => byId("sidebar").append(byId("conversation-panel")));
window.addEventListener("hashchange", openFromAddress);
document.addEventListener("keydown", (event) => {
  if (event.key === "Escape" && embedding.embedded && !document.querySelector("dialog[open]")) embedding.close();
});
state.watch(({ title }) => {
  byId("bar-title").textContent = title || "知行";
  document.title = title ? `${title} · 知行` : "知行";
});

embedding.ready();
openFromAddress();
if (!conversationInAddress()) showHome();
conversations.refresh();
composer.focus();

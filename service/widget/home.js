/** What the employee sees before the first question. */

import { h, icon } from "./dom.js";

/**
 * @param {ReturnType<import("./api.js").createApi>} api
 * @param {(text: string) => void} ask
 * @returns {HTMLElement}
 */
export function createHome(api, ask) {
  const questions = h("ul", { class: "suggestions", "aria-label": "可以这样问" });
  const lines = (/** @type {string[]} */ texts) =>
    texts.map((text) => h("li", {}, h("button", { type: "button", class: "suggestion", on: { click: () => ask(text) } }, h("span", { text }), icon("arrow"))));
  api.suggestions().then(
    (answer) => questions.replaceChildren(...lines(answer.questions)),
    (error) => questions.replaceChildren(h("li", { class: "list-note", role: "alert", text: error.message })),
  );
  return h("div", { class: "home" },
    h("div", { class: "seal", "aria-hidden": "true", text: "知行" }),
    h("h1", { text: "今天想查什么？" }),
    h("p", { class: "home-lead", text: "制度、办事流程、会议纪要，都可以直接问。每个回答都附出处；资料里没有的，会如实告诉您。" }),
    questions);
}

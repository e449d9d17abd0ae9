/** What the employee sees before the first question. */

import { h, icon } from "./dom.js";

const LEAD = ["制度、办事流程、会议纪要，都可以直接问。", "每个回答都附出处；资料里没有的，会如实告诉您。"];

/**
 * @param {ReturnType<import("./api.js").createApi>} api
 * @param {(text: string) => void} ask
 * @returns {HTMLElement}
 */
export function createHome(api, ask) {
  const questions = h("ul", { class: "suggestions", "aria-label": "可以这样问" });
  api.suggestions().then(
    (answer) => questions.replaceChildren(...answer.questions.map((text) => suggestion(text, ask))),
    (error) => questions.replaceChildren(h("li", { class: "list-note", role: "alert", text: error.message })),
  );
  return h(
    "div",
    { class: "home" },
    h("div", { class: "seal", "aria-hidden": "true", text: "知行" }),
    h("h1", { text: "今天想查什么？" }),
    h("p", { class: "home-lead" }, ...LEAD.map((text) => h("span", { text }))),
    questions,
  );
}

/**
 * @param {string} text
 * @param {(text: string) => void} ask
 */
function suggestion(text, ask) {
  const properties = { type: "button", class: "suggestion", on: { click: () => ask(text) } };
  return h("li", {}, h("button", properties, h("span", { text }), icon("arrow")));
}

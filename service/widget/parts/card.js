/** The step card 步骤卡: where a case goes, who handles it, what to hand in, and the row that decided it. */

import { copyText } from "../clipboard.js";
import { h, icon } from "../dom.js";
import { basis, markClause, valueList } from "./grounds.js";
import { checklist, readyMaterials } from "./materials.js";
import { asMarkdown, printCard } from "./paper.js";
import { stepList } from "./steps.js";

/** @typedef {import("../types.js").StepCard} StepCard */

/** @type {import("./index.js").Part} */
export const card = {
  events: {
    card(turn, data) {
      turn.card = data;
      turn.slots.cards.replaceChildren(stepCard(turn, data));
      outdateOthers(turn, data.case_id);
      markClause(turn);
    },

    done: markClause,
  },

  replay: (message) => (message.card ? [["card", message.card]] : []),
};

/**
 * @param {import("./index.js").Turn} turn
 * @param {StepCard} data
 */
function stepCard(turn, data) {
  const id = `card-${turn.key}`;
  const element = h("section", { class: "card", "aria-labelledby": id, "data-case": data.case_id });
  element.append(
    h(
      "header",
      { class: "card-head" },
      h("div", {}, h("p", { class: "card-process", text: `步骤卡 · ${data.process.name}` }), heading(id, data)),
      h("div", { class: "card-tools" }, copyButton(turn, data, element), printButton(element)),
    ),
    ...[changeList(data), valueList(data)].filter((part) => part !== null),
    stepList(data),
    checklist(turn, data),
    nextStep(data),
    basis(data),
    h("p", { class: "card-stamp" }),
  );
  return element;
}

/**
 * @param {string} id
 * @param {StepCard} data
 */
function heading(id, { process, path }) {
  return h("h4", { id, class: "card-title", text: path || `${process.name}办理步骤` });
}

/**
 * What a correction changed, the old value struck out.
 * @param {StepCard} data
 */
function changeList({ changes }) {
  if (!changes.length) return null;
  const items = changes.map(({ field, old, new: fresh }) =>
    h(
      "li",
      {},
      h("span", { class: "change-field", text: `${field}：` }),
      h("del", {}, h("span", { class: "visually-hidden", text: "原来是 " }), old),
      h("span", { "aria-hidden": "true", text: " → " }),
      h("ins", {}, h("span", { class: "visually-hidden", text: "，现在是 " }), fresh),
    ),
  );
  return h("div", { class: "changes" }, h("p", { class: "changes-title", text: "已更正" }), h("ul", {}, ...items));
}

/** @param {StepCard} data */
function nextStep({ next_action: action }) {
  return action ? h("div", { class: "next" }, h("h5", {}, icon("arrow"), "下一步"), h("p", { text: action })) : null;
}

/**
 * @param {import("./index.js").Turn} turn
 * @param {StepCard} data
 * @param {HTMLElement} element
 */
function copyButton(turn, data, element) {
  const copy = async () => {
    const copied = await copyText(asMarkdown(data, readyMaterials(element)));
    turn.app.toast(copied ? "已复制步骤卡（Markdown）" : "浏览器不允许复制，请手动选择文字");
  };
  return tool("copy", "复制", "把步骤卡复制成 Markdown", copy);
}

/** @param {HTMLElement} element */
function printButton(element) {
  return tool("print", "打印", "只打印这张步骤卡", () => printCard(element));
}

/**
 * @param {string} picture
 * @param {string} label
 * @param {string} title
 * @param {() => void} onClick
 */
function tool(picture, label, title, onClick) {
  return h("button", { type: "button", class: "button", title, on: { click: onClick } }, icon(picture), label);
}

/**
 * An earlier card of the same case must not be followed any more: it is folded to its title.
 * @param {import("./index.js").Turn} turn
 * @param {string} caseId
 */
function outdateOthers(turn, caseId) {
  const others = turn.element.parentElement?.querySelectorAll(`.card[data-case="${CSS.escape(caseId)}"]`) ?? [];
  for (const other of others) {
    if (turn.element.contains(other) || other.classList.contains("card-outdated")) continue;
    other.classList.add("card-outdated", "card-folded");
    other.prepend(outdatedNote(other));
  }
}

/** @param {Element} outdated */
function outdatedNote(outdated) {
  const fold = () => {
    const folded = outdated.classList.toggle("card-folded");
    toggle.textContent = folded ? "展开旧卡" : "收起旧卡";
    toggle.setAttribute("aria-expanded", String(!folded));
  };
  const properties = { type: "button", class: "link", "aria-expanded": "false", on: { click: fold } };
  const toggle = h("button", properties, "展开旧卡");
  const words = h("span", { text: "后来有更正，请以下面新的步骤卡为准。" });
  return h("div", { class: "outdated-note" }, icon("info"), words, toggle);
}

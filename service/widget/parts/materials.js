/** What has to be handed in: a list to tick off, why each piece is asked for, and the forms to fill in. */

import { h, icon } from "../dom.js";
import { saveFile } from "../download.js";
import { section } from "./section.js";

/** @typedef {import("../types.js").Material} Material */

/**
 * Ticks are for the reader alone: they live as long as the page and are sent nowhere.
 * @param {import("./index.js").Turn} turn
 * @param {import("../types.js").StepCard} card
 */
export function checklist(turn, card) {
  const { materials } = card;
  const none = "不需要另交材料。";
  if (!materials.length) return section("materials-part", "材料", null, h("p", { class: "card-none", text: none }));
  const count = h("span", { class: "ready-count" });
  const groups = byReason(materials).map((group, index) => reasonGroup(turn, card, group, index));
  const list = h("div", { class: "materials" }, ...groups);
  const tell = () => {
    const ready = readyMaterials(list).size;
    count.textContent = `${ready}/${materials.length} 已备齐`;
    count.classList.toggle("ready-all", ready === materials.length);
  };
  list.addEventListener("change", () => {
    tell();
    turn.app.announce(`${count.textContent}`);
  });
  tell();
  const note = h("p", { class: "card-note tick-note", text: "勾选只留在这一页，刷新后清空。" });
  return section("materials-part", "材料", count, list, note);
}

/**
 * The ids of the ticked materials.
 * @param {Element} within
 * @returns {Set<string>}
 */
export function readyMaterials(within) {
  const boxes = [.../** @type {NodeListOf<HTMLInputElement>} */ (within.querySelectorAll(".material input"))];
  return new Set(boxes.filter((box) => box.checked).map((box) => box.value));
}

/**
 * A reason that several materials share is said once, above them.
 * @param {Material[]} materials
 * @returns {Material[][]}
 */
function byReason(materials) {
  /** @type {Map<string, Material[]>} */
  const groups = new Map();
  for (const material of materials) {
    const reason = material.required_because;
    groups.set(reason, [...(groups.get(reason) ?? []), material]);
  }
  return [...groups.values()];
}

/**
 * @param {import("./index.js").Turn} turn
 * @param {import("../types.js").StepCard} card
 * @param {Material[]} group
 * @param {number} index
 */
function reasonGroup(turn, card, group, index) {
  const id = `reason-${turn.key}-${index}`;
  const reason = group[0].required_because;
  const why = h("p", { class: "because", id }, h("span", { class: "because-label", text: "为什么要" }), reason);
  const items = group.map((material, place) => row(turn, card, material, `${turn.key}-${index}-${place}`, id));
  if (group.length === 1) items[0].querySelector(".material-main")?.append(why);
  const list = h("ul", { role: "list" }, ...items);
  return h("div", { class: "reason-group" }, ...(group.length > 1 ? [why] : []), list);
}

/**
 * @param {import("./index.js").Turn} turn
 * @param {import("../types.js").StepCard} card
 * @param {Material} material
 * @param {string} key distinct on the page
 * @param {string} reasonId
 */
function row(turn, card, { id, name, copies, notes, template }, key, reasonId) {
  const boxId = `material-${key}`;
  const box = h("input", { type: "checkbox", id: boxId, value: id, "aria-describedby": reasonId });
  const number = copies > 1 ? h("span", { class: "copies", text: `${copies} 份` }) : null;
  return h(
    "li",
    { class: "material" },
    box,
    h(
      "div",
      { class: "material-main" },
      h("label", { for: boxId }, name, number),
      notes ? h("p", { class: "material-notes", text: notes }) : null,
    ),
    template && template.url !== null ? templateButton(turn, card.process.id, template.name) : null,
  );
}

/**
 * @param {import("./index.js").Turn} turn
 * @param {string} processId
 * @param {string} file
 */
function templateButton(turn, processId, file) {
  const save = async () => {
    button.setAttribute("aria-busy", "true");
    try {
      await saveFile(await turn.app.api.template(processId, file), file);
    } catch (error) {
      turn.app.toast(/** @type {Error} */ (error).message);
    } finally {
      button.removeAttribute("aria-busy");
    }
  };
  const properties = { type: "button", class: "button template", title: file, "aria-label": `下载模板：${file}` };
  const button = h("button", { ...properties, on: { click: save } }, icon("download"), h("span", { text: "下载模板" }));
  return button;
}

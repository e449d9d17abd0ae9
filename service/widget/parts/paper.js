/** The step card away from the chat: as Markdown to paste, and printed on a page of its own. */

import { day, origin, today, workdays } from "../wording.js";
import { duration, reckoning } from "./steps.js";

/** Marks the card that `print.css` leaves on the page. */
const PRINTED = "card-printed";

/**
 * @param {import("../types.js").StepCard} card
 * @param {Set<string>} ready ids of the materials at hand
 */
export function asMarkdown(card, ready) {
  const parts = [
    `# ${title(card)}`,
    bullets(card.changes.map(({ field, old, new: fresh }) => `已更正：${field} ${old} → ${fresh}`)),
    bullets(card.values.map(({ field, value, source }) => `${field}：${value}（${origin(source)}）`)),
    `## 步骤（${duration(card)}）`,
    card.steps.map((step, index) => `${index + 1}. ${stepLine(step)}`).join("\n"),
    reckoning(card),
    "## 材料",
    card.materials.map((material) => materialLine(material, ready.has(material.id))).join("\n") || "不需要另交材料。",
    `## 下一步\n\n${card.next_action}`,
    `## 依据\n\n${basisLine(card)}`,
  ];
  return `${parts.filter(Boolean).join("\n\n")}\n`;
}

/** @param {import("../types.js").StepCard} card */
export function title({ process, path }) {
  return path ? `${process.name}：${path}` : process.name;
}

/** @param {string[]} lines */
function bullets(lines) {
  return lines.map((line) => `- ${line}`).join("\n");
}

/** @param {import("../types.js").CardStep} step */
function stepLine({ name, role, days, notes }) {
  const who = [role, days === null ? "" : workdays(days)].filter(Boolean).join("，");
  return `${name}${who ? `（${who}）` : ""}${notes ? `：${notes}` : ""}`;
}

/**
 * @param {import("../types.js").Material} material
 * @param {boolean} ready
 */
function materialLine({ name, copies, template, required_because: because }, ready) {
  const facts = [copies > 1 ? `${copies} 份` : "", template ? `模板 ${template.name}` : ""].filter(Boolean).join("，");
  return `- [${ready ? "x" : " "}] ${name}${facts ? `（${facts}）` : ""}——${because}`;
}

/** @param {import("../types.js").StepCard} card */
function basisLine({ basis, version }) {
  const met = basis.conditions.map(({ column, text }) => `${column} ${text}`).join("，");
  const row = `${basis.table} ${basis.rows.join("、")}${met ? `（${met}）` : ""}`;
  const grounds = [row, basis.source, version && `版本 ${version}`].filter(Boolean).join("；");
  return [grounds, ...(basis.notes ?? []).map((note) => `备注（${note.row}）：${note.text}`)].join("\n\n");
}

/** @param {HTMLElement} card */
export function printCard(card) {
  const over = () => card.classList.remove(PRINTED);
  document.querySelector(`.${PRINTED}`)?.classList.remove(PRINTED);
  card.classList.add(PRINTED);
  const stamp = card.querySelector(".card-stamp");
  if (stamp) stamp.textContent = `由知行生成，${day(today())}打印。办理时请确认规则没有更新。`;
  window.addEventListener("afterprint", over, { once: true });
  window.print();
}

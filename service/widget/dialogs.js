/** Modal dialogs on the platform's own `<dialog>`, which keeps the focus inside, closes on Esc and gives it back. */

import { byId, h } from "./dom.js";

/**
 * Opens a dialog; a click beside it closes it.
 * @param {HTMLDialogElement} dialog
 */
export function openModal(dialog) {
  if (!dialog.open) dialog.showModal();
}

/**
 * @param {HTMLDialogElement} dialog
 */
export function closeOnBackdrop(dialog) {
  dialog.addEventListener("mousedown", (event) => {
    if (event.target === dialog) dialog.close();
  });
}

/** @returns {(title: string, detail: string, action: string) => Promise<boolean>} */
export function createConfirm() {
  const dialog = /** @type {HTMLDialogElement} */ (byId("confirm"));
  closeOnBackdrop(dialog);
  return (title, detail, action) =>
    new Promise((resolve) => {
      const cancel = h("button", { type: "submit", value: "", class: "button" }, "取消");
      const go = h("button", { type: "submit", value: "yes", class: "button button-danger" }, action);
      dialog.returnValue = "";
      dialog.replaceChildren(
        h("form", { method: "dialog", class: "confirm" }, h("h2", { id: "confirm-title", text: title }),
          h("p", { text: detail }), h("div", { class: "confirm-actions" }, cancel, go)));
      dialog.addEventListener("close", () => resolve(dialog.returnValue === "yes"), { once: true });
      openModal(dialog);
      cancel.focus();
    });
}

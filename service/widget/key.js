/**
 * Asking for the access key where no host page hands one over. The key lives in memory and dies with the page;
 * a password manager may keep it.
 */

import { openModal } from "./dialogs.js";
import { byId, h } from "./dom.js";

/** @returns {import("./api.js").Credentials} */
export function createKeyPrompt() {
  const dialog = /** @type {HTMLDialogElement} */ (byId("key"));
  let key = "";
  /** @type {?Promise<boolean>} one question, however many requests were refused */
  let asking = null;

  function prompt() {
    const field = /** @type {HTMLInputElement} */ (
      h("input", { type: "password", autocomplete: "current-password", required: true, "aria-label": "访问密钥" })
    );
    const enter = h("button", { type: "submit", value: "yes", class: "button button-main" }, "进入");
    const actions = h("div", { class: "confirm-actions" }, enter);
    const lead = h("p", { text: "这个服务需要访问密钥，请向管理员索取。密钥只在本页有效，不会保存。" });
    const title = h("h2", { id: "key-title", text: "请输入访问密钥" });
    dialog.returnValue = "";
    dialog.replaceChildren(h("form", { method: "dialog", class: "confirm" }, title, lead, field, actions));
    openModal(dialog);
    field.focus();
    return new Promise((/** @type {(given: boolean) => void} */ resolve) => {
      const closed = () => {
        key = dialog.returnValue === "yes" ? field.value.trim() : "";
        asking = null;
        resolve(key !== "");
      };
      dialog.addEventListener("close", closed, { once: true });
    });
  }

  return {
    token: () => key,
    renewToken() {
      asking ??= prompt();
      return asking;
    },
  };
}

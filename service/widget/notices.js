/** Telling the reader something: aloud through a live region, or also on screen for a moment. */

import { byId } from "./dom.js";

const SHOWN_MS = 3200;

export function createNotices() {
  const live = byId("announcer");
  const toastElement = byId("toast");
  let timer = 0;
  return {
    /** @param {string} text */
    announce(text) {
      live.textContent = text;
    },

    /** @param {string} text */
    toast(text) {
      toastElement.textContent = text;
      toastElement.classList.add("toast-shown");
      window.clearTimeout(timer);
      timer = window.setTimeout(() => {
        toastElement.classList.remove("toast-shown");
        toastElement.textContent = "";
      }, SHOWN_MS);
    },
  };
}

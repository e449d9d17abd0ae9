/** Copying text, also where the asynchronous clipboard is missing (plain http) or forbidden (inside a frame). */

/**
 * @param {string} text
 * @returns {Promise<boolean>} whether the text is on the clipboard
 */
export async function copyText(text) {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return copyBySelection(text);
  }
}

/** @param {string} text */
function copyBySelection(text) {
  const focused = /** @type {HTMLElement|null} */ (document.activeElement);
  const area = document.createElement("textarea");
  area.value = text;
  area.className = "visually-hidden";
  document.body.append(area);
  area.select();
  const copied = document.execCommand("copy");
  area.remove();
  focused?.focus();
  return copied;
}

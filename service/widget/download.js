/** Saving a file: a token cannot ride on a link, so the file is fetched and then handed to the browser. */

import { h } from "./dom.js";

const KEPT_MS = 60_000;

/**
 * @param {Response} response
 * @param {string} fallback its name where the response gives none
 */
export async function saveFile(response, fallback) {
  const address = URL.createObjectURL(await response.blob());
  h("a", { href: address, download: fileName(response) || fallback }).click();
  setTimeout(() => URL.revokeObjectURL(address), KEPT_MS);
}

/** @param {Response} response its Content-Disposition names the file, in UTF-8 or plainly */
function fileName(response) {
  const header = response.headers.get("Content-Disposition") ?? "";
  const utf8 = /filename\*=UTF-8''([^;]+)/i.exec(header);
  return utf8 ? decodeURIComponent(utf8[1]) : (/filename="?([^";]+)"?/i.exec(header)?.[1] ?? "");
}

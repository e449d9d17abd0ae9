/** Reading server-sent events from a fetch body: EventSource can neither POST nor send a token. */

/** The server pings every 15 s; three missed pings mean that the line is dead. */
const SILENCE_MS = 45_000;

/** The stream ended or fell silent before the server said it was done. */
export class StreamDropped extends Error {}

/**
 * @param {ReadableStream<Uint8Array>} body
 * @returns {AsyncGenerator<import("./types.js").StreamEvent>}
 */
export async function* readEvents(body) {
  const reader = body.getReader();
  const decoder = new TextDecoder();
  let buffered = "";
  try {
    for (;;) {
      const { done, value } = await withinSilence(reader.read());
      if (done) return;
      buffered += decoder.decode(value, { stream: true });
      const frames = buffered.split(/\r\n\r\n|\n\n|\r\r/);
      buffered = frames.pop() ?? "";
      for (const frame of frames) {
        const event = parseFrame(frame);
        if (event) yield event;
      }
    }
  } finally {
    reader.cancel().catch(() => {}); // the body may have failed already, then there is nothing to close
  }
}

/**
 * @param {string} frame the lines between two blank lines
 * @returns {?import("./types.js").StreamEvent} null for a ping
 */
export function parseFrame(frame) {
  let id = "";
  let event = "message";
  /** @type {string[]} */
  const data = [];
  for (const line of frame.split(/\r\n|\n|\r/)) {
    if (line.startsWith(":") || line === "") continue;
    const colon = line.indexOf(":");
    const field = colon < 0 ? line : line.slice(0, colon);
    const value = colon < 0 ? "" : line.slice(colon + 1).replace(/^ /, "");
    if (field === "id") id = value;
    else if (field === "event") event = value;
    else if (field === "data") data.push(value);
  }
  return data.length ? { id, event, data: JSON.parse(data.join("\n")) } : null;
}

/**
 * @template T
 * @param {Promise<T>} promise
 * @returns {Promise<T>}
 */
function withinSilence(promise) {
  /** @type {number} */
  let timer;
  const silence = new Promise((_, reject) => {
    timer = window.setTimeout(() => reject(new StreamDropped("silent")), SILENCE_MS);
  });
  return Promise.race([promise, /** @type {Promise<never>} */ (silence)]).finally(() => window.clearTimeout(timer));
}

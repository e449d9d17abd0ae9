/** One answer's events from the first to the last, over as many connections as it takes. */

import { ApiError } from "./api.js";
import { readEvents, StreamDropped } from "./sse.js";

const WAITS_MS = [400, 1000, 2000, 4000, 8000];

/**
 * @typedef {Object} Position how far an answer has been received
 * @property {string} messageId known from the first response on, before any event
 * @property {string} lastEventId
 */

/**
 * Yields the events of one answer, the final `done` or `error` last. When the line drops in between, it says
 * `reconnecting` and asks the server for what is missing; after the last wait the drop becomes an error.
 * @param {ReturnType<import("./api.js").createApi>} api
 * @param {() => Promise<Response>} open starts the answer
 * @param {Position} position kept up to date for the caller, who may resume later
 * @param {AbortSignal} signal
 * @returns {AsyncGenerator<import("./types.js").StreamEvent>}
 */
export async function* followAnswer(api, open, position, signal) {
  let connect = open;
  for (let attempt = 0; ; attempt += 1) {
    try {
      const response = await connect();
      position.messageId ||= response.headers.get("X-Message-Id") ?? "";
      for await (const event of readEvents(/** @type {ReadableStream<Uint8Array>} */ (response.body))) {
        attempt = 0;
        if (event.id) position.lastEventId = event.id;
        yield event;
        if (event.event === "done" || event.event === "error") return;
      }
    } catch (error) {
      const known = error instanceof ApiError && !position.messageId; // nothing to resume, and a reason to show
      if (signal.aborted || known || !isDrop(error)) throw error;
    }
    if (!position.messageId || attempt >= WAITS_MS.length) {
      throw new ApiError("stream_dropped", "连接中断，回答没有接收完整。");
    }
    yield { id: "", event: "reconnecting", data: { attempt: attempt + 1 } };
    await pause(WAITS_MS[attempt], signal);
    connect = () => api.resume(position, signal);
  }
}

/** @param {unknown} error */
function isDrop(error) {
  if (error instanceof ApiError) return error.code === "unreachable" || error.status >= 502;
  return error instanceof StreamDropped || error instanceof TypeError; // fetch reports a lost line as TypeError
}

/**
 * @param {number} milliseconds
 * @param {AbortSignal} signal
 */
function pause(milliseconds, signal) {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds);
    signal.addEventListener("abort", () => {
      clearTimeout(timer);
      reject(signal.reason);
    }, { once: true });
  });
}

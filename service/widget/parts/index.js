/**
 * What an answer can be made of. A part names the server-sent events it draws; the same events are replayed from
 * the stored message when a conversation is opened again, so streaming and history share one drawing. A new kind
 * of card is one new module here and one line in this list.
 *
 * @typedef {import("../turn.js").Turn} Turn
 * @typedef {[event: string, data: any]} Replayed
 *
 * @typedef {Object} Part
 * @property {Record<string, (turn: Turn, data: any) => void>} events handlers by event name
 * @property {(message: import("../types.js").StoredMessage) => Replayed[]} [replay] the events behind a stored message
 */

import { actions } from "./actions.js";
import { answer } from "./answer.js";
import { card } from "./card.js";
import { chips } from "./chips.js";
import { failure } from "./failure.js";
import { meta } from "./meta.js";
import { progress } from "./progress.js";
import { refusal } from "./refusal.js";
import { sources } from "./sources.js";

/** @type {Part[]} Replay follows this order, and so do the handlers of one event. */
const PARTS = [meta, progress, answer, card, chips, refusal, sources, failure, actions];

/** Events that carry nothing for the reader. */
const SILENT = new Set(["usage"]);

/**
 * @param {Turn} turn
 * @param {string} event
 * @param {any} data
 */
export function draw(turn, event, data) {
  const handlers = PARTS.map((part) => part.events[event]).filter(Boolean);
  if (!handlers.length && !SILENT.has(event)) console.warn(`no part draws the event ${event}`);
  handlers.forEach((handler) => handler(turn, data));
}

/**
 * @param {Turn} turn
 * @param {import("../types.js").StoredMessage} message
 */
export function replay(turn, message) {
  const { id, text, citations = [], state } = message;
  const events = PARTS.flatMap((part) => part.replay?.(message) ?? []);
  for (const [event, data] of events) draw(turn, event, data);
  draw(turn, "done", { message_id: id, answer: text, citations, stopped: state === "stopped" });
}

/** The service's HTTP API as functions. Every failure is an `ApiError` with a message a reader can act on. */

const BASE = "/api/v1";
const JSON_BODY = { "Content-Type": "application/json" };

export class ApiError extends Error {
  /**
   * @param {string} code
   * @param {string} message in Chinese, shown as it is
   * @param {{status?: number, requestId?: string}} [origin]
   */
  constructor(code, message, { status = 0, requestId = "" } = {}) {
    super(message);
    this.code = code;
    this.status = status;
    this.requestId = requestId;
  }
}

/**
 * @typedef {Object} Credentials
 * @property {() => string} token "" for none
 * @property {() => Promise<boolean>} renewToken asks for another after a refusal; whether one came
 */

/** @param {Credentials} credentials */
export function createApi(credentials) {
  /**
   * @param {string} path
   * @param {RequestInit & {headers?: Record<string, string>}} [options]
   * @returns {Promise<Response>}
   */
  async function send(path, options = {}) {
    const response = await attempt(path, options);
    if (response.status === 401 && (await credentials.renewToken())) return checked(await attempt(path, options));
    return checked(response);
  }

  /**
   * @param {string} path
   * @param {RequestInit & {headers?: Record<string, string>}} options
   */
  async function attempt(path, options) {
    const headers = { ...options.headers };
    if (credentials.token()) headers.Authorization = `Bearer ${credentials.token()}`;
    try {
      return await fetch(BASE + path, { ...options, headers });
    } catch (error) {
      if (options.signal?.aborted) throw error;
      throw new ApiError("unreachable", "连接不上服务，请检查网络后重试。");
    }
  }

  /**
   * @param {string} path
   * @param {RequestInit} [options]
   */
  const json = async (path, options) => (await send(path, options)).json();

  /**
   * @param {string} path
   * @param {unknown} body
   * @param {AbortSignal} [signal]
   */
  const post = (path, body, signal) =>
    send(path, { method: "POST", body: JSON.stringify(body), headers: JSON_BODY, signal });

  return {
    /**
     * Starts an answer; the response body is its event stream.
     * @param {{message: string, mode: string, conversation_id?: string, as_of?: string}} question
     * @param {AbortSignal} signal
     */
    chat: (question, signal) => post("/chat", { ...question, stream: true }, signal),

    /**
     * @param {import("./stream.js").Position} position
     * @param {AbortSignal} signal
     */
    resume: (position, signal) =>
      send(`/messages/${encodeURIComponent(position.messageId)}/events`, {
        headers: position.lastEventId ? { "Last-Event-ID": position.lastEventId } : {},
        signal,
      }),

    /**
     * @param {string} messageId
     * @returns {Promise<boolean>} whether an answer was being written
     */
    async stop(messageId) {
      const response = await send(`/messages/${encodeURIComponent(messageId)}/stop`, { method: "POST" });
      return (await response.json()).stopped;
    },

    /**
     * @param {number} page counts from 1
     * @param {number} pageSize
     * @returns {Promise<{items: import("./types.js").ConversationItem[], total: number}>}
     */
    conversations: (page, pageSize) => json(`/conversations?page=${page}&page_size=${pageSize}`),

    /**
     * @param {string} id
     * @returns {Promise<{items: import("./types.js").StoredMessage[]}>}
     */
    messages: (id) => json(`/conversations/${encodeURIComponent(id)}/messages`),

    /** @param {string} id */
    deleteConversation: (id) => send(`/conversations/${encodeURIComponent(id)}`, { method: "DELETE" }),

    /** @returns {Promise<{questions: string[]}>} */
    suggestions: () => json("/suggestions"),

    /**
     * @param {string} messageId
     * @param {{rating: "like"|"dislike", comment?: string}} feedback
     */
    feedback: (messageId, feedback) => post(`/messages/${encodeURIComponent(messageId)}/feedback`, feedback),

    /**
     * @param {string} documentId
     * @param {string} revisionId
     * @returns {Promise<import("./types.js").SourceText>}
     */
    content: (documentId, revisionId) => json(revisionPath(documentId, "content", revisionId)),

    /**
     * A revision beside the one before it.
     * @param {string} documentId
     * @param {string} revisionId
     * @returns {Promise<import("./types.js").Comparison>}
     */
    comparison: (documentId, revisionId) =>
      json(`/documents/${encodeURIComponent(documentId)}/comparison?right=${encodeURIComponent(revisionId)}`),

    /**
     * The file as it came in. A token cannot ride on a link, so the file is fetched.
     * @param {string} documentId
     * @param {string} revisionId
     */
    original: (documentId, revisionId) => send(revisionPath(documentId, "original", revisionId)),

    /**
     * A form to fill in, fetched for the same reason.
     * @param {string} processId
     * @param {string} name of the file
     */
    template: (processId, name) =>
      send(`/processes/${encodeURIComponent(processId)}/templates/${encodeURIComponent(name)}`),
  };
}

/**
 * @param {string} documentId
 * @param {string} what
 * @param {string} revisionId
 */
function revisionPath(documentId, what, revisionId) {
  return `/documents/${encodeURIComponent(documentId)}/${what}?revision=${encodeURIComponent(revisionId)}`;
}

/**
 * @param {Response} response
 * @returns {Promise<Response>}
 */
async function checked(response) {
  if (response.ok) return response;
  const origin = { status: response.status, requestId: response.headers.get("X-Request-ID") ?? "" };
  let body;
  try {
    body = await response.json();
  } catch {
    throw new ApiError("bad_response", `服务返回了无法识别的内容（HTTP ${response.status}）。`, origin);
  }
  const { code = "unknown", message = "服务出错了，请稍后重试。", request_id: id } = body.error ?? {};
  throw new ApiError(code, message, { ...origin, requestId: id ?? origin.requestId });
}

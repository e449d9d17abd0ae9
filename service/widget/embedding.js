/**
 * Talking with the page that embeds this one. Messages go by postMessage, in both directions with a named origin:
 *
 *   to the host:    {type: "zhixing:ready"}  {type: "zhixing:token-request"}  {type: "zhixing:close"}
 *   from the host:  {type: "zhixing:token", token: string|null}
 *
 * Which pages may embed at all is the server's `frame-ancestors`. Here a message counts only when it comes from the
 * parent window and from the origin the loader named in `?parent=`; where the browser tells the parent's origin
 * itself, the two must agree. The token lives in memory and dies with the page.
 */

const TOKEN_WAIT_MS = 5000;

/** @param {Window} page */
export function createEmbedding(page) {
  const origin = page.parent === page ? null : parentOrigin(page);
  let token = "";
  /** @type {Set<() => void>} */
  const waiting = new Set();

  page.addEventListener("message", (event) => {
    if (!origin || event.source !== page.parent || event.origin !== origin) return;
    if (event.data?.type !== "zhixing:token") return;
    token = typeof event.data.token === "string" ? event.data.token : "";
    waiting.forEach((wake) => wake());
    waiting.clear();
  });

  /** @param {string} type */
  function tell(type) {
    if (origin) page.parent.postMessage({ type: `zhixing:${type}` }, origin);
  }

  return {
    embedded: page.parent !== page,
    token: () => token,
    ready: () => tell("ready"),
    close: () => tell("close"),

    /**
     * Asks the host for a fresh token.
     * @returns {Promise<boolean>} whether one came
     */
    async renewToken() {
      if (!origin) return false;
      token = "";
      const answered = new Promise((resolve) => waiting.add(() => resolve(true)));
      const silence = new Promise((resolve) => page.setTimeout(resolve, TOKEN_WAIT_MS));
      tell("token-request");
      await Promise.race([answered, silence]);
      return token !== "";
    },
  };
}

/**
 * @param {Window} page
 * @returns {?string} null when the origin is unknown or was named falsely: then the host is not listened to
 */
function parentOrigin(page) {
  const named = new URLSearchParams(page.location.search).get("parent");
  const { referrer } = page.document;
  const known = page.location.ancestorOrigins?.[0] ?? (referrer && new URL(referrer).origin);
  return named && (!known || known === named) ? named : null;
}

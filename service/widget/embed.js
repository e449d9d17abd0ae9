/**
 * The loader other sites include with one tag:
 *
 *   <script src="https://zhixing.example.com/embed.js" async></script>
 *
 * It puts a chat button on the page and opens the widget in a frame when the button is pressed. Optional, before
 * the tag: `window.zhixing = {token: () => Promise<string> | string, label: "问知行", side: "left" | "right"}`;
 * `token` is asked for when the widget opens and again when the service no longer takes the last one. Afterwards
 * `window.zhixing.open()` and `.close()` work the panel. The host must be listed in the service's frame ancestors;
 * a host with a content security policy needs the service under `script-src` and `frame-src`.
 */
(() => {
  "use strict";
  const script = document.currentScript;
  const settings = window.zhixing ?? {};
  if (!(script instanceof HTMLScriptElement) || settings.open) return; // included twice: one button is enough
  const service = new URL(script.src).origin;
  const label = settings.label ?? "打开知行助手";

  const BUBBLE =
    "M5 5h14a1.5 1.5 0 0 1 1.5 1.5v9A1.5 1.5 0 0 1 19 17h-7l-4.5 3.5V17H5a1.5 1.5 0 0 1-1.5-1.5v-9" +
    "A1.5 1.5 0 0 1 5 5zM8 9.5h8M8 12.7h5";

  const STYLE = `
    :host { all: initial; }
    .launch, .panel { position: fixed; z-index: 2147483000; inset-block-end: 20px; inset-inline-end: 20px; }
    .left .launch, .left .panel { inset-inline: 20px auto; }
    .launch { display: grid; place-items: center; width: 56px; height: 56px; padding: 0; border: 0;
      border-radius: 50%; background: #2f5d7c; color: #fff; cursor: pointer;
      box-shadow: 0 6px 20px rgb(31 39 48 / 28%); transition: transform 140ms; }
    .launch:hover { background: #234a64; transform: translateY(-1px); }
    .launch:focus-visible { outline: 3px solid #8dbad8; outline-offset: 3px; }
    .launch svg { width: 26px; height: 26px; fill: none; stroke: currentColor; stroke-width: 1.8;
      stroke-linecap: round; stroke-linejoin: round; }
    .panel { width: 408px; height: min(680px, calc(100dvh - 40px)); border: 0; border-radius: 16px; overflow: hidden;
      background: #fffefc; box-shadow: 0 10px 40px rgb(31 39 48 / 30%); color-scheme: light dark; }
    [hidden] { display: none; }
    @media (max-width: 520px) { .panel, .left .panel { inset: 0; width: 100%; height: 100dvh; border-radius: 0; } }
    @media (prefers-color-scheme: dark) { .panel { background: #1a1f25; } }
    @media (prefers-reduced-motion: reduce) { .launch { transition: none; } }
  `;

  const host = document.createElement("zhixing-widget");
  const root = host.attachShadow({ mode: "open" });
  const sheet = new CSSStyleSheet(); // built by script, so a host that forbids inline styles still gets it
  sheet.replaceSync(STYLE);
  root.adoptedStyleSheets = [sheet];
  const box = document.createElement("div");
  if (settings.side === "left") box.className = "left";
  const button = launchButton();
  box.append(button);
  root.append(box);

  /** @type {HTMLIFrameElement|undefined} */
  let panel;

  function launchButton() {
    const element = document.createElement("button");
    element.type = "button";
    element.className = "launch";
    element.title = label;
    element.setAttribute("aria-label", label);
    element.setAttribute("aria-haspopup", "dialog");
    element.setAttribute("aria-expanded", "false");
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    svg.setAttribute("viewBox", "0 0 24 24");
    svg.setAttribute("aria-hidden", "true");
    const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
    path.setAttribute("d", BUBBLE);
    svg.append(path);
    element.append(svg);
    element.addEventListener("click", open);
    return element;
  }

  function open() {
    if (!panel) {
      panel = document.createElement("iframe");
      panel.className = "panel";
      panel.title = "知行助手";
      panel.allow = `clipboard-write ${service}`;
      panel.referrerPolicy = "origin";
      panel.src = `${service}/?parent=${encodeURIComponent(location.origin)}`;
      box.append(panel);
    }
    panel.hidden = false;
    button.hidden = true;
    button.setAttribute("aria-expanded", "true");
    panel.focus();
  }

  function close() {
    if (!panel || panel.hidden) return;
    panel.hidden = true;
    button.hidden = false;
    button.setAttribute("aria-expanded", "false");
    button.focus();
  }

  async function sendToken() {
    let token = null;
    try {
      token = (await settings.token?.()) ?? null;
    } catch (error) {
      console.error("zhixing: the host's token function failed", error);
    }
    panel?.contentWindow?.postMessage({ type: "zhixing:token", token }, service);
  }

  window.addEventListener("message", (event) => {
    if (!panel || event.source !== panel.contentWindow || event.origin !== service) return;
    if (event.data?.type === "zhixing:close") close();
    if (event.data?.type === "zhixing:ready" && settings.token) sendToken();
    if (event.data?.type === "zhixing:token-request") sendToken();
  });

  window.zhixing = { ...settings, open, close };
  const attach = () => document.body.append(host);
  if (document.body) attach();
  else document.addEventListener("DOMContentLoaded", attach);
})();

// A plugin's panel as a document: in an origin of its own, with nothing that it could load, send to or read beside what the page passes on.
import type { ServerRuntime } from "./life/server-runtime.ts";

/** What a browser may make of a plugin's answer: nothing that runs as memoir's page. */
export const harmless = { "content-security-policy": "sandbox; default-src 'none'" };

/** Sandboxed here and not by the frame alone: so it is also where somebody opens its address by itself. */
const policy = [
  ...["sandbox allow-scripts", "default-src 'none'", "script-src 'unsafe-inline'"],
  ...["style-src 'unsafe-inline'", "img-src data:", "form-action 'none'", "base-uri 'none'"],
  "frame-ancestors 'self'",
].join("; ");

/** `memoir.ask(operation, input)` in the panel: the page asks in its name, and passes the answer on. */
const bridge = `<script>{
const waiting = new Map();
let last = 0;
addEventListener("message", ({ source, data }) => {
  const one = source === parent && waiting.get(data?.id);
  if (!one) return;
  waiting.delete(data.id);
  if ("error" in data) one.reject(new Error(data.error));
  else one.resolve(data.answer);
});
globalThis.memoir = Object.freeze({
  ask: (operation, input = {}) => new Promise((resolve, reject) => {
    waiting.set(++last, { resolve, reject });
    parent.postMessage({ memoir: "ask", id: last, operation, input }, "*");
  }),
});
}</script>`;

const style =
  "<style>:root{color-scheme:light dark;font:15px/1.5 system-ui,sans-serif}body{margin:0}</style>";

/** The document. Rejects as the panel's part does. */
export async function panelDocument(
  { parts }: Pick<ServerRuntime, "parts">,
  [plugin, panel]: readonly [plugin: string, panel: string],
  signal: AbortSignal,
): Promise<Response> {
  const html = await parts.call(plugin, `panels.${panel}`, {}, signal);
  const text = `<!doctype html><meta charset="utf-8">${style}${bridge}${String(html)}`;
  return new Response(text, {
    headers: {
      ...harmless,
      "content-type": "text/html; charset=utf-8",
      "content-security-policy": policy,
    },
  });
}

// A plugin's panel in a real browser: in an origin of its own, it reads what its plugin opens to panels, and nothing of the page, of memoir or of another plugin.
import assert from "node:assert/strict";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { inBrowser, openPage } from "../browser.ts";
import type { Scenario } from "../scenario.ts";

/** What the panel's script tries, and says of each: what it got, or that it was refused. */
const attempts: Readonly<Record<string, string>> = {
  "its own operation": `memoir.ask("open", { word: "from the panel" })`,
  "an operation that is not for panels": `memoir.ask("closed")`,
  "an operation that is not there": `memoir.ask("nowhere")`,
  "another plugin's operation": `memoir.ask("../../calm/ask/open")`,
  "an input that is not taken": `memoir.ask("open", { other: 1 })`,
  "the page's document": `parent.document.title`,
  "the page's top": `top.document.title`,
  "the page's address": `String(parent.location.href)`,
  "its own cookies": `document.cookie`,
  "a store": `localStorage.length`,
  "a database": `new Promise((done, fail) => { const one = indexedDB.open("a"); one.onerror = () => fail(one.error); one.onsuccess = () => done("opened"); })`,
  "memoir's status": `fetch(here + "/api/status").then((answer) => answer.text())`,
  "memoir's status without cookies": `fetch(here + "/api/status", { mode: "no-cors" }).then((answer) => answer.type)`,
  "its plugin's route": `fetch(here + "/plugins/panelled/open").then((answer) => answer.text())`,
  elsewhere: `fetch("https://example.invalid/").then((answer) => answer.text())`,
  "a socket": `new Promise((done, fail) => { const one = new WebSocket(here.replace("http", "ws")); one.onopen = () => done("open"); one.onerror = () => fail(new Error("closed")); })`,
  "a script from memoir": `new Promise((done, fail) => { const one = document.createElement("script"); one.src = here + "/"; one.onload = () => done("loaded"); one.onerror = () => fail(new Error("not loaded")); document.head.append(one); })`,
  "a picture from elsewhere": `new Promise((done, fail) => { const one = new Image(); one.onload = () => done("loaded"); one.onerror = () => fail(new Error("not loaded")); one.src = here + "/favicon.ico"; })`,
  "a frame of the page": `new Promise((done, fail) => { const one = document.createElement("iframe"); one.src = here + "/memory"; one.onload = () => { try { done(one.contentWindow.document.title || "blank"); } catch (error) { fail(error); } }; document.body.append(one); setTimeout(() => fail(new Error("no frame")), 500); })`,
  "a worker": `new Promise((done, fail) => { const one = new Worker("data:text/javascript,postMessage(1)"); one.onmessage = () => done("ran"); one.onerror = fail; })`,
  "a window": `open("about:blank") ? "opened" : Promise.reject(new Error("no window"))`,
  "another place for the page": `(parent.location = "about:blank", "moved")`,
  "a form": `(() => { const one = document.createElement("form"); one.action = here + "/api/server/stop"; one.method = "post"; document.body.append(one); one.submit(); return "sent"; })()`,
};

const script = `const here = document.referrer ? new URL(document.referrer).origin : location.href.split("/plugins/")[0];
(async () => {
  const said = {};
  const attempts = { ${Object.entries(attempts)
    .map(([name, code]) => `${JSON.stringify(name)}: async () => ${code}`)
    .join(",\n  ")} };
  for (const [name, attempt] of Object.entries(attempts))
    try { said[name] = "GOT " + JSON.stringify(await Promise.race([attempt(), new Promise((_, fail) => setTimeout(fail, 1500))])); } catch { said[name] = "refused"; }
  said.origin = String(origin);
  for (let n = 0; n < 40; n++) parent.postMessage({ memoir: "ask", id: "forged" + n, operation: "closed", input: {} }, "*");
  const out = document.createElement("pre");
  out.id = "said";
  out.textContent = JSON.stringify(said);
  document.body.append(out);
})();`;

const panelled = `import { definePlugin, operation } from "memoir/sdk";
let closed = 0;
export default definePlugin({ name: "panelled", description: "d", sdk: 1, hooks: {},
  operations: {
    open: operation({ does: "Answer", for: ["panel", "route"], takes: { word: { says: "A word" } }, run: ({ word }, { caller }) => word + " through " + caller.door }),
    closed: operation({ does: "Count", for: ["route"], run: () => ++closed }),
  },
  panels: { main: { title: "A <b>panel</b>", html: ${JSON.stringify(`<p>shown</p><script>${script.replaceAll("</script>", "")}</script>`)} } },
});
`;
const calm = panelled
  .replace('name: "panelled"', 'name: "calm"')
  .replace(/\n {2}panels: [^\n]*/, "");

export const pagePanelScenarios: Scenario[] = [
  {
    name: "page: a plugin's panel reads what its plugin may, and nothing else",
    needs: "chromium",
    async run(world) {
      const memoir = await world.install();
      await writeFile(join(memoir.home, "plugins/panelled.ts"), panelled);
      await writeFile(join(memoir.home, "plugins/calm.ts"), calm);
      await memoir.run("server", "restart");
      await inBrowser(world, async ({ page }) => {
        const origin = await openPage(memoir, page);
        await page.goto(`${origin}/settings/plugins/panelled`);
        const panel = page.frameLocator("iframe.panel");
        await panel.getByText("shown").waitFor();
        page.setDefaultTimeout(30_000);
        const text = await panel.locator("#said").textContent();
        const said = JSON.parse(text ?? "{}") as Record<string, string>;
        assert.deepEqual(said, {
          ...Object.fromEntries(Object.keys(attempts).map((name) => [name, "refused"])),
          "its own operation": 'GOT "from the panel through panel"',
          // Submitting says nothing; the server goes on, which is looked at below.
          "a form": 'GOT "sent"',
          origin: "null",
        });
        // The page itself is as it was, in its own place, with the title as text.
        assert.equal(new URL(page.url()).pathname, "/settings/plugins/panelled");
        assert.ok(await page.getByText("A <b>panel</b>").first().isVisible());
        assert.equal(await page.locator("iframe.panel").getAttribute("sandbox"), "allow-scripts");
        assert.equal(await memoir.ask("/plugins/panelled/closed"), 1);
        await memoir.ask("/api/status");
      });
    },
  },
];

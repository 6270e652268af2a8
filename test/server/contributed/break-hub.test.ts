// A hub breaks in every way there is while a session goes on: nothing captured is lost, a round ends and says why, and what waits is sent
// once the hub is well.
import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expectNothingLost, underLoad } from "../../support/load.ts";
import { withPluginServer } from "../../support/plugin-server.ts";

/** What a hub does in place of carrying batches: code before the usual answer, by its hook. `own` gives that answer. */
const hubs: Readonly<Record<string, readonly [hook: string, code: string, said?: RegExp]>> = {
  "hangs-at-push": ["push", "return new Promise(() => {});", /did not answer/],
  "hangs-at-pull": ["pull", "return new Promise(() => {});", /did not answer/],
  loops: ["pull", "for (;;);", /did not answer/],
  throws: ["push", 'throw new Error("broken inside");', /broken inside/],
  "throws-null": ["pull", "throw null;", /hub.pull: null/],
  exits: ["files", "process.exit(7);", /exit\(7\)/],
  "no-answer": ["pull", "return undefined;", /No hub/],
  text: ["pull", 'return "batches";', /answered a string/],
  half: ["pull", "return { batches: [] };", /heads/],
  "no-bytes": [
    "pull",
    'return { batches: [{ stream: "a", number: 1, bytes: "text" }], heads: [], more: false };',
    /bytes/,
  ],
  garbage: ["pull", "return { batches: [junk(input, 1)], heads: [], more: false };"],
  "garbage-without-end": [
    "pull",
    "return { batches: [junk(input, 1)], heads: [], more: true };",
    /always has more/,
  ],
  "new-garbage-without-end": [
    "pull",
    "return { batches: [junk(input, count++)], heads: [], more: true };",
    /always has more/,
  ],
  "other-heads": [
    "pull",
    'return { batches: [], heads: Object.entries(input.after).map(([stream, number]) => ({ stream, number, digest: "0".repeat(64) })), more: false };',
  ],
  "goes-back": ["pull", "return { batches: [], heads: [], more: false };"],
  repeats: ["pull", "return { ...own({ ...input, after: {} }), more: true };", /always has more/],
  backwards: [
    "pull",
    "const all = own({ ...input, after: {} }); return { ...all, batches: all.batches.reverse() };",
  ],
  gap: [
    "pull",
    "const all = own({ ...input, after: {} }); return { ...all, batches: all.batches.slice(1) };",
  ],
  flipped: [
    "pull",
    "const all = own({ ...input, after: {} }); return { ...all, batches: all.batches.map((one) => ({ ...one, bytes: one.bytes.map((byte) => byte ^ 1) })) };",
  ],
  huge: [
    "pull",
    'return { batches: [{ stream: "a", number: 1, bytes: new Uint8Array(20_000_000) }], heads: [], more: false };',
    /8 MB/,
  ],
  "odd-numbers": [
    "pull",
    "return { batches: [-1, 0.5, NaN, 1e300].map((number) => ({ ...junk(input, 1), number })), heads: [], more: false };",
    /number/,
  ],
  "many-heads": [
    "pull",
    "return { batches: [], heads: Array.from({ length: 20_000 }, (_, n) => ({ stream: 's-' + n, number: n, digest: '0' })), more: false };",
  ],
  "takes-nothing": ["push", 'return { state: "behind", number: 0 };', /takes nothing/],
  taken: ["push", 'return { state: "taken", number: 9 };', /takes nothing/],
  "odd-state": ["push", 'return { state: "maybe", number: 1 };', /state/],
  "odd-files": [
    "files",
    'return { files: [{ name: "../../x", bytes: new Uint8Array(9) }, { name: "charter/9", bytes: new Uint8Array(9) }] };',
    /another list of members/,
  ],
  "no-files": ["files", "return { files: null };", /files/],
  "never-waits": ["wait", "return { changed: true };"],
  unwell: ["health", 'return { ok: false, where: "nowhere", trouble: "all of it" };'],
};
const hub = `import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { definePlugin } from "memoir/sdk";
let count = 1;
const batches = new Map(), files = new Map();
const digest = (bytes) => createHash("sha256").update(bytes).digest("hex");
const junk = ({ after }, n) => ({ stream: \`\${Object.keys(after)[0]?.slice(0, -1) ?? "s"}\${n}\`, number: 1, bytes: new Uint8Array(500).fill(n) });
const own = {
  push({ stream, number, bytes }) {
    const all = batches.get(stream) ?? [];
    if (all.length < number - 1) return { state: "behind", number: all.length };
    const there = all[number - 1];
    if (there) return { state: digest(there) === digest(bytes) ? "there" : "taken", number: all.length };
    batches.set(stream, [...all, bytes]);
    return { state: "stored", number };
  },
  pull({ after }) {
    const all = [...batches];
    return {
      batches: all.flatMap(([stream, some]) => some.map((bytes, at) => ({ stream, number: at + 1, bytes }))).filter(({ stream, number }) => number > (after[stream] ?? 0)),
      heads: all.map(([stream, some]) => ({ stream, number: some.length, digest: digest(some.at(-1)) })), more: false };
  },
  write({ name, bytes, isNew }) {
    if (isNew && files.has(name)) return { written: false };
    files.set(name, bytes);
    return { written: true };
  },
  files: ({ prefix = "" }) => ({ files: [...files].filter(([name]) => name.startsWith(prefix)).map(([name, bytes]) => ({ name, bytes })) }),
  remove: ({ names = [] }) => { for (const name of names) files.delete(name); return {}; },
  wait: (_, ctx) => new Promise((go) => setTimeout(() => go({ changed: false }), 20_000, ctx)),
  health: () => ({ ok: true, where: "here" }),
};
const broken = {
${Object.entries(hubs)
  .map(([name, [hook, code]]) => `  "${name}": { ${hook}(input, own) { ${code} } },`)
  .join("\n")}
};
const call = (hook) => (input, ctx) => {
  const act = broken[readFileSync(join(ctx.home, "mode"), "utf8")]?.[hook];
  return act ? act(input, own[hook]) : own[hook](input, ctx);
};
const deadlineMs = 400;
export default definePlugin({ name: "hub", description: "d", sdk: 1, slot: "hub", hooks: Object.fromEntries(
  Object.keys(own).map((hook) => [\`hub.\${hook}\`, { deadlineMs: hook === "wait" ? 30_000 : deadlineMs, handler: call(hook) }])) });
`;

test("a hub breaks in twenty-nine ways, and the session goes on", async () => {
  const files = { "plugins/hub.ts": hub, mode: "well" };
  await withPluginServer(files, async (server) => {
    await server.start();
    const post = async (path: string, body: object = {}) => {
      const headers = { "content-type": "application/json" };
      const init = { method: "POST", body: JSON.stringify(body), headers };
      const at = { unix: join(server.home, "memoir.sock"), signal: AbortSignal.timeout(20_000) };
      const begun = performance.now();
      const answer = await fetch(`http://localhost${path}`, { ...init, ...at });
      return { status: answer.status, text: await answer.text(), ms: performance.now() - begun };
    };
    const made = { kind: "mine", hub: { type: "plugin", name: "hub" } };
    expect(await post("/api/sync/spaces", made)).toMatchObject({ status: 200 });
    const wrong: unknown[] = [];
    const load = await underLoad(
      server,
      async () => {
        for (const [name, [, , said = /"came":0/]] of Object.entries(hubs)) {
          await writeFile(join(server.home, "mode"), name);
          const prompt = { hook_event_name: "UserPromptSubmit", prompt: `Mend ${name}` };
          await server.hook(JSON.stringify({ session_id: name, cwd: server.home, ...prompt }));
          // There is something to send once the prompt is stored.
          let text = "";
          for (let tries = 0; tries < 30 && !said.test(text); tries++) {
            if (tries > 0) await Bun.sleep(50);
            const answer = await post("/api/sync/now");
            text = answer.text;
            if (answer.ms > 15_000) wrong.push([name, answer.ms]);
          }
          if (!said.test(text)) wrong.push([name, text.slice(0, 300)]);
          await writeFile(join(server.home, "mode"), "well");
          let after = await post("/api/sync/now");
          // Only who failed often enough rests: to lift that loads the plugin anew.
          if (after.status !== 200 || /is paused/.test(after.text)) {
            await server.ask("/api/plugins/hub/switch", { enabled: true });
            after = await post("/api/sync/now");
          }
          if (after.status !== 200) wrong.push([name, "then", after.text.slice(0, 300)]);
        }
      },
      150,
    );
    expect(wrong).toEqual([]);
    await expectNothingLost(server, load);
    // What was made meanwhile is on the hub.
    expect(await post("/api/sync/now")).toMatchObject({ status: 200 });
    const { spaces } = await server.ask<{ spaces: Array<{ waiting: number }> }>("/api/sync");
    expect(spaces).toMatchObject([{ waiting: 0, lost: null }]);
  });
}, 180_000);

// Twenty ways and more to break each of what a plugin declares or carries (a database of its own, clients, rules of redaction),
// while a session goes on: nothing captured is lost, and what is wrong is said.
import { Database } from "bun:sqlite";
import { expect, test } from "bun:test";
import { mkdir, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { expectNothingLost, underLoad } from "../../support/load.ts";
import { type PluginServer, withPluginServer } from "../../support/plugin-server.ts";

const limits = { "config.json": { isolation: { memoryMb: 256 } } };
const restMs = 150;

const plugin = (name: string, more: string) =>
  `import { definePlugin, operation } from "memoir/sdk";
export default definePlugin({ name: "${name}", description: "d", sdk: 1, hooks: {},
  ${more}
});
`;

const ask = async ({ home }: PluginServer, path: string, init: RequestInit = {}) => {
  const unix = join(home, "memoir.sock");
  const signal = AbortSignal.timeout(60_000);
  return fetch(`http://localhost${path}`, { signal, ...init, unix });
};

interface Listed {
  plugins: Array<{ name: string; state: string; error?: string; source?: string }>;
}

/** Puts plugins into the home of a running server; gives what became of each. */
async function dropIn(server: PluginServer, files: Readonly<Record<string, string>>) {
  for (const [name, text] of Object.entries(files))
    await writeFile(join(server.home, "plugins", `${name}.ts`), text);
  await server.ask("/api/reload", {});
  const { plugins } = await server.ask<Listed>("/api/plugins");
  const of = (name: string) =>
    plugins.find((one) => one.name === name || one.source?.endsWith(`/${name}.ts`));
  return Object.fromEntries(Object.keys(files).map((name) => [name, of(name)]));
}

async function takeOut(server: PluginServer, names: readonly string[]): Promise<void> {
  for (const name of names) await rm(join(server.home, "plugins", `${name}.ts`));
  await server.ask("/api/reload", {});
}

/** Those that are not refused as they should be. */
function unlike(
  found: Awaited<ReturnType<typeof dropIn>>,
  wanted: Readonly<Record<string, RegExp>>,
): unknown[] {
  return Object.entries(wanted).flatMap(([name, said]) => {
    const { state, error = "" } = found[name] ?? {};
    return state === "failed" && said.test(error) ? [] : [[name, state, error]];
  });
}

// Data of a plugin's own.

const endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT";
/** What an operation does with its database, and what its caller is shown. */
const statements: Readonly<Record<string, readonly [code: string, said: RegExp]>> = {
  "no-table": ['d.all("SELECT * FROM nowhere");', /no such table/],
  "no-sql": ['d.all("SELEKT 1");', /syntax error/],
  "no-column": ['d.run("INSERT INTO notes (other) VALUES (1)");', /no column/],
  "too-many": ['d.run("INSERT INTO notes VALUES (1, 2, 3)");', /values/],
  "no-value": [
    'd.run("INSERT INTO notes (id, text) VALUES ($id, $text)", { id: 1, wrong: 2 });',
    /./,
  ],
  "bent-value": ['d.run("INSERT INTO notes VALUES (?, ?)", [{}, []]);', /./],
  unique: ['for (const _ of "ab") d.run("INSERT INTO notes VALUES (7, 7)");', /UNIQUE/],
  "not-null": ['d.run("INSERT INTO notes VALUES (1, NULL)");', /NOT NULL/],
  "wide-answer": ['return d.all("SELECT hex(zeroblob(4500000)) AS wide");', /8 MB/],
  "long-answer": [
    `return d.all("${endless} i, hex(zeroblob(500)) AS text FROM n LIMIT 9000");`,
    /8 MB|did not answer/,
  ],
  "huge-row": ['d.get("SELECT zeroblob(3000000000)");', /too big/],
  full: [
    'd.get("PRAGMA max_page_count = 12"); d.run("INSERT INTO notes VALUES (9, zeroblob(1000000))");',
    /full/,
  ],
  hang: [`d.all("${endless} count(*) FROM n");`, /did not answer/],
  half: [
    'd.transaction(() => { d.run("INSERT INTO notes VALUES (5, 5)"); throw new Error("half-way"); });',
    /half-way/,
  ],
  "left-open": [
    'd.run("BEGIN EXCLUSIVE"); d.run("INSERT INTO notes VALUES (6, 6)"); process.exit(3);',
    /exit\(3\)/,
  ],
  "no-open": ['d.run("COMMIT");', /no transaction/],
  "long-sql": ['d.all("SELECT " + "1,".repeat(3_000) + "1");', /too many/],
  "deep-sql": ['d.all("SELECT " + "(".repeat(5_000) + "1" + ")".repeat(5_000));', /./],
  attach: ['d.run("ATTACH ? AS other", ["/nowhere/x.db"]);', /unable to open/],
  locked: [
    'd.get("PRAGMA busy_timeout = 50"); d.run("INSERT INTO held VALUES (1)");',
    /locked|did not answer/,
  ],
  "table-gone": [
    'd.transaction(() => { d.run("DROP TABLE notes"); d.all("SELECT * FROM notes"); });',
    /no such table/,
  ],
};
const data = (...sql: string[]) => `data: { migrations: ${JSON.stringify(sql)} },`;
const operations = Object.entries(statements).map(
  ([name, [code]]) =>
    `    "${name}": operation({ does: "Break", for: ["route"], deadlineMs: 400, run: (_, { data: d }) => { ${code} } }),`,
);
const keeper = plugin(
  "keeper",
  `${data("CREATE TABLE notes (id INTEGER PRIMARY KEY, text NOT NULL)", "CREATE TABLE held (id)")}
  operations: {
${operations.join("\n")}
    rows: operation({ does: "Count", for: ["route"], run: (_, { data: d }) => d.all("SELECT id FROM notes") }),
  },`,
);
const opened: Readonly<Record<string, readonly [declared: string, said: RegExp]>> = {
  "wrong-sql": [data("CREATE TABL a (x)"), /syntax error.*\.ts:\d+/],
  "half-done": [data("CREATE TABLE a (x)", "INSERT INTO b VALUES (1)"), /migration 2 failed/],
  "forgets-nothing": ['data: { migrations: ["CREATE TABLE a (x)"], forget: { a: "y" } },', /a\.y/],
  "a-folder": [data("CREATE TABLE a (x)"), /./],
  "no-database": [data("CREATE TABLE a (x)"), /not a database|malformed/],
  "held-elsewhere": [data("CREATE TABLE a (x)"), /locked|did not|busy/],
};

test("a plugin's database breaks in twenty-seven ways, and the session goes on", async () => {
  await withPluginServer({ ...limits, "plugins/keeper.ts": keeper }, async (server) => {
    await server.start();
    const folder = join(server.home, "data");
    const wrong: unknown[] = [];
    const load = await underLoad(
      server,
      async () => {
        for (const [name, [, said]] of Object.entries(statements)) {
          const other = name === "locked" ? new Database(join(folder, "keeper.db")) : undefined;
          other?.run("BEGIN EXCLUSIVE");
          const text = await (await ask(server, `/plugins/keeper/${name}`)).text();
          other?.close();
          // On a busy machine any of them may be late as well.
          const isLate = /did not answer \S+ within 400 ms/.test(text);
          if (!isLate && !said.test(text)) wrong.push([name, text.slice(0, 300)]);
          // A worker that had to be ended is there again with the next call.
          let rows = "";
          for (let tries = 0; tries < 40 && !rows.startsWith("["); tries++) {
            rows = await (await ask(server, "/plugins/keeper/rows")).text();
            if (!rows.startsWith("[")) await Bun.sleep(50);
          }
          if (!/^\[(\{"id":7\})?\]$/.test(rows)) wrong.push([name, "then", rows.slice(0, 300)]);
        }
        await mkdir(join(folder, "a-folder.db"));
        await writeFile(join(folder, "no-database.db"), "no database at all, ".repeat(500));
        const held = new Database(join(folder, "held-elsewhere.db"));
        held.run("CREATE TABLE b (x)");
        held.run("BEGIN EXCLUSIVE");
        const files = Object.entries(opened).map(([name, [more]]) => [name, plugin(name, more)]);
        const found = await dropIn(server, Object.fromEntries(files));
        held.close();
        const said = Object.entries(opened).map(([name, [, words]]) => [name, words]);
        wrong.push(...unlike(found, Object.fromEntries(said)));
      },
      restMs,
    );
    expect(wrong).toEqual([]);
    // Nothing of a migration that failed half-way is there.
    const half = new Database(join(folder, "half-done.db"), { readonly: true });
    expect(half.query("SELECT name FROM sqlite_schema").all()).toEqual([]);
    half.close();
    await expectNothingLost(server, load);
  });
}, 180_000);

// Rules of redaction.

const refusedRules: Readonly<Record<string, readonly [rule: string, said: RegExp]>> = {
  "no-end": ['{ pattern: "(", removes: ["("] }', /pattern/],
  "looks-ahead": ['{ pattern: "a(?=b)", removes: ["ab"] }', /pattern/],
  "looks-back": ['{ pattern: "(?<=a)b", removes: ["ab"] }', /pattern/],
  "refers-back": ['{ pattern: "(a)\\\\1", removes: ["aa"] }', /pattern/],
  "blows-up": ['{ pattern: "((a{1,1000}){1,1000}){1,1000}", removes: ["a"] }', /pattern/],
  "no-text": ['{ pattern: /a/, removes: ["a"] }', /pattern: must be an expression/],
  "no-rule": ["() => /a/", /must be an object/],
  "no-tests": ['{ pattern: "a", removes: [] }', /removes: must be a list/],
  "no-effect": ['{ pattern: "a", removes: ["b"] }', /nothing goes from example 1/],
  "too-much": [
    '{ pattern: "a", removes: ["a"], keeps: ["cart"] }',
    /something goes from example 1/,
  ],
  "no-keyword": ['{ pattern: "a", keyword: "", removes: ["a"] }', /keyword: must be a word/],
  "other-keyword": ['{ pattern: "a", keyword: "zz", removes: ["a"] }', /does not hold the keyword/],
  "odd-field": ['{ pattren: "a", pattern: "a", removes: ["a"] }', /did you mean "pattern"/],
  "a-getter": ['{ get pattern() { throw new Error("in a getter"); }, removes: ["a"] }', /./],
};
/** Rules that do what their examples say, and an event's text that is hard on them. */
const hardRules: Readonly<Record<string, readonly [pattern: string, text: string]>> = {
  everything: ["[\\s\\S]+", "all of it goes"],
  "each-character": [".", "every one by itself"],
  nothing: ["x*", "between all of them"],
  "its-own-mark": ["\\[?[a-z-]+\\]?", "[redacted] [redacted]"],
  quotes: ['["{}:,]', '{"a":{"b":"c"}}'],
  "double-loop": ["(a+)+[$b]", `${"a".repeat(20_000)}!`],
  "either-way": ["(a|a)*b", "a".repeat(20_000)],
  "long-way": ["(.*)(.*)(.*)(.*)x", "y".repeat(2_000)],
  "many-repeats": ["(?:a{1,100}){1,9}b", "a".repeat(5_000)],
  surrogates: ["[\\x{D800}-\\x{10FFFF}]", "\ud83d\ud83d\ude00 \udc00"],
};

test("rules of redaction break in twenty-four ways, and the session goes on", async () => {
  await withPluginServer({ ...limits, "plugins/none.ts": plugin("none", "") }, async (server) => {
    await server.start();
    const wrong: unknown[] = [];
    const load = await underLoad(
      server,
      async () => {
        const refused = Object.entries(refusedRules);
        const files = refused.map(([name, [rule]]) => [
          name,
          plugin(name, `redactions: { one: ${rule} as never },`),
        ]);
        const found = await dropIn(server, Object.fromEntries(files));
        const said = refused.map(([name, [, words]]) => [name, words]);
        wrong.push(...unlike(found, Object.fromEntries(said)));
        await takeOut(server, Object.keys(refusedRules));
        for (const [name, [pattern, text]] of Object.entries(hardRules)) {
          const removes =
            name === "nothing" ? "x" : name.startsWith("surr") ? "\u{1f600}" : "aab{x";
          const rule = JSON.stringify({ one: { pattern, removes: [removes] } });
          const { state, error } =
            (await dropIn(server, { [name]: plugin(name, `redactions: ${rule},`) }))[name] ?? {};
          if (state !== "running") wrong.push([name, state, error]);
          const prompt = { hook_event_name: "UserPromptSubmit", prompt: text };
          const { status } = await server.hook(
            JSON.stringify({ session_id: `of-${name}`, cwd: server.home, ...prompt }),
          );
          if (status >= 300) wrong.push([name, status]);
          await takeOut(server, [name]);
        }
      },
      restMs,
    );
    expect(wrong).toEqual([]);
    await expectNothingLost(server, load);
  });
}, 180_000);

// Clients.

const refusedClients: Readonly<Record<string, readonly [described: string, said: RegExp]>> = {
  "no-title": ['{ folder: "~/.x" }', /title/],
  "no-folder": ['{ title: "X" }', /folder/],
  "like-nobody": ['{ title: "X", folder: "~/.x", like: "emacs" }', /like/],
  "odd-field": ['{ title: "X", folder: "~/.x", foldr: 1 }', /foldr/],
  "a-function": ['{ title: "X", folder: () => "/" }', /./],
  "odd-event": ['{ title: "X", folder: "~/.x", payload: { events: { a: "Nowhere" } } }', /events/],
  "empty-path": ['{ title: "X", folder: "~/.x", payload: { fields: { cwd: "" } } }', /cwd/],
  "no-paths": ['{ title: "X", folder: [] }', /folder/],
  "no-place": ['{ title: "X", folder: "~/.x", results: { exitIn: "none" } }', /exit/],
  "odd-answer": ['{ title: "X", folder: "~/.x", answer: { Nowhere: "a" } }', /answer/],
  "odd-line": [
    '{ title: "X", folder: "~/.x", transcripts: { folder: "~/x", lines: [{ is: "sung" }] } }',
    /is/,
  ],
  "a-list": ["[]", /./],
  "a-getter": ['{ get title() { throw new Error("in a getter"); }, folder: "~/.x" }', /./],
};
const wild = plugin(
  "wild",
  `clients: { wild: { title: "Wild", folder: "/",
    payload: { fields: { session_id: "s", cwd: "c", hook_event_name: "e", prompt: "p", tool_name: "t", tool_input: "i", tool_use_id: "u", tool_response: "r", transcript_path: "x" }, events: { p: "UserPromptSubmit", u: "PostToolUse", b: "SessionStart", z: "SessionEnd" } },
    tools: { names: { constructor: "Bash" }, server: "{server}{tool}" },
    results: { text: "r.t", exit: "r.code", exitIn: "{exit}", failed: "r.f", diff: "r.d" },
    answer: { SessionStart: "__proto__.polluted" },
    transcripts: { folder: "/dev", session: "*{session}", time: "at", fillsIn: true, lines: [{ is: "prompt", when: { "": "" }, text: "a.b" }] } } },`,
);
const base = { s: "w1", c: "/w", e: "p", p: "Go." };
const nested = (depth: number) => `${'{"a":'.repeat(depth)}1${"}".repeat(depth)}`;
const payloads: Readonly<Record<string, string>> = {
  nothing: "",
  "no-json": "{",
  number: "7",
  text: '"text"',
  null: "null",
  list: "[[]]",
  deep: nested(50_000),
  "deep-input": `{"s":"w1","c":"/w","e":"x","t":"Bash","u":"1","i":${nested(5_000)}}`,
  "no-session": JSON.stringify({ ...base, s: undefined }),
  "list-session": JSON.stringify({ ...base, s: ["a"] }),
  "path-session": JSON.stringify({ ...base, s: "../../../etc/passwd" }),
  "nul-session": JSON.stringify({ ...base, s: "a\0b" }),
  "long-session": JSON.stringify({ ...base, s: "s".repeat(1_000_000) }),
  proto:
    '{"__proto__":{"e":"p"},"s":"w1","c":"/w","e":"p","p":"x","constructor":{"prototype":{"x":1}}}',
  "no-folder": JSON.stringify({ ...base, c: 7 }),
  "event-list": JSON.stringify({ ...base, e: ["p"] }),
  "event-proto": JSON.stringify({ ...base, e: "__proto__" }),
  "half-character": '{"s":"w1","c":"/w","e":"p","p":"\\ud83d"}',
  huge: JSON.stringify({ ...base, p: "x".repeat(5_000_000) }),
  "endless-file": JSON.stringify({ ...base, x: "/dev/zero" }),
  "waiting-file": JSON.stringify({ ...base, x: "/dev/tty" }),
  "folder-file": JSON.stringify({ ...base, e: "z", x: "/" }),
  tool: JSON.stringify({
    ...base,
    e: "x",
    t: "constructor",
    u: "__proto__",
    i: "[",
    r: { t: {}, code: "x", f: {}, d: "@@ -1e9,1 +1,1 @@" },
  }),
  start: JSON.stringify({ ...base, e: "b" }),
};

test("clients and their payloads break in thirty-seven ways, and the session goes on", async () => {
  await withPluginServer({ ...limits, "plugins/wild.ts": wild }, async (server) => {
    await server.start();
    const wrong: unknown[] = [];
    const load = await underLoad(
      server,
      async () => {
        for (const [name, body] of Object.entries(payloads)) {
          // Whoever reads a file without an end never answers.
          const answer = await ask(server, "/hook/wild", { method: "POST", body });
          const text = await answer.text();
          if (answer.status >= 500 || /\n\s+at /.test(text))
            wrong.push([name, answer.status, text.slice(0, 300)]);
        }
        const refused = Object.entries(refusedClients);
        const files = refused.map(([name, [described]]) => [
          name,
          plugin(name, `clients: { "c-${name}": ${described} as never },`),
        ]);
        const found = await dropIn(server, Object.fromEntries(files));
        const said = refused.map(([name, [, words]]) => [name, words]);
        wrong.push(...unlike(found, Object.fromEntries(said)));
        expect(
          (await server.ask<Listed>("/api/plugins")).plugins.find(({ name }) => name === "wild")
            ?.state,
        ).toBe("running");
      },
      restMs,
    );
    expect(wrong).toEqual([]);
    await expectNothingLost(server, load);
  });
}, 180_000);

// `memoir memory export` and `memoir memory import` through a server: the file, its beginning and end, what is refused and what is said.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, readdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { textsOf } from "../../../src/cli/memory/transfer.ts";
import { memoirPaths } from "../../../src/home/paths.ts";
import { openRecords } from "../../../src/records/record-store.ts";
import {
  noon,
  sampleMemory,
  sampleObservation,
  samplePrompt,
  sampleSession,
  sampleSummary,
  sampleTurn,
} from "../../../src/testing/samples.ts";
import { inFolder } from "../../support/in-folder.ts";
import { ownHome } from "../../support/own-home.ts";
import { runMemoir } from "../../support/run-memoir.ts";

let place: Awaited<ReturnType<typeof ownHome>>;
let file: string;
beforeAll(async () => {
  place = await ownHome();
  file = join(place.root, "memory.jsonl");
  const records = await openRecords(memoirPaths(place.home).memory, () => noon);
  for (let at = 0; at < 30; at++) {
    const session = `session-${at}`;
    const time = noon + at * 1_000;
    await records.put({
      key: session,
      records: {
        sessions: [
          sampleSession({ id: session, startedAt: time, lastActiveAt: time, title: `T ${at}` }),
        ],
        prompts: [samplePrompt({ session, time })],
        turns: [sampleTurn({ session, startedAt: time, time })],
        observations: [
          sampleObservation({ session, time, title: `Finding ${at % 4}`, facts: [`${at}`] }),
        ],
        summaries: [sampleSummary({ session, time })],
        memory: [sampleMemory({ session, content: `Item ${at}` })],
      },
    });
  }
  records.close();
});
afterAll(() => place.end());

const memoir = (args: string[], home = place.home, stdin?: string) =>
  runMemoir(args, { HOME: place.root, MEMOIR_HOME: home }, place.root, stdin);

/** Lines of an export without its time, and with its ids replaced by nothing. */
const comparable = (text: string) =>
  text
    .replace(/"time":"[^"]*","by"/, '"by"')
    .replaceAll(/"(id|supersededBy)":"[a-z]\d+"/g, '"$1":""');

/** An empty home with a server of its own. */
async function elsewhere(work: (home: string) => Promise<void>) {
  await inFolder(async (folder) => {
    const home = join(folder, "home");
    await mkdir(home);
    try {
      await work(home);
    } finally {
      await memoir(["server", "stop"], home);
    }
  });
}

test("an export, imported into an empty home and exported again, has the same bytes but for ids and its time", async () => {
  const out = await memoir(["memory", "export", file]);
  expect([out.code, out.out]).toEqual([
    0,
    expect.stringMatching(/^✓ 180 records, \d+ kB: .*memory\.jsonl\n$/),
  ]);
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  const text = await readFile(file, "utf8");
  const lines = text.trimEnd().split("\n");
  expect(JSON.parse(lines[0] ?? "")).toMatchObject({ memoir: "export", version: 1 });
  expect(JSON.parse(lines.at(-1) ?? "")).toMatchObject({ memoir: "end", records: { turn: 30 } });
  await elsewhere(async (home) => {
    const dry = await memoir(["memory", "import", file, "--dry-run"], home);
    expect(dry.out).toStartWith("✓ 180 records would be stored: 30 sessions, 30 prompts, ");
    expect((await memoir(["memory", "import", file], home)).out).toStartWith(
      "✓ 180 records stored",
    );
    const again = await memoir(["memory", "export"], home);
    expect(comparable(again.out)).toBe(comparable(text));
    const repeated = await memoir(["memory", "import", "-", "--json"], home, text);
    expect(JSON.parse(repeated.out)).toMatchObject({
      stored: {},
      known: 180,
      bad: 0,
      isWhole: true,
    });
  });
});

test("bad lines are named and left out; an export that ends early says so", async () => {
  const lines = (await readFile(file, "utf8")).trimEnd().split("\n");
  const broken = [...lines.slice(0, 10), '{"kind":"prompt","record":{', ...lines.slice(10, -1)];
  await elsewhere(async (home) => {
    const result = await memoir(["memory", "import", "-"], home, broken.join("\n"));
    expect([result.code, result.err]).toEqual([1, "line 11: it is not valid JSON\n"]);
    expect(result.out).toContain("180 records stored");
    expect(result.out).toContain("  1 line left out.\n  The file ends early: ");
  });
});

test("what is no export, one of another version, and what is not there are refused in words", async () => {
  const other = join(place.root, "other.jsonl");
  const refused = async (text: string) => {
    await writeFile(other, text);
    const { code, err } = await memoir(["memory", "import", other]);
    expect(code).toBe(1);
    return err;
  };
  expect(await refused("")).toContain("does not begin as an export of memoir does");
  expect(await refused('{"kind":"prompt"}\n')).toContain(
    "does not begin as an export of memoir does",
  );
  expect(await refused('{"memoir":"export","version":2}\n')).toContain(
    "an export of version 2; this memoir reads version 1",
  );
  await rm(other);
  expect((await memoir(["memory", "import", other])).err).toContain("cannot be read");
  expect((await memoir(["memory", "import"])).err).toContain("Which file is to be imported?");
  expect((await memoir(["memory", "export", join(place.root, "nowhere", "x")])).err).toContain(
    "cannot be written",
  );
  expect((await readdir(place.root)).filter((name) => name.endsWith(".tmp"))).toEqual([]);
});

test("lines are cut wherever chunks end; one that is longer than any record is passed over without being held", async () => {
  const read = async (chunks: Array<string | Buffer>) => {
    const found = [];
    for await (const line of textsOf(chunksOf(chunks))) found.push(line);
    return found;
  };
  const bytes = Buffer.from("ä\nbö\r\n\nc");
  const wanted = [
    { line: 1, text: "ä" },
    { line: 2, text: "bö" },
    { line: 3, text: "" },
    { line: 4, text: "c" },
  ];
  for (let size = 1; size < bytes.length; size++) {
    const parts = [];
    for (let at = 0; at < bytes.length; at += size) parts.push(bytes.subarray(at, at + size));
    expect(await read(parts)).toEqual(wanted);
  }
  const long = Array.from({ length: 17 }, () => Buffer.alloc(1024 * 1024, "x"));
  expect(await read(["a\n", ...long, "\nb"])).toEqual([
    { line: 1, text: "a" },
    { line: 2, error: "it is longer than 16777216 bytes" },
    { line: 3, text: "b" },
  ]);
});

async function* chunksOf(chunks: Array<string | Buffer>) {
  yield* chunks;
}

// What `memoir upgrade` believes: signatures, keys that change hands, old lists, versions that do not read what is there.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { upgrade } from "../../../src/cli/setup/upgrade.ts";
import { openDatabase } from "../../../src/host/sqlite.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";
import { idOf, type ReleaseServer, releaseServer, scriptOf } from "../../support/signed-release.ts";

let server: ReleaseServer;
let home: string;
let binary: string;

beforeAll(async () => {
  server = await releaseServer();
});
afterAll(() => server.stop());
beforeEach(async () => {
  server.files.clear();
  home = await mkdtemp(join(tmpdir(), "memoir-trust-"));
  binary = join(home, "bin/memoir");
  await mkdir(join(home, "bin"));
  await writeFile(binary, scriptOf("1.0.0+abc"), { mode: 0o755 });
  await configure({ from: server.url, signedBy: await server.key("first") });
});
afterEach(() => rm(home, { recursive: true, force: true }));

const configure = (settings: object) =>
  writeFile(join(home, "config.json"), JSON.stringify({ upgrade: settings }));
const installed = async () => JSON.parse((await readFile(binary, "utf8")).split("'")[1] ?? "");

interface Ran {
  code: number | string;
  /** What was printed, or the error with its fix. */
  said: string;
}

async function run(
  options: Parameters<typeof upgrade>[1] = {},
  wanted?: string,
  now = Date.now,
  published: Parameters<typeof upgrade>[3] = { address: "", keys: [] },
): Promise<Ran> {
  const env = { ...process.env, HOME: home, MEMOIR_HOME: home };
  const terminal = plainTerminal({ env, now });
  try {
    const code = await upgrade(wanted, options, terminal, published);
    return { code, said: [...terminal.out, ...terminal.err].join("\n") };
  } catch (error) {
    const { code, message, fix } = error as { code: string; message: string; fix: string };
    return { code, said: `${message}\n${fix}` };
  }
}

/** Nothing changed, nothing is left behind, and nothing that destroys is suggested. */
async function expectRefused(ran: Ran, says: string): Promise<void> {
  expect(ran.said).toContain(says);
  expect(ran.code).toBe("upgrade_failed");
  expect(ran.said).not.toMatch(/\b(?:rm|delete|remove|sudo|--unsigned)\b/);
  expect((await installed()).version).toBe("1.0.0+abc");
  expect(await readdir(join(home, "bin"))).toEqual(["memoir"]);
}

/** Puts something else in place of a served text. */
function tamper(path: string, change: (text: string) => string): void {
  const answer = server.files.get(path);
  const text = typeof answer === "string" ? answer : "";
  expect(change(text)).not.toBe(text);
  server.files.set(path, change(text));
}

const html = "<!DOCTYPE html><title>Sign in</title>";
const [list, signature] = ["/SHA256SUMS", "/SHA256SUMS.minisig"];

describe("a release that is not as its publisher left it", () => {
  const tampered: Array<[string, () => unknown, string]> = [
    [
      "the file",
      () => tamper(`/${server.name}`, (text) => `${text}evil\n`),
      "is not what the release's sums say",
    ],
    [
      "the file's sum",
      () => tamper(list, (text) => text.replace(/^[0-9a-f]{8}/m, "00000000")),
      "is not of this list of files",
    ],
    [
      "the list's version",
      () => tamper(list, (text) => text.replace("2.0.0", "3.0.0")),
      "is not of this list of files",
    ],
    [
      "the signature",
      () =>
        tamper(signature, (text) =>
          text.replace(/(?<=^RU.{40})./m, (c) => (c === "A" ? "B" : "A")),
        ),
      "is not of this list of files",
    ],
    [
      "the trusted comment",
      () => tamper(signature, (text) => text.replace("2.0.0", "3.0.0")),
      "is not of this list of files",
    ],
    [
      "signed for something else by the same key",
      () => server.publish("2.0.0", { comment: "memoir key 0123456789ABCDEF" }),
      'is signed as "memoir key 0123456789ABCDEF", not as what it says',
    ],
    ["no signature", () => server.files.delete(signature), "has no signature"],
    ["half a signature", () => tamper(signature, (text) => text.slice(0, 99)), "is no signature"],
    ["a sign-in page for the list", () => server.files.set(list, html), "is a web page"],
    [
      "a sign-in page for all",
      () => {
        for (const path of server.files.keys()) server.files.set(path, html);
      },
      "sign in first",
    ],
    ["a sign-in page for the signature", () => server.files.set(signature, html), "sign in first"],
    [
      "a sign-in page for the file",
      () => server.files.set(`/${server.name}`, html),
      "is not what the release's sums say",
    ],
    [
      "a sign-in page for the compressed file",
      async () => {
        await server.publish("2.0.0", { packed: true });
        server.files.set(`/${server.name}.gz`, html);
      },
      "is not what the release's sums say",
    ],
    ["signed by a stranger", () => server.publish("2.0.0", { key: "stranger" }), "does not know"],
    [
      "a stranger's key under the name of a known one",
      async () => {
        await server.publish("2.0.0", { key: "stranger" });
        const own = idOf(await server.key("first"));
        tamper(signature, (text) => {
          const lines = text.split("\n");
          const bytes = Buffer.from(lines[1] ?? "", "base64");
          Buffer.from(own, "hex").reverse().copy(bytes, 2);
          return lines.with(1, bytes.toString("base64")).join("\n");
        });
      },
      "is not of this list of files",
    ],
    [
      "another version's binary",
      () => server.publish("2.0.0", { data: scriptOf("0.1.0") }),
      "The release's file is memoir 0.1.0, not 2.0.0.",
    ],
    [
      "a file for another machine",
      () => server.publish("2.0.0", { data: "\u007fELF not for here" }),
      "is no memoir that runs here",
    ],
    [
      "cut off",
      () =>
        server.files.set(`/${server.name}`, () => {
          const cut = new ReadableStream({
            pull(controller) {
              controller.enqueue(new Uint8Array(10));
              controller.close();
            },
          });
          return new Response(cut, { headers: { "content-length": "1000" } });
        }),
      "is not what the release's sums say",
    ],
  ];
  test.each(tampered)("%s: refused", async (_name, prepare, says) => {
    await server.publish("2.0.0");
    await prepare();
    await expectRefused(await run(), says);
  });

  test("as it was left it is installed, also by any of its own names", async () => {
    await server.publish("2.0.0", { packed: true, notes: "## 2.0.0\n\n- All \u001b[31mnew\n" });
    const check = await run({ check: true });
    expect(check).toEqual({
      code: 10,
      said: "memoir 2.0.0 of 2026-11-27 is available; installed is 1.0.0+abc. `memoir upgrade` installs it.\n\n2.0.0\n\n- All new",
    });
    const json = JSON.parse((await run({ check: true, json: true })).said);
    expect(json).toMatchObject({
      ...{ state: "available", version: "1.0.0+abc", offered: "2.0.0", date: "2026-11-27" },
      signedBy: idOf(await server.key("first")),
    });
    const { code, said } = await run();
    expect(code).toBe(0);
    const key = idOf(await server.key("first"));
    expect(said).toContain(`memoir 1.0.0+abc → 2.0.0, signed with the key ${key}\n\n2.0.0`);
    expect(said).toContain(`go back with \`${home}/bin/memoir-previous upgrade --back\`.`);
    expect((await run({ check: true })).code).toBe(0);
  });
});

describe("keys", () => {
  test("a spare key signs as well as the first; without any key only the asked go by sums", async () => {
    await server.publish("2.0.0");
    await configure({ from: server.url });
    const without = await run();
    expect(without.code).toBe("upgrade_failed");
    expect(without.said).toContain("knows no key");
    expect((await run({ check: true })).code).toBe(10);
    server.files.delete(signature);
    expect((await run({ unsigned: true })).code).toBe(0);
    await configure({ from: server.url, signedBy: await server.key("first") });
    expect((await run({ unsigned: true })).said).toContain("only signed releases are installed");
    expect((await run({ unsigned: true })).said).toContain("Leave `--unsigned` away.");
  });

  test("the address and keys that memoir was published with count where config names none", async () => {
    await server.publish("2.0.0", { key: "spare" });
    await configure({});
    const keys = await Promise.all(["first", "spare"].map((name) => server.key(name)));
    const by = (...trusted: string[]) =>
      run({}, undefined, undefined, { address: server.url, keys: trusted });
    await expectRefused(await by(keys[0] ?? ""), "which this memoir does not know");
    const ran = await by(...keys);
    expect(ran.said).toContain(`→ 2.0.0, signed with the key ${idOf(keys[1] ?? "")}\n`);
    expect((await installed()).version).toBe("2.0.0");
  });

  test("a new key follows the old step by step, and only so", async () => {
    await server.publish("2.0.0", { key: "third" });
    await server.hand("second", "third");
    await expectRefused(await run(), `key ${idOf(await server.key("third"))}, which`);
    await server.hand("first", "second");
    expect((await run()).code).toBe(0);
    expect((await installed()).version).toBe("2.0.0");
  });

  test.each([
    [5, 0],
    [6, "upgrade_failed"],
  ])("over %p new keys at once: %p", async (steps, code) => {
    const names = ["first", ...Array.from({ length: steps }, (_, at) => `next ${at}`)];
    await server.publish("2.0.0", { key: names.at(-1) ?? "" });
    for (const [at, name] of names.slice(1).entries()) await server.hand(names[at] ?? "", name);
    expect((await run()).code).toBe(code);
  });

  const broken: Array<[string, (next: string) => unknown]> = [
    [
      "another key in its file",
      async (next) => server.files.set(`/${next}.pub`, await server.key("stranger")),
    ],
    [
      "its key altered",
      (next) =>
        tamper(`/${next}.pub`, (text) => text.replace(/.(?=\n$)/, (c) => (c === "A" ? "B" : "A"))),
    ],
    [
      "signed for something else",
      () => server.hand("first", "second", `memoir 2.0.0 2026-11-27 ${"0".repeat(40)}`),
    ],
    ["no signature of it", (next) => server.files.delete(`/${next}.pub.minisig`)],
    ["signed by itself", () => server.hand("second", "second")],
    [
      "a list's signature beside it",
      (next) => server.files.set(`/${next}.pub.minisig`, server.files.get(signature) ?? ""),
    ],
  ];
  test.each(broken)("%s: the new key is not believed", async (_name, prepare) => {
    await server.publish("2.0.0", { key: "second" });
    await server.hand("first", "second");
    await prepare(idOf(await server.key("second")));
    await expectRefused(await run(), "which this memoir does not know");
  });
});

describe("versions", () => {
  test("an old list that is served again is refused; withdrawn, it is taken when asked for", async () => {
    await server.publish("2.0.0");
    const old = [list, signature, `/${server.name}`].map(
      (path) => [path, server.files.get(path) ?? ""] as const,
    );
    await server.publish("2.1.0");
    expect((await run({ check: true })).code).toBe(10);
    for (const [path, answer] of old) server.files.set(path, answer);
    await expectRefused(await run({ check: true }), "an old list is served again");
    await expectRefused(await run(), "memoir 2.1.0 of 2026-11-27 was there before");
    expect((await run({ older: true })).code).toBe(0);
    expect((await installed()).version).toBe("2.0.0");
    expect((await run({ check: true })).code).toBe(0);
  });

  test("an older build of the same version is an old list, a later one is not", async () => {
    await server.publish("2.0.0", { date: "2026-11-27" });
    expect((await run({ check: true })).code).toBe(10);
    await server.publish("2.0.0", { date: "2026-11-26" });
    await expectRefused(await run(), "of 2026-11-27 was there before");
    await server.publish("2.0.0", { date: "2026-12-01" });
    expect((await run({ check: true })).code).toBe(10);
  });

  test("a list that nobody signed is no measure", async () => {
    await configure({ from: server.url });
    await server.publish("9.0.0");
    await run({ check: true });
    await configure({ from: server.url, signedBy: await server.key("first") });
    await server.publish("2.0.0");
    expect((await run()).code).toBe(0);
  });

  test("a chosen version comes from its own folder, older ones only when asked for", async () => {
    await server.publish("0.9.0");
    await server.publish("1.5.0");
    await server.publish("2.0.0");
    await run({ check: true });
    expect((await run({}, "v1.5.0")).code).toBe(0);
    expect((await installed()).version).toBe("1.5.0");
    expect((await run({}, "0.9.0")).said).toContain("add `--older`");
    expect((await run({ older: true }, "0.9.0")).code).toBe(0);
    expect((await run({}, "3.0.0")).said).toBe(
      `There is no release at ${server.url}/v3.0.0.\nCheck the address, and the version if you named one.`,
    );
    expect((await run({}, "latest")).said).toContain('"latest" is no version.');
    for (const path of [list, signature])
      server.files.set(`/v1.0.0${path}`, server.files.get(path) ?? "");
    expect((await run({}, "1.0.0")).said).toContain("has memoir 2.0.0, not 1.0.0.");
    expect((await run({ back: true }, "1.0.0")).code).toBe("usage");
  });

  test("one that cannot read the memory that is there is refused, forward and back", async () => {
    const db = await openDatabase(join(home, "memory.db"));
    db.exec("CREATE TABLE t (x); PRAGMA user_version = 9");
    db.close();
    const says = "cannot read memory.db: it has schema 9, and that version knows up to 8.";
    await server.publish("2.0.0", { schemas: { "memory.db": 8 } });
    await expectRefused(await run(), says);
    await writeFile(join(home, "bin/memoir-previous"), scriptOf("0.9.0", { "memory.db": 8 }), {
      mode: 0o755,
    });
    expect((await run({ back: true })).said).toContain(says);
    expect((await installed()).version).toBe("1.0.0+abc");
    await server.publish("2.0.1", { schemas: { "memory.db": 10 } });
    expect((await run()).code).toBe(0);
  });

  test("what is kept is the version from before, also where both are the same", async () => {
    await server.publish("2.0.0");
    await run();
    await run({ back: true });
    expect((await installed()).version).toBe("1.0.0+abc");
    const previous = join(home, "bin/memoir-previous");
    expect(await readFile(previous, "utf8")).toBe(scriptOf("2.0.0"));
    await writeFile(previous, await readFile(binary), { mode: 0o755 });
    expect((await run({ back: true })).said).toContain("is the installed one");
  });
});

test("once a day at most, and only when config says so, the server's look keeps what is the latest", async () => {
  await server.publish("2.0.0");
  server.asked.length = 0;
  const hour = 60 * 60_000;
  const look = (at: number) => run({ check: true, daily: true }, undefined, () => at * hour);
  expect(await look(1000)).toEqual({ code: 0, said: "" });
  expect(server.asked).toEqual([]);
  await configure({ from: server.url, signedBy: await server.key("first"), daily: true });
  expect((await look(1000)).code).toBe(10);
  expect(JSON.parse(await readFile(join(home, "upgrade.json"), "utf8"))).toEqual({
    lookedAt: 1000 * hour,
    newest: { version: "2.0.0", date: "2026-11-27" },
  });
  server.asked.length = 0;
  server.files.clear();
  expect((await look(1020)).said).toBe("");
  expect(server.asked).toEqual([]);
  expect((await look(1024)).code).toBe("upgrade_failed");
  expect((await look(1025)).said).toBe("");
});

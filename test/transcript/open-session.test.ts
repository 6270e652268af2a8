// Whether a client has a session open, by what clients say of themselves; in doubt it is open or unknown, never closed.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, readFile, readlink, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import process from "node:process";
import { sessionUse } from "../../src/transcript/in-use.ts";

let config: string;
let transcript: string;

beforeEach(async () => {
  config = await mkdtemp(join(tmpdir(), "memoir-open-"));
  transcript = join(config, "projects", "-home-kim-shop", "s1.jsonl");
  await mkdir(join(config, "sessions"));
});
afterEach(() => rm(config, { recursive: true, force: true }));

const say = (name: string, entry: unknown) =>
  writeFile(
    join(config, "sessions", name),
    typeof entry === "string" ? entry : JSON.stringify(entry),
  );
const own = { pid: process.pid, sessionId: "s1" };
/** The kernel gives out smaller ones. */
const nobody = 2 ** 30;

describe("sessionUse", () => {
  test.each<[string, string, unknown, string]>([
    ["a process that runs", "1.json", own, "open"],
    ["one on another session", "1.json", { ...own, sessionId: "s2" }, "closed"],
    ["one that is gone", "1.json", { ...own, pid: nobody }, "closed"],
    ["another one with its number", "1.json", { ...own, procStart: "1" }, "closed"],
    ["one that nobody can see", "1.json", { ...own, pid: nobody, pidDomain: "x:pid:[1]" }, "open"],
    ["one without a number", "x.json", { sessionId: "s1" }, "open"],
    ["half a file of one that runs", `${process.pid}.json`, '{"pid', "unknown"],
    ["half a file of one that is gone", `${nobody}.json`, '{"pid', "closed"],
    ["something else", "1.a2b4.key", own, "closed"],
  ])("%s", async (_, name, entry, use) => {
    // Only Linux tells start times and namespaces.
    const fields = Object.keys(typeof entry === "object" && entry !== null ? entry : {});
    if (process.platform !== "linux" && fields.some((key) => /^(procStart|pidDomain)$/.test(key)))
      return expect(process.platform).not.toBe("linux");
    await say(name, entry);
    expect(await sessionUse(transcript, "s1")).toBe(use as "open");
  });

  test.skipIf(process.platform !== "linux")("with its real start and namespace", async () => {
    const stat = await readFile("/proc/self/stat", "utf8");
    const procStart = stat.slice(stat.lastIndexOf(")") + 2).split(" ")[19];
    const pidDomain = `linux:abc:${await readlink("/proc/self/ns/pid")}`;
    await say("1.json", { ...own, procStart, pidDomain });
    expect(await sessionUse(transcript, "s1")).toBe("open");
  });

  test("a client that says nothing of its sessions", async () => {
    await rm(join(config, "sessions"), { recursive: true });
    expect(await sessionUse(transcript, "s1")).toBe("unknown");
    expect(await sessionUse(join(config, "elsewhere", "s1.jsonl"), "s1")).toBe("unknown");
  });
});

// Whether a result is reduced at all: its size, what it would save, and that it is not reduced twice.
import { describe, expect, test } from "bun:test";
import { decide, remember, weight } from "../../../plugins/endless-live/index.ts";
import { recallLine } from "../../../plugins/endless-live/reducer.ts";
import { createSeen } from "../../../plugins/endless-live/seen.ts";
import { defaultPolicy } from "./cases.ts";

const recall = "memoir recall t1";
const bash = (stdout: string) => ({
  ...{ id: "t1", tool: "Bash", input: { command: "./long" }, recall },
  response: { stdout, stderr: "", interrupted: false },
});
const log = (characters: number) =>
  Array.from({ length: Math.ceil(characters / 40) }, (_, at) =>
    `row ${at} of it, `.padEnd(39, "x"),
  ).join("\n");
const reduced = (arrived: Parameters<typeof decide>[0], policy = defaultPolicy) =>
  decide(arrived, createSeen().of("s1", undefined), policy);

describe("a result", () => {
  test("is reduced above its tool's size", () => {
    const text = log(20_000);
    const over = (characters: number) => ({ ...defaultPolicy, over: { Bash: characters } });
    expect(reduced(bash(text), over(text.length - 1))?.before).toBe(text);
    expect(reduced(bash(text), over(text.length))).toBeUndefined();
  });
  test("of a tool that is to be left, or that nobody knows, stays", () => {
    expect(reduced(bash(log(20_000)), { ...defaultPolicy, leave: ["Bash"] })).toBeUndefined();
    expect(reduced({ ...bash(log(20_000)), tool: "Frobnicate" })).toBeUndefined();
  });
  test("that was reduced already stays", () => {
    const text = `${log(20_000)}\n${recallLine({ recall }, "3 of 9 lines")}`;
    expect(reduced(bash(text))).toBeUndefined();
  });
  test("stays where the replacement saves too little", () => {
    expect(reduced(bash(log(20_000)), { ...defaultPolicy, leastSaved: 19_999 })).toBeUndefined();
    expect(reduced(bash(log(20_000)), { ...defaultPolicy, leastShare: 0.999 })).toBeUndefined();
  });
  test("that a shell prints of a file stays, but long data, logs and texts, which nobody edits line by line", () => {
    const printed = (command: string, characters: number) =>
      reduced({ ...bash(log(characters)), input: { command } });
    for (const name of ["app.log", "orders.csv", "notes.md"]) {
      expect(printed(`cat var/${name}`, 9_000)).toBeUndefined();
      expect(printed(`cat var/${name}`, 12_000)).toBeDefined();
    }
    // Settings that are explained at length are texts, too.
    const explained = (sign: string) =>
      Array.from({ length: 90 }, (_, at) => {
        const said = ["is for halls", "(see there), or not", "means: none", "1 to 9, then 0"];
        return [...said.map((one) => `${sign} part ${one}, as it says`), `part ${at}`].join("\n");
      }).join("\n");
    const input = { command: "cat /etc/shop/shop.conf" };
    expect(reduced({ ...bash(explained("#")), input })).toBeDefined();
    expect(reduced({ ...bash(explained("do")), input })).toBeUndefined();
    // A name that says nothing is told by its lines.
    expect(printed("tail -n 300 var/shop.acc", 12_000)).toBeDefined();
    for (const command of [
      "cat a.ts",
      "cat app.log a.ts",
      "cat a.acc a.ts",
      "cat Makefile",
      "cat package.json",
    ])
      expect(printed(command, 12_000)).toBeUndefined();
  });
  test("of a second command on the same thing stays, up to a size; the same again, and one on something else, do not", () => {
    const seen = createSeen().of("s1", undefined);
    const ran = (command: string, characters = 9_000) => {
      const arrived = { ...bash(log(characters)), input: { command } };
      const smaller = decide(arrived, seen, defaultPolicy);
      remember(arrived, smaller, seen);
      return smaller !== undefined;
    };
    expect(ran("cd /srv/shop2024 && kubectl describe pods web-7f9c4d web-8a1b2c")).toBe(true);
    expect(ran("cd /srv/shop2024 && kubectl get events")).toBe(true);
    expect(ran("kubectl describe pod web-7f9c4d")).toBe(false);
    expect(ran("kubectl describe pod web-7f9c4d", 12_000)).toBe(true);
    expect(ran("kubectl describe pod web-7f9c4d")).toBe(true);
    expect(ran("kubectl describe pod web-9d9d9d")).toBe(true);
  });
  test("that the client shows as a preview by itself saves no more than the preview", () => {
    const grep = (characters: number) => ({
      ...{ id: "t1", tool: "Grep", input: { pattern: "x" }, recall },
      response: {
        ...{ mode: "content", numFiles: 0, filenames: [] },
        content: Array.from({ length: characters / 40 }, (_, at) =>
          `src/a${at % 9}.ts:${at}:`.padEnd(39, "x"),
        ).join("\n"),
      },
    });
    const policy = { ...defaultPolicy, searchCharacters: 1_800 };
    expect(reduced(grep(20_000), policy)).toBeDefined();
    expect(reduced(grep(24_000), policy)).toBeUndefined();
  });
});

test("a value weighs the characters of its texts, and four for anything else; no more is counted than is enough", () => {
  expect(weight({ a: "123", b: ["45", { c: "6" }], d: 7, e: null, f: true }, 1_000)).toBe(6 + 12);
  expect(weight(Array(100).fill("12345"), 11)).toBe(15);
  expect(weight("12345", 5)).toBe(5);
});

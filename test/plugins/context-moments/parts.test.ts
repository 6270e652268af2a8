// The small judgements behind a hint: whether a command is another way of one, how alike two failures are, how it is written.

import { describe, expect, test } from "bun:test";
import { renderFailure, renderFile } from "../../../plugins/context-moments/index.ts";
import {
  type Comparable,
  finder,
  isOtherProgram,
  isOtherWay,
  needsOf,
  normalLine,
  readCommand,
  runsAsMuch,
  runsSame,
} from "../../../plugins/context-moments/likeness.ts";

describe("a command", () => {
  const read = readCommand;
  test("of nothing runs the same as none, and its own program is no other one", () => {
    expect(runsSame(read(""), read("ls src"))).toBe(false);
    expect(isOtherProgram(read("python x.py"), read("python x.py"))).toBe(false);
    expect(isOtherProgram(read("python x.py"), read("python3 x.py"))).toBe(true);
  });
  test.each([
    ["npm test", true],
    ["npm test && npm test", false],
    ["npm test --bail", false],
    ["npm test -- cart", true],
    ["npm test orders", false],
  ])("%s runs as much as npm test, of which cart failed: %p", (line, wanted) => {
    expect(runsAsMuch(read("npm test"), "cart failed, use --bail && retry", read(line))).toBe(
      wanted,
    );
  });
  test("by its whole path is the same program", () => {
    const short = read("bun test cart.test.ts orders.test.ts");
    expect(isOtherWay(short, "", read("/opt/bun/bin/bun test cart.test.ts orders.test.ts"))).toBe(
      true,
    );
    expect(isOtherWay(short, "", read("/opt/deno test cart.test.ts orders.test.ts"))).toBe(false);
  });
  test.each([
    ["src is here", false],
    ["paths are ignored: src/index.ts", true],
  ])("leaves out what the failure named, not any short word of it: %s", (text, wanted) => {
    const failed = read("git add a.ts b.ts c.ts src/index.ts");
    expect(isOtherWay(failed, text, read("git add a.ts b.ts c.ts"))).toBe(wanted);
  });
});

describe("of a runner that lists what passed", () => {
  const log = "Initialized shadow session of the checkpoint test";
  const known = (said: string): Comparable => ({
    ...{ session: "old", project: "shop", time: 1, tool: "make", weight: 1 },
    ...{ about: "make test", done: ["src/cart.ts"] },
    ...{ lines: new Map([[normalLine(said), 1]]), files: ["src/cart.ts"], needs: [], advised: [] },
  });
  const found = (said: string, text: string) =>
    finder([known(said)], () => 1)({ session: "new", about: "make test", text, hidden: false });
  const rest = Array.from({ length: 20 }, (_, at) => `row ${at}`).join("\n");
  test.each([
    [log, `ok  \tshop/orders\t0.2s\n${log}\nFAIL\tshop/cart\t0.3s\nFAIL`, false],
    [log, `${log}\nthe table is locked`, true],
    ["FAIL: TestMergeKeepsCoupons", `ok  \tshop/orders\n--- FAIL: TestMergeKeepsCoupons`, true],
    [
      "(fail) merges coupons of carts",
      `(pass) orders\n${rest}\n(fail) merges coupons of carts`,
      true,
    ],
    [
      "the older coupon was lost here",
      `(pass) orders\nthe older coupon was lost here\n(fail) merges`,
      true,
    ],
    [
      "the older coupon was lost here",
      `the older coupon was lost here\n${rest}\n(pass) orders\n(fail) merges`,
      false,
    ],
    [
      "src/cart.ts:9:3 has no coupon to merge",
      "ok  \tshop/orders\nsrc/cart.ts:12:3 has no coupon to merge",
      true,
    ],
  ])("%s leads to its repair where it is about a test that failed: %j", (said, text, wanted) => {
    expect(found(said, text) !== undefined).toBe(wanted);
  });
});

describe("a known failure is found", () => {
  const lines = ["the first thing is wrong", "the second went astray", "a third was lost there"];
  const known = (part: Partial<Comparable> & { said?: readonly string[] } = {}) => {
    const { said = lines, ...more } = part;
    return {
      ...{ session: "old", project: "shop", time: 1, tool: "bun", weight: said.length, files: [] },
      ...{ about: "bun test", done: [] },
      ...{ lines: new Map(said.map((line) => [line, 1])), needs: [], advised: [], ...more },
    };
  };
  const find = (all: Comparable[], text: string, part: object = {}) =>
    finder(all, () => 1)({ session: "new", about: "bun test", text, hidden: false, ...part })?.time;
  const two = lines.slice(0, 2).join("\n");

  test("by two thirds of it, but not where its exit is hidden or the project is another", () => {
    expect(find([known()], two)).toBe(1);
    expect(find([known()], two, { hidden: true })).toBeUndefined();
    expect(find([known()], two, { notOf: "till" })).toBeUndefined();
    const all = lines.join("\n");
    expect(find([known()], all, { hidden: true })).toBe(1);
    expect(find([known()], all, { notOf: "till" })).toBe(1);
    expect(find([known()], all, { notOf: "shop" })).toBeUndefined();
  });
  test("by another tool's line that names something, neither hidden nor elsewhere", () => {
    const said = ["the module currency-codes is not to be found anywhere"];
    const other = (part: object = {}) =>
      find([known({ said })], said.join("\n"), { about: "make check", ...part });
    expect(other()).toBe(1);
    expect(other({ hidden: true })).toBeUndefined();
    expect(other({ notOf: "till" })).toBeUndefined();
  });
  test("the better match before a newer one, one of the same tool before another's", () => {
    const said = ["the module currency-codes is not to be found anywhere"];
    expect(find([known(), known({ time: 2, said: [...lines, ...said] })], lines.join("\n"))).toBe(
      1,
    );
    const ofOther = known({ time: 2, tool: "make", said });
    expect(find([known({ said }), ofOther], said.join("\n"))).toBe(1);
    expect(find([known({ said }), known({ said, time: 2 })], said.join("\n"))).toBe(2);
  });
  test("of a service's status alone, only for the same call, or where something else mended it", () => {
    const said = ["gh: Not Found (HTTP 404", 'message": "Not Found', 'documentation_url": "#'];
    const asked = (about: string, part: object = {}) =>
      find(
        [known({ said, tool: "gh", about: "gh api repos/a/pulls/1 --jq .path", ...part })],
        'gh: Not Found (HTTP 404)\n{ "message": "Not Found"\n"documentation_url": "https://a.b"',
        { about },
      );
    const other = "gh api repos/a/issues/2/replies";
    expect(asked("gh api repos/a/pulls/1", { done: ["a.ts"] })).toBe(1);
    expect(asked(other, { done: ["a.ts"] })).toBeUndefined();
    expect(asked(other, { done: ["`gh api … --jq .url`"] })).toBeUndefined();
    expect(asked(other, { done: ["`export GH_HOST=git.acme.dev`"] })).toBe(1);
    const curl = ["curl: (22) The requested URL returned error: 404", ...said.slice(1)].map(
      normalLine,
    );
    const got = (about: string) =>
      find(
        [known({ said: curl, tool: "curl", about: "curl a.dev/carts", done: ["a.ts"] })],
        curl.join("\n"),
        { about },
      );
    expect(got("curl a.dev/carts")).toBe(1);
    expect(got("curl a.dev/orders")).toBeUndefined();
    for (const line of [
      "ERROR 404: Not Found.",
      "npm error 404 Not Found",
      "npm ERR! 404 Not Found",
      "Error: server responded with 503 Service Unavailable",
      "wget: server returned error: HTTP/1.1 404 Not Found",
    ]) {
      const part = { said: [normalLine(line)], tool: "wget", about: "wget a.dev/carts" };
      const of = (about: string) => find([known({ ...part, done: ["a.ts"] })], line, { about });
      expect(of("wget a.dev/carts")).toBe(1);
      expect(of("wget a.dev/orders")).toBeUndefined();
    }
    const named = [...said, "there is no pulls.get in this version"];
    const all = `gh: Not Found (HTTP 404)\n"message": "Not Found"\n"documentation_url": "https://a.b"\n${named[3]}`;
    expect(
      find([known({ said: named, tool: "gh", about: "gh api pulls", done: ["a.ts"] })], all, {
        about: other,
      }),
    ).toBe(1);
  });
  test("where only one of both names what the other does not", () => {
    const common = "the call of 'beta' went wrong again";
    const before = known({ said: [common, "the value 'alpha' is missing here"], files: ["a.ts"] });
    const half = {
      ...before,
      lines: new Map([...before.lines].map(([line], at) => [line, at ? 0.5 : 1])),
    };
    const find = finder([{ ...half, weight: 1.5 }], () => 1);
    const ask = (fresh: string) =>
      find({ session: "new", about: "bun test", text: `${common}\n${fresh}`, hidden: false });
    expect(ask("some 'beta' thing was seen there")).toBeDefined();
    expect(ask("some 'gamma' thing was seen there")).toBeUndefined();
  });
  test("needs no id that nobody chose", () => {
    expect(needsOf("no object 'deadbeef12' here", ["git show deadbeef12"])).toEqual([]);
    expect(needsOf("no object 'release' here", ["git show release"])).toEqual(["release"]);
  });
});

describe("what is written", () => {
  const writing = { command: "memoir", day: () => "2026-11-02" };
  const repaired = {
    ...{ fingerprint: "f", turn: "t9", session: "old", time: 0, about: "make", project: "p" },
    ...{ said: "boom", done: ["a.ts"], files: ["a.ts"], closing: "Mended" },
  };
  test("names four files, and how many more", () => {
    const done = ["a.ts", "b.ts", "c.ts", "d.ts", "e.ts"];
    const text = renderFailure({ ...repaired, done, files: done }, writing);
    expect(text).toContain("after a.ts, b.ts, c.ts, d.ts, and 1 more changed. The agent: “Mended”");
  });
  test("has a command without the agent's words, closed where it is cut", () => {
    const done = [`\`git push ${"x".repeat(150)}\``];
    const text = renderFailure({ ...repaired, done, files: [] }, writing);
    expect(text).not.toContain("The agent");
    expect(text).toContain(`after \`git push ${"x".repeat(130)}…\`. `);
  });
  test.each([
    ["Perfect! All tests pass. Carts keep the coupons of both now.", "Carts keep the coupons"],
    ["Perfect! All tests pass. The sum in tax.ts is rounded once.", "The sum in tax.ts is rounded"],
    ["Perfect! All tests pass. Let me sum up what changed.", undefined],
  ])("says of %j what is about the failure or the file", (closing, wanted) => {
    const files = ["src/tax.ts"];
    const one = { ...repaired, said: "coupons were lost", done: files, files, closing };
    const text = renderFailure(one, writing);
    if (wanted === undefined) expect(text).not.toContain("The agent");
    else expect(text).toContain(`The agent: “${wanted}`);
  });
  test("gives the id of two notes once", () => {
    const note = { ...{ kind: "decision" as const, id: "t1", session: "old", time: 0 } };
    const notes = ["One", "Two"].map((text) => ({ ...note, text }));
    expect(renderFile("a.ts", notes, writing)?.ids).toEqual(["t1"]);
  });
});

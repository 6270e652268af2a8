// What an agent does to have back what was taken out: counted once, under who took it out and of which kind, and only where it then used it.
import { afterEach, describe, expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { unfiltered } from "../../../src/runtime/endless/second-looks.ts";
import type { KeepRequest } from "../../../src/sdk/endless.ts";
import type { ClientEvent, ClientEvents } from "../../../src/sdk/events.ts";
import { clientEvent } from "../../support/client-events.ts";
import { type EndlessRoom, keepRequest, openEndlessRoom } from "../../support/endless-room.ts";

let room: EndlessRoom | undefined;
afterEach(async () => {
  await room?.close();
  room = undefined;
});

const lines = Array.from({ length: 60 }, (_, at) => `line number ${at} of cartTotal${at}`);
const bash = (command: string, stdout: string) => ({
  toolName: "Bash",
  toolInput: { command },
  toolResponse: { stdout, stderr: "" },
});
const read = (path: string, content: string) => ({
  toolName: "Read",
  toolInput: { file_path: path, offset: 10 },
  toolResponse: { type: "text", file: { filePath: path, content } },
});

/** A room in which `live` took the middle out of what a tool gave, and an agent goes on. */
async function after(tool: string, input: object, more: Partial<KeepRequest> = {}) {
  room = await openEndlessRoom();
  const { endless } = room;
  const live = endless.client(more.part === "input" ? "transcript" : "live");
  await live.keep(
    keepRequest({
      ...{ tool, otherHalf: input, kind: "middle (1)", before: lines.join("\n") },
      after: [...lines.slice(0, 5), ...lines.slice(-5)].join("\n"),
      ...more,
    }),
  );
  let made = 0;
  const goes = (fields: Partial<ClientEvents["PostToolUse"]>) => {
    const toolUseId = `next_${++made}`;
    endless.heard(clientEvent("PostToolUse", { session: "shop-1", toolUseId, ...fields }));
  };
  const figures = async () => {
    const { tools } = await endless.metrics({ since: 0 });
    return tools.map(({ kind, fetchedBack }) => [kind, fetchedBack]);
  };
  /** What is asked of memoir is looked up first. */
  const counted = async () => {
    while ((await figures()).every(([, fetchedBack]) => fetchedBack === 0)) await Bun.sleep(1);
    return figures();
  };
  /** There is nothing to wait for. */
  const inTheEnd = async () => {
    await Bun.sleep(20);
    return figures();
  };
  const cases = async () =>
    (await endless.metrics({ since: 0 })).misses.map(({ kind, used }) => [kind, used]);
  return { endless, live, goes, counted, inTheEnd, cases };
}
const edit = (old_string: string) => ({
  toolName: "Edit",
  toolInput: { file_path: "/b.ts", old_string, new_string: "" },
  toolResponse: { originalFile: lines.join("\n") },
});
const needed = lines[30] ?? "";
const once = [["middle (1)", 1]];
const never = [["middle (1)", 0]];

describe("is counted, once", () => {
  test.each<[string, string, object, Partial<ClientEvents["PostToolUse"]>]>([
    [
      "the same command with a filter behind",
      "Bash",
      { command: "make test" },
      bash("make test 2>&1 | grep 'number 30'", "line number 30 of cartTotal30"),
    ],
    [
      "with another filter",
      "Bash",
      { command: "make test | tail -100" },
      bash("make test | tail -300", lines.join("\n")),
    ],
    ["the same file", "Read", { file_path: "/a.ts" }, read("/a.ts", lines.join("\n"))],
    ["a part of it", "Read", { file_path: "/a.ts" }, read("/a.ts", lines.slice(25, 35).join("\n"))],
    [
      "a search that says more",
      "Grep",
      { pattern: "number" },
      {
        toolName: "Grep",
        toolInput: { pattern: "number", path: "src" },
        toolResponse: { content: lines.join("\n") },
      },
    ],
    ["its id in a shell", "Read", { file_path: "/a.ts" }, bash("memoir recall toolu_01", "x")],
    [
      "the beginning of its id, with memoir's path",
      "Bash",
      { command: "make" },
      bash('"/h/my bin/memoir" recall toolu_0 --grep one | head', "line one"),
    ],
    [
      "its id by memoir's tool",
      "Bash",
      { command: "make" },
      {
        toolName: "mcp__memoir__recall",
        toolInput: { id: "toolu_01" },
        toolResponse: [{ type: "text", text: "line one" }],
      },
    ],
  ])("%s", async (_, tool, input, next) => {
    const { goes, counted, inTheEnd } = await after(tool, input);
    goes(next);
    goes(edit(needed));
    expect(await counted()).toEqual(once);
    goes({ ...next, ...(next.toolName === "Bash" && { toolInput: { command: "make | cat" } }) });
    goes(edit(needed));
    if (!JSON.stringify(next).includes("recall")) expect(await inTheEnd()).toEqual(once);
  });

  test("a file that was written, whose text left the transcript, and that is read", async () => {
    const value = { file_path: "/a.ts", content: lines.join("\n") };
    const { goes, counted } = await after("Write", value, {
      ...{ part: "input", value, kind: "input cleared" },
      ...{ before: JSON.stringify(value), after: '{"_cleared":true}' },
    });
    goes(read("/a.ts", lines.slice(25, 35).join("\n")));
    goes(edit(needed));
    expect(await counted()).toEqual([["input cleared", 1]]);
  });

  test("a request of memoir that is delivered again", async () => {
    const { goes, counted, inTheEnd } = await after("Read", { file_path: "/a.ts" });
    for (let time = 0; time < 3; time++)
      goes({ ...bash("memoir recall toolu_01", "x"), toolUseId: "the same" });
    await counted();
    expect(await inTheEnd()).toEqual(once);
  });

  test("what a strategy itself notes", async () => {
    const { goes, live, counted } = await after("Read", { file_path: "/a.ts" });
    await live.note({ kind: "reread", session: "shop-1", toolUseId: "toolu_01", characters: 9 });
    goes(read("/a.ts", lines.join("\n")));
    goes(edit(needed));
    expect(await counted()).toEqual(once);
  });
});

describe("is not counted", () => {
  test.each<[string, string, object, Partial<ClientEvents["PostToolUse"]>]>([
    [
      "the very same command again",
      "Bash",
      { command: "make test" },
      bash("make test", lines.join("\n")),
    ],
    [
      "another command with the same lines",
      "Bash",
      { command: "make test" },
      bash("make check", lines.join("\n")),
    ],
    [
      "a filter that shows only what was left",
      "Bash",
      { command: "make test" },
      bash("make test | head -3", lines.slice(0, 3).join("\n")),
    ],
    [
      "a part of a file that was shown",
      "Read",
      { file_path: "/a.ts" },
      read("/a.ts", lines.slice(0, 4).join("\n")),
    ],
    ["another file", "Read", { file_path: "/a.ts" }, read("/b.ts", lines.join("\n"))],
    [
      "another agent's look",
      "Read",
      { file_path: "/a.ts" },
      { ...read("/a.ts", lines.join("\n")), agent: { id: "a1", type: "Explore" } },
    ],
    [
      "another session's",
      "Read",
      { file_path: "/a.ts" },
      { ...read("/a.ts", lines.join("\n")), session: "shop-2" },
    ],
    [
      "what a backfill brings",
      "Read",
      { file_path: "/a.ts" },
      { ...read("/a.ts", lines.join("\n")), recovered: { modelFree: true } },
    ],
    ["an id that nobody kept", "Read", { file_path: "/a.ts" }, bash("memoir recall toolu_9", "")],
    ["a word about it", "Read", { file_path: "/a.ts" }, bash("echo recall toolu_01", "")],
  ])("%s", async (_, tool, input, next) => {
    const { goes, inTheEnd } = await after(tool, input);
    goes(next);
    goes(edit(needed));
    expect(await inTheEnd()).toEqual(never);
  });

  test("a look much later", async () => {
    const { goes, inTheEnd } = await after("Read", { file_path: "/a.ts" });
    for (let at = 0; at < 20; at++) goes(bash(`step ${at}`, "done"));
    goes(read("/a.ts", lines.join("\n")));
    goes(edit(needed));
    expect(await inTheEnd()).toEqual(never);
  });
});

describe("after a second look", () => {
  const look = read("/a.ts", lines.join("\n"));
  const explorer = { agent: { id: "a1", type: "Explore" } };
  const idle = Array.from({ length: 20 }, (_, at) => bash(`step ${at}`, "done"));
  const asked = (prompt: string) => clientEvent("UserPromptSubmit", { session: "shop-1", prompt });
  const answers = (lastAssistantMessage: string) =>
    clientEvent("Stop", { session: "shop-1", lastAssistantMessage });
  const compacted = clientEvent("PostCompact", { session: "shop-1" });
  const other = bash("grep cartTotal30 b.ts", needed);

  type Next = Partial<ClientEvents["PostToolUse"]> | ClientEvent;
  test.each<[string, Next[], string | undefined]>([
    ["nothing is used: reading again is a habit", [look], undefined],
    ["an edit replaces a line of it", [look, edit(needed)], needed],
    ["an edit replaces a part of a line", [look, edit("number 30 of")], "number 30 of"],
    ["a command names it", [look, bash("grep -r cartTotal30 .", "")], "cartTotal30"],
    ["the answer names it", [look, answers("It is `cartTotal30`.")], "cartTotal30"],
    ["an edit replaces what was left", [look, edit(lines[2] ?? "")], undefined],
    ["an edit replaces a part of that", [look, edit("line number 2")], undefined],
    ["a command names a part of a word", [look, bash("grep artTotal30 .", "")], undefined],
    ["a prompt had it", [asked("Rename cartTotal30"), look, bash("rg cartTotal30", "")], undefined],
    ["another result showed it", [other, look, edit(needed)], undefined],
    ["it was used before", [edit(needed), look, bash("rg cartTotal30", "")], undefined],
    ["a result showed it that was compacted away", [other, compacted, look, edit(needed)], needed],
    ["it is used much later", [look, ...idle, edit(needed)], undefined],
    ["a further look shows it", [read("/a.ts", lines[9] ?? ""), look, edit(needed)], needed],
    ["another agent uses it", [look, { ...edit(needed), ...explorer }], undefined],
    ["another session uses it", [look, { ...edit(needed), session: "shop-2" }], undefined],
  ])("%s", async (_, events, used) => {
    const { endless, goes, inTheEnd, cases } = await after("Read", { file_path: "/a.ts" });
    for (const event of events) {
      if ("name" in event) endless.heard(event as ClientEvent);
      else goes(event);
    }
    expect(await inTheEnd()).toEqual(used === undefined ? never : once);
    expect(await cases()).toEqual(used === undefined ? [] : [["middle (1)", used]]);
  });

  test("no line of it outlives what was kept", async () => {
    const { endless, goes, counted, cases } = await after("Read", { file_path: "/a.ts" });
    goes(look);
    goes(edit(needed));
    await counted();
    expect(await cases()).toEqual([["middle (1)", needed]]);
    await endless.forget({ session: "shop-1", toolUses: ["toolu_01"] });
    expect(await cases()).toEqual([]);
    expect(await readFile(room?.path ?? "", "latin1")).not.toContain(needed);
  });
});

test.each([
  ["make test 2>&1 | tail -50", "make test"],
  ["make  test", "make test"],
  ["grep 'a|b' x | head", "grep 'a|b' x"],
  ["make || true", "make || true"],
  ['echo "a | b" | cat', 'echo "a | b"'],
])("%s without its filters", (command, expected) => {
  expect(unfiltered(command)).toBe(expected);
});

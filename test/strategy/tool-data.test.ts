// Tool uses and turns as the data part of a request.
import { describe, expect, test } from "bun:test";
import type { ContextTurn, ToolUse } from "../../src/sdk/work.ts";
import { showToolUses, showTurns } from "../../src/strategy/tool-data.ts";
import { sampleUse } from "../../src/testing/samples.ts";
import { pathsFrom } from "../../src/text/paths.ts";

const bare: Partial<ToolUse> = { input: {}, response: {} };
const limits = { input: 100, result: 200, looked: 200, reasoning: 50 };
const show = (...parts: Partial<ToolUse>[]) =>
  showToolUses({
    toolUses: parts.map((part, i) => sampleUse(`t${i}`, { ...bare, ...part })),
    ...{ prompt: "Fix it.", paths: pathsFrom("/home/ada/shop"), limits },
  }).map(({ text }) => text);
const linesOf = (part: Partial<ToolUse>) => show(part)[0]?.split("\n").slice(1, -1);
const failed = ({ response: _, ...use }: ToolUse, error?: string): ToolUse => ({
  ...use,
  ...(error !== undefined && { error }),
});
const long = "y".repeat(9_000);

describe("a tool use", () => {
  test("is numbered from 1 and told by its time", () => {
    expect(show({}, {}).map((text) => text.split("\n")[0])).toEqual([
      '<use n="1" tool="Read" time="14:05:00">',
      '<use n="2" tool="Read" time="14:05:00">',
    ]);
  });

  test.each<[string, Partial<ToolUse>, string]>([
    ["how long it took", { durationMs: 12.4 }, ' took="12 ms"'],
    ["its subagent's kind", { agent: { id: "a1", type: "Explore" } }, ' subagent="Explore"'],
    ["its subagent's id where no kind is known", { agent: { id: "a1" } }, ' subagent="a1"'],
    [
      "its branch, in one line without quotes or brackets",
      { context: { turns: [], branch: 'a"b>\nc' } },
      ` branch="a'b c"`,
    ],
    ["that it was stopped", { interrupted: true }, ' stopped="by the user"'],
  ])("tells %s", (_, part, attribute) => {
    expect(show(part)[0]).toContain(`${attribute}>`);
    expect(show({})[0]).not.toContain(attribute.split("=")[0] ?? "");
  });

  test.each<[string, Partial<ToolUse>, string[]]>([
    [
      "its parts in order",
      {
        context: { turns: [], userIntent: "Why", reasoning: "As", assistantText: "So" },
        input: { a: 1 },
        response: { b: 2 },
      },
      [
        "<asked>Why</asked>",
        "<reasoning>As</reasoning>",
        "<said>So</said>",
        "<input>a: 1</input>",
        "<result>b: 2</result>",
      ],
    ],
    ["no intent that is the prompt's", { context: { turns: [], userIntent: " Fix it. " } }, []],
    [
      "paths from the project's root",
      { input: { p: "/home/ada/shop/src/a.ts" } },
      ["<input>p: src/a.ts</input>"],
    ],
    [
      "nothing of the input again",
      { input: { a: "thirteen char" }, response: { b: "thirteen char", c: "d" } },
      ["<input>a: thirteen char</input>", "<result>c: d</result>"],
    ],
    [
      "what the transcript has where the response is empty",
      { context: { turns: [], result: "seen" } },
      ["<result>seen</result>"],
    ],
  ])("shows %s", (_, part, lines) => {
    expect(linesOf(part)).toEqual(lines);
  });

  test("that failed shows its error and no result; one without either what the transcript has", () => {
    const use = sampleUse("t", { ...bare, context: { turns: [], result: "seen" } });
    const shown = (one: ToolUse) =>
      showToolUses({ toolUses: [one], prompt: "", paths: pathsFrom("/"), limits })[0]
        ?.text.split("\n")
        .slice(1, -1);
    expect(shown(failed(use, "no"))).toEqual(["<failed>no</failed>"]);
    expect(shown(failed(use))).toEqual(["<result>seen</result>"]);
  });

  test.each<[string, Partial<ToolUse>, number]>([
    ["input", { input: { long } }, limits.input],
    ["result", { response: { long } }, limits.result],
    ["reasoning", { context: { turns: [], reasoning: long } }, limits.reasoning],
    ["words", { context: { turns: [], assistantText: long } }, limits.reasoning],
    ["intent", { context: { turns: [], userIntent: long } }, 600],
  ])("has its %s within bounds", (_, part, most) => {
    const [line = ""] = [linesOf(part)?.join("\n")];
    const length = line.length - "<></>".length - 2 * (/^<(\w+)>/.exec(line)?.[1]?.length ?? 0);
    expect(length).toBeLessThanOrEqual(most);
    expect(length).toBeGreaterThan(most / 2);
  });

  test("does not say again what the last one with words said", () => {
    const context = { turns: [], userIntent: "Why", reasoning: "As" };
    const [, , third = "", fourth = ""] = show(
      { context },
      {},
      { context },
      { context: { ...context, reasoning: "New" } },
    );
    expect(third).not.toContain("<asked>");
    expect(third).not.toContain("<reasoning>");
    expect(fourth).toContain("<reasoning>New</reasoning>");
  });
});

describe("turns", () => {
  const turns = (...texts: string[]) => texts.map((text): ContextTurn => ({ role: "user", text }));
  const shown = (...texts: string[]) =>
    showTurns(
      [sampleUse("t1"), sampleUse("t2", { context: { turns: turns(...texts) } })],
      "Fix it.",
    );

  test("are the last three, without blank ones and the prompt itself", () => {
    expect(shown("1", "2", "3", " ", "4", "Fix it. ")).toBe(
      ["2", "3", "4"].map((text) => `<turn by="user">${text}</turn>`).join("\n"),
    );
  });

  test("are bounded", () => {
    expect(shown(long).length).toBeLessThan(450);
  });

  test("are none where the transcript told none", () => {
    expect(showTurns([sampleUse("t1")], "")).toBe("");
  });
});

test("a change that its result shows line by line is shown once", () => {
  const [before, after] = ["const total = before();\n", "const total = after();\n"].map((line) =>
    line.repeat(12),
  );
  const edit = (structuredPatch: object[]) =>
    showToolUses({
      toolUses: [
        sampleUse("t1", {
          ...{ name: "Edit", input: { file_path: "/a.ts", old_string: before, new_string: after } },
          response: { oldString: before, newString: after, originalFile: before, structuredPatch },
        }),
      ],
      prompt: "",
      paths: pathsFrom("/"),
      limits: { input: 1_500, result: 2_000, looked: 1_200, reasoning: 500 },
    })[0]?.text ?? "";
  const lines = [before, after].flatMap((text, at) =>
    (text ?? "")
      .trim()
      .split("\n")
      .map((line) => `${"-+"[at]}${line}`),
  );
  for (const shown of [edit([{ oldStart: 1, lines }]), edit([])]) {
    expect(shown.match(/before\(\)/g)).toHaveLength(12);
    expect(shown.match(/after\(\)/g)).toHaveLength(12);
  }
});

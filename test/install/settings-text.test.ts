// Settings as text: our hooks go in and out, everything else stays byte for byte.
import { describe, expect, test } from "bun:test";
import { hookCommand } from "../../src/install/hook-command.ts";
import {
  hooksDocument,
  ownHooks,
  parseSettings,
  registration,
  withHooks,
  withoutHooks,
} from "../../src/install/settings.ts";
import { MemoirError } from "../../src/sdk/errors.ts";

const binary = "/home/ann/.memoir/bin/memoir";
const command = hookCommand({
  binary,
  platform: "linux",
  client: "claude-code",
});
const wanted = registration(["SessionStart", "PostToolUse", "SessionEnd"], command);
const put = (text: string) => withHooks(text, wanted, "settings.json");
const take = (text: string) => withoutHooks(text, "settings.json");

const documents: Array<[string, string]> = [
  ["an empty object", "{}\n"],
  ["no line end at the end", '{\n  "model": "opus"\n}'],
  ["tabs", '{\n\t"model": "opus",\n\t"env": {\n\t\t"A": "1"\n\t}\n}\n'],
  ["four spaces", '{\n    "model": "opus"\n}\n'],
  ["CRLF", '{\r\n  "model": "opus",\r\n  "x": [1, 2]\r\n}\r\n'],
  ["a byte order mark", '\ufeff{\n  "model": "opus"\n}\n'],
  ["comments", '{\n  // mine\n  "model": "opus" /* best */\n}\n'],
  ["a single line", '{"model":"opus"}'],
  ["a trailing comma on a single line", '{"model":"opus",}'],
  ["a trailing comma", '{\n  "model": "opus",\n}\n'],
  ["a comment at the end", '{\n  "model": "opus" // mine\n}\n'],
  ["a comma in a comment at the end", '{\n  "model": "opus" // best, and dear\n}\n'],
  ["a comma in a comment of its own line", '{\n  "model": "opus"\n  /* fast, dear */\n}\n'],
  ["only a comment", "{\n  // nothing yet\n}\n"],
  ["an empty list", '{\n  "hooks": {\n    "PostToolUse": []\n  }\n}\n'],
  [
    "a group on one line",
    '{\n\t"hooks": {\n\t\t"PostToolUse": [\n\t\t\t{"matcher": "Edit", "hooks": [{"type": "command", "command": "fmt"}]}\n\t\t]\n\t}\n}\n',
  ],
  [
    "other hooks",
    `${JSON.stringify({ hooks: { PostToolUse: [{ matcher: "Edit", hooks: [{ type: "command", command: "fmt" }] }], Stop: [] } }, null, 2)}\n`,
  ],
];

describe("hooks in settings", () => {
  test.each(documents)("%s: in, twice is once, and out again", (_name, before) => {
    const after = put(before);
    const settings = parseSettings(after, "settings.json");
    expect(
      ownHooks(settings)
        .map((own) => own.event)
        .sort(),
    ).toEqual(["PostToolUse", "SessionEnd", "SessionStart"]);
    expect(ownHooks(settings).every((own) => own.binary === binary)).toBe(true);
    expect(put(after)).toBe(after);
    // An empty list that ours stood in goes with them; everything else comes back to the byte.
    expect(take(after)).toBe(before.includes('"PostToolUse": []') ? "{}\n" : before);
    if (before.includes("\r\n")) expect(after.replaceAll("\r\n", "")).not.toContain("\n");
    if (before.includes("\t")) expect(after).toContain('\n\t"hooks"');
    if (before.includes("// mine")) expect(after).toContain("// mine\n");
    expect(after.startsWith("\ufeff")).toBe(before.startsWith("\ufeff"));
    expect(after.endsWith("\n")).toBe(before.endsWith("\n"));
  });

  test("an empty file becomes settings", () => {
    expect(JSON.parse(put(""))).toEqual({ hooks: hooksDocument(wanted) });
  });

  test("other people's hooks and unknown keys keep their place and form", () => {
    const other = {
      matcher: "Bash",
      hooks: [{ type: "command", command: "echo 'memoir hook claude-code'" }],
    };
    const before = JSON.stringify(
      { zebra: 1, hooks: { PostToolUse: [other] }, apple: [] },
      null,
      3,
    );
    const after = put(before);
    expect(Object.keys(JSON.parse(after))).toEqual(["zebra", "hooks", "apple"]);
    expect(JSON.parse(after).hooks.PostToolUse[0]).toEqual(other);
    expect(take(after)).toBe(before);
  });

  test("the form of a group on one line stays, and taking ours out gives the very text back", () => {
    const before = documents.at(-2)?.[1] ?? "";
    expect(before).toContain('{"matcher": "Edit"');
    expect(put(before)).toContain(
      '\t\t\t{"matcher": "Edit", "hooks": [{"type": "command", "command": "fmt"}]},\n\t\t\t{\n',
    );
    expect(take(put(before))).toBe(before);
  });

  test("a program with arguments goes in, is known again, and takes the place of a line for a shell", () => {
    const program = { command: "C:\\m\\memoir.exe", args: ["hook", "claude-code"] };
    const exec = registration(["SessionStart", "PostToolUse", "SessionEnd"], program);
    const after = withHooks(put("{}"), exec, "settings.json");
    const { hooks } = JSON.parse(after);
    expect(hooks.SessionStart).toEqual([{ hooks: [{ type: "command", ...program, timeout: 10 }] }]);
    expect(ownHooks(parseSettings(after, "")).map((own) => own.binary)).toEqual(
      Array(3).fill("C:\\m\\memoir.exe"),
    );
    expect(withHooks(after, exec, "settings.json")).toBe(after);
    expect(take(after)).toBe("{}");
  });

  test("an outdated, a doubled and a no longer needed hook of ours are put right", () => {
    const old = hookCommand({
      binary: "/old/place/memoir",
      platform: "linux",
      client: "claude-code",
    });
    const group = (text: string) => ({ hooks: [{ type: "command", command: text, timeout: 10 }] });
    const stranger = { type: "command", command: "say done" };
    const before = JSON.stringify({
      hooks: {
        SessionStart: [group(command), group(command)],
        PostToolUse: [group(old)],
        Stop: [{ hooks: [{ type: "command", command: old }, stranger] }],
        PreCompact: [group(old)],
      },
    });
    const { hooks } = JSON.parse(put(before));
    expect(hooks).toEqual({ ...hooksDocument(wanted), Stop: [{ hooks: [stranger] }] });
  });

  const broken: Array<[string, string, RegExp]> = [
    ["cut short", '{\n  "a": [1,', /line 2, column/],
    ["a list", "[]", /JSON object/],
    ["hooks is a list", '{"hooks":[]}', /"hooks" is not of the form/],
    ["an event is no list", '{"hooks":{"Stop":{}}}', /"hooks.Stop" is not of the form/],
    ["hooks twice", '{"hooks":{},"hooks":{}}', /"hooks" twice/],
    ["an event twice", '{"hooks":{"Stop":[],"Stop":[]}}', /"Stop" twice/],
  ];
  test.each(broken)("%s is refused with the place", (_name, text, message) => {
    expect(() => put(text)).toThrow(MemoirError);
    expect(() => put(text)).toThrow(message);
  });
});

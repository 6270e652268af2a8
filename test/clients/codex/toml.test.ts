// memoir's MCP server in Codex's TOML: put in, found, taken out, and nobody else's line moved.
import { describe, expect, test } from "bun:test";
import { serverTable } from "../../../src/clients/normal/registration.ts";
import { MemoirError } from "../../../src/sdk/errors.ts";

const place = {
  env: {},
  binary: "/opt/memoir/bin/memoir",
  home: undefined,
  command: "",
  events: new Map(),
};
const part = serverTable(place);
if (part.kind !== "edit") throw new Error("it is an edit");
const { put, take, state } = part;
const path = "/home/dev/.codex/config.toml";
const table = '[mcp_servers.memoir]\ncommand = "/opt/memoir/bin/memoir"\nargs = ["mcp"]\n';

const files: Record<string, string> = {
  "settings and tables":
    'model = "gpt-5.5"\n\n[projects."/home/dev/a b"]\ntrust_level = "trusted"\n',
  "another server":
    '[mcp_servers.other]\ncommand = "npx"\nargs = [\n  "-y", # yes\n  "[mcp_servers.memoir]",\n]\n',
  "texts over lines":
    "a = \"\"\"\n[mcp_servers.memoir]\ncommand = \"x\"\n\"\"\"\"\nb = '''\nit's ''\\'''\nc = 'C:\\'\n",
  "a date, a float, a comment":
    "# mine\nat = 2026-11-22T10:00:00Z # now\nf = 1e5\n[[things]]\nx = { y = [1, 2], z = '#' }\n",
  "Windows' line ends": 'model = "x"\r\n[tui]\r\ntheme = "dark"\r\n',
  "only a comment": "# nothing yet\n",
};

describe.each(Object.entries(files))("%s", (_, text) => {
  test("the table comes last, once, and goes without a trace", () => {
    expect(state(text, path)).toBe("none");
    const after = put(text, path);
    expect(after.startsWith(text)).toBe(true);
    expect(after.replaceAll("\r\n", "\n")).toEndWith(`\n\n${table}`);
    expect(state(after, path)).toBe("current");
    expect(put(after, path)).toBe(after);
    expect(take(after, path)).toBe(text);
  });

  test("what Codex wrote behind it since stays, but for what is said of memoir's tools", () => {
    const trust = '\n[hooks.state."/a/hooks.json:stop:0:0"]\ntrusted_hash = "sha256:1"\n';
    const tools = '\n[mcp_servers.memoir.tools.recall]\napproval_mode = "approve"\n';
    expect(take(put(text, path) + tools + trust, path)).toBe(text + trust);
  });
});

test("an empty file holds the table alone, and none after it", () => {
  expect(put("", path)).toBe(table);
  expect(take(table, path)).toBe("");
});

test("a file without a line end at its end gets one", () => {
  expect(put('model = "x"', path)).toBe(`model = "x"\n\n${table}`);
});

test("a table of another version is put right in its place; what somebody set beside it stays", () => {
  const old =
    '[mcp_servers.memoir]\ncommand = "/old/bin/memoir"\nargs = [\n  "mcp",\n]\nenabled_tools = ["recall"]\n\n# next\n[tui]\n';
  expect(state(old, path)).toBe("other");
  expect(put(old, path)).toBe(`${table}enabled_tools = ["recall"]\n\n# next\n[tui]\n`);
  expect(take(old, path)).toBe("\n# next\n[tui]\n");
});

test("another home is named, with what must be escaped", () => {
  const other = serverTable({ ...place, home: 'C:\\me "too"' });
  if (other.kind !== "edit") throw new Error("it is an edit");
  const text = other.put("", path);
  expect(Bun.TOML.parse(text)).toEqual({
    mcp_servers: {
      memoir: { command: place.binary, args: ["mcp"], env: { MEMOIR_HOME: 'C:\\me "too"' } },
    },
  });
  expect([other.state(text, path), state(text, path)]).toEqual(["current", "other"]);
});

test.each([
  '[mcp_servers.memoir]\ncommand = "npx"\nargs = ["their-memoir"]\n',
  '[mcp_servers."memoir"]\nurl = "https://example.com"\n',
  "[mcp_servers]\nmemoir = { command = 'npx' }\n",
  'mcp_servers.memoir.command = "npx"\n',
  'mcp_servers = { other = { command = "npx" } }\n',
  "[mcp_servers.memoir.env]\nA = '1'\n",
])("somebody else's server of that name is neither replaced nor taken out: %j", (text) => {
  expect(() => put(text, path)).toThrow(expect.objectContaining({ code: "mcp_name_taken" }));
  expect(take(text, path)).toBe(text);
  expect(state(text, path)).toBe("none");
});

test.each(['model = "x\n', "a = [1,\n", 'a = """x\n', "no key\n", "a = 1]\n"])(
  "what is no TOML is left alone: %j",
  (text) => {
    for (const work of [put, take, state]) expect(() => work(text, path)).toThrow(MemoirError);
  },
);

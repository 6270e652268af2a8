// What a newer observation superseded is marked wherever it is found, and told as current nowhere: by the command line, HTTP, MCP, at a session's start, with a prompt, and for a file.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, mkdtemp, realpath, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadHost } from "../../../src/host/index.ts";
import { runMemoir } from "../../support/run-memoir.ts";
import { toolCall, toolText } from "../../support/tool-call.ts";

let root: string;
let env: Record<string, string>;
let shop: string;
const title = "Refresh tokens expire by the server clock";
const [before, now] = ["Refresh tokens live one hour", "Refresh tokens live two hours"];

async function memoir(args: readonly string[], stdin?: string): Promise<string> {
  const { code, out, err } = await runMemoir(args, env, shop, stdin);
  expect([code, err]).toEqual([0, ""]);
  return out;
}

const store = (session: string, date: string, subtitle: string) =>
  memoir([
    ...["store-memory", "--project", shop, "--session", session, "--date", date],
    ...["--type", "decision", "--title", title, "--subtitle", subtitle],
    "--facts",
    JSON.stringify([
      `src/auth/refresh.ts: ${subtitle.toLowerCase()}, by what the server clock says`,
      "The expiry of refresh tokens is read from the server clock in every request",
      "Refresh tokens that expired are answered with 401 by the server",
    ]),
    ...["--concepts", '["authentication","http"]', "--files", '["src/auth/refresh.ts"]'],
  ]);

async function http(path: string): Promise<Record<string, unknown>> {
  const host = await loadHost();
  const response = await host.fetchUnix(
    join(env.MEMOIR_HOME ?? "", "memoir.sock"),
    `http://localhost${path}`,
    {},
  );
  expect(response.ok).toBe(true);
  return (await response.json()) as Record<string, unknown>;
}

const mcp = async (name: string, input: object) =>
  toolText(await memoir(["mcp"], toolCall(name, input)));

beforeAll(async () => {
  root = await realpath(await mkdtemp(join(tmpdir(), "memoir-superseded-")));
  shop = join(root, "shop");
  env = { HOME: root, MEMOIR_HOME: join(root, "home") };
  await mkdir(shop);
  expect(await store("3f2a91c0", "2026-11-20", before)).toContain("o1");
  expect(await store("3f2a91c1", "2026-11-21", now)).toContain("o2");
}, 180_000);
afterAll(async () => {
  await runMemoir(["server", "stop"], env, root);
  await rm(root, { recursive: true, force: true });
});

test("the command line finds it after what took its place, marked", async () => {
  const found = await memoir(["search", "refresh tokens expire"]);
  expect(found).toContain("superseded by o2");
  expect(found.indexOf("o2")).toBeLessThan(found.indexOf("o1 "));
  expect(await memoir(["show", "o1"])).toContain("superseded by o2");
});

test("a timeline leaves it out, and marks it where it is asked for", async () => {
  expect(await memoir(["memory", "timeline"])).not.toContain("o1 ");
  expect(await memoir(["memory", "timeline", "o1"])).toContain("(superseded by o2)");
});

test("HTTP gives it with what took its place", async () => {
  const { results } = await http("/api/search?text=refresh+tokens+expire");
  expect(results).toMatchObject([{ id: "o2" }, { id: "o1", supersededBy: "o2" }]);
  expect((results as object[])[0]).not.toHaveProperty("supersededBy");
  const { items } = await http("/api/timeline");
  expect(items).toMatchObject([{ record: { id: "o2" } }]);
  expect(await http("/api/records/o1")).toMatchObject({ record: { supersededBy: "o2" } });
});

test("the agent's tools mark it", async () => {
  const found = await mcp("search", { queries: ["refresh tokens expire"] });
  expect(found).toContain("decision (superseded by o2)");
  expect(await mcp("get", { ids: ["o1"] })).toContain("(superseded by o2)");
  expect(await mcp("timeline", {})).not.toContain("o1 ");
});

test.each([
  ["a session's start", ["context"]],
  ["a prompt", ["context", "--prompt", "How long do refresh tokens live by the server clock?"]],
])("%s is told what holds, and nothing of it", async (_, args) => {
  const told = (await memoir(args)).toLowerCase();
  expect(told).toContain(now.toLowerCase());
  expect(told).not.toContain(before.toLowerCase());
  expect(told).not.toContain("o1 ");
  // An agent stored it.
  expect(told).not.toContain("typed by the user");
});

test("a file that is changed is told what holds, and nothing of it", async () => {
  const hook = async (session: string, fields: object) =>
    memoir(["hook", "claude-code"], JSON.stringify({ session_id: session, cwd: shop, ...fields }));
  const change = (file: string, at: number) => ({
    ...{ hook_event_name: "PostToolUse", tool_name: "Edit", tool_use_id: `use-${at}` },
    tool_input: { file_path: join(shop, file), old_string: "a", new_string: "b" },
    tool_response: { filePath: join(shop, file), oldString: "a", newString: "b" },
  });
  // What its start tells is not told again: it begins before there is anything to tell.
  const session = "5f1f6b9e-0000-4000-8000-00000000d3f0";
  await hook(session, { hook_event_name: "SessionStart", source: "resume" });
  // Of what stands about a file a person's decisions are told, which notes have no part in.
  const decided = `We decided that in src/auth/refresh.ts ${now.toLowerCase()}`;
  const earlier = "5f1f6b9e-0000-4000-8000-00000000d3ef";
  await hook(earlier, { hook_event_name: "SessionStart", source: "startup" });
  await hook(earlier, { hook_event_name: "UserPromptSubmit", prompt: `${decided}. Change it.` });
  await hook(earlier, change("src/auth/refresh.ts", 0));
  await hook(earlier, { hook_event_name: "Stop", last_assistant_message: "It is changed." });
  await hook(earlier, { hook_event_name: "SessionEnd", reason: "logout" });
  // A session that begins has the project read anew.
  const later = "5f1f6b9e-0000-4000-8000-00000000d3f1";
  await hook(later, { hook_event_name: "SessionStart", source: "startup" });
  // The project is read in the background; until then nothing is told of any file.
  let told = "";
  for (let tries = 1; told === ""; tries++) {
    await Bun.sleep(25);
    told = await hook(session, change("src/auth/refresh.ts", tries));
  }
  expect(told).toContain(decided);
  expect(told.toLowerCase()).not.toContain(before.toLowerCase());
  expect(told).not.toMatch(/\bo1\b/);
});

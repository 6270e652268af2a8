// One declaration of a plugin's operation is a command with help and completions, a route in the API document and an agent's tool; and a feature that is switched off leaves none of them.
import { expect, test } from "bun:test";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Contribution } from "../../../src/runtime/status-schema.ts";
import { withPluginServer } from "../../support/plugin-server.ts";

const other = (
  name: string,
  operation: string,
) => `import { definePlugin, operation } from "memoir/sdk";
import * as v from "valibot";
export default definePlugin({ name: "${name}", description: "Another \\u001b[31mone.", sdk: 1, hooks: {}, operations: {
  "${operation}": operation({ does: "Do it", more: "It does\u001b[31m it twice.", examples: ["memoir ${name} ${operation} --all"], answers: v.object({ text: v.string() }), for: ["command", "route", "tool"], takes: { text: { says: "What is piped in", is: "stdin" }, all: { says: "All", is: "switch" }, kind: { says: "Kinds", choices: ["a", "b"], many: true } }, run: (input) => ({ text: JSON.stringify(input) }) }),
} });
`;

test("a command, a route and a tool from one declaration", async () => {
  const standup = await readFile(join(import.meta.dir, "../../examples/standup.ts"), "utf8");
  const files = {
    "plugins/standup.ts": standup,
    "plugins/first.ts": other("a", "b-c"),
    "plugins/second.ts": other("a-b", "c"),
    "plugins/third.ts": other("memory", "do"),
  };
  await withPluginServer(files, async (server) => {
    await server.command("plugin", "list");
    // Nobody wrote down what there is yet: a word that is unknown is looked for.
    expect((await server.command("standup", "report", "--help")).out).toContain(
      "Usage: memoir standup report [options] [project]",
    );
    await server.start();
    const said = await server.command("standup", "report", "--since", "2d");
    expect([said.code, said.out.trim()]).toEqual([0, "Nothing was done."]);
    const json = await server.command("standup", "report", "shop", "--json");
    expect(JSON.parse(json.out)).toEqual({ text: "Nothing was done.", done: [] });
    expect((await server.command("standup")).out.trim()).toBe("Nothing was done.");
    const wrong = await server.command("standup", "report", "--since", "soonish");
    expect([wrong.code, wrong.err]).toEqual([
      2,
      expect.stringContaining("`since` cannot be read as a date"),
    ]);
    expect((await server.command("a", "b-c", "--all", "--kind", "a,b")).out).toContain(
      '"kind":["a","b"]',
    );
    const own = (await server.command("help", "a", "b-c")).out;
    expect(own).toContain("It does it twice.\n\nExample:\n  $ memoir a b-c --all");
    expect(await server.command("a", "b-c", "--kind", "c")).toMatchObject({
      code: 2,
      err: expect.stringContaining("Allowed choices are a, b"),
    });
    const help = (await server.command("help")).out;
    expect(help).toContain("From plugins:");
    expect(help).toMatch(/standup +Says what was done lately, for a stand-up meeting\n/);
    expect(help).not.toContain("\u001b");
    expect((await server.command("completions", "bash")).out).toContain('"standup report"');
    // A plugin that is called as a command of memoir's own takes nothing from it.
    expect((await server.command("memory", "--help")).out).toContain("pin");

    const document = await server.ask<{ paths: Record<string, unknown> }>("/api/openapi.json");
    expect(document.paths["/plugins/standup/report"]).toMatchObject({
      get: { parameters: [{ name: "project" }, { name: "since", required: false }] },
    });
    expect(document.paths["/plugins/a/b-c"]).toMatchObject({
      get: {
        responses: {
          "200": {
            content: {
              "application/json": {
                schema: { type: "object", properties: { text: { type: "string" } } },
              },
            },
          },
        },
      },
    });
    const { tools: offered } = await mcp<{ tools: Array<{ name: string; inputSchema: object }> }>(
      server.home,
      "tools/list",
      {},
    );
    expect(offered.find(({ name }) => name === "a_b_c")?.inputSchema).toMatchObject({
      properties: { kind: { type: "array", items: { type: "string", enum: ["a", "b"] } } },
      additionalProperties: false,
    });
    const tools = await toolsOf(server.home);
    expect(tools).toContain("standup_report");
    expect(tools).toContain("recall");
    expect(tools.filter((name) => name === "a_b_c")).toEqual(["a_b_c"]);
    const called = await mcp<{ content: Array<{ text: string }> }>(server.home, "tools/call", {
      name: "standup_report",
      arguments: { since: "3d" },
    });
    expect(called.content[0]?.text).toContain("Nothing was done.");
    const { contributions } = await server.ask<{
      contributions: Array<{ plugin: string; refused?: string }>;
    }>("/api/plugins");
    expect(contributions.find(({ refused }) => refused)).toMatchObject({
      refused: expect.stringMatching(/its tool a_b_c is already a.*'s; rename the operation of a/),
    });

    // memoir's own features are found, counted and refused as these are, and offered at their own doors alone.
    const refused = await server.command("sync", "leave", "--yes", "--json");
    expect(refused.code).toBeGreaterThan(0);
    expect(refused.err).not.toContain("plugin");
    await server.ask("/api/sync");
    const found = await server.ask<{ contributions: Contribution[] }>("/api/plugins");
    const of = (plugin: string, name: string) =>
      found.contributions.find((one) => one.plugin === plugin && one.name === name);
    expect(of("sync", "status")).toMatchObject({ calls: 1, failures: 0, for: [] });
    expect(of("sync", "leave")).toMatchObject({ calls: 1, failures: 0 });
    expect(of("endless", "recall")?.does).toContain("Endless Mode left out");
    await expect(server.ask("/plugins/sync/status")).rejects.toThrow("No plugin that runs");

    // Switched off, nothing of them is left.
    for (const [name, path, words] of [
      ["endless", "/api/endless/metrics", ["endless", "recall"]],
      ["sync", "/api/sync", ["sync"]],
      ["backfill", "/api/backfill", ["backfill"]],
      ["standup", "/plugins/standup/report", ["standup"]],
    ] as const) {
      expect((await server.command("plugin", "disable", name)).code).toBe(0);
      const all = (await server.command("help", "all")).out;
      for (const word of words) expect(all).not.toMatch(new RegExp(`^memoir ${word}\\b`, "m"));
      const { paths } = await server.ask<{ paths: object }>("/api/openapi.json");
      expect(Object.keys(paths).filter((one) => one.startsWith(path))).toEqual([]);
      await expect(server.ask(path)).rejects.toThrow(/switched off|No plugin that runs/);
      const [word = ""] = words;
      const away = await server.command(word, "status");
      const said = new RegExp(`plugin enable ${name}\``);
      expect([away.code, away.err]).toEqual([2, expect.stringMatching(said)]);
    }
    const { instructions } = await mcp<{ instructions: string }>(server.home, "initialize", {
      protocolVersion: "2025-06-18",
      capabilities: {},
      clientInfo: { name: "test", version: "1" },
    });
    expect(instructions).toContain("forget");
    expect(instructions).not.toContain("recall");
    // The folder's project is asked by sync too.
    expect((await server.command("plugin", "enable", "sync")).code).toBe(0);
    const shared = await server.command("sync", "share");
    expect(shared.err).not.toContain("switched off");
    expect((await toolsOf(server.home)).sort()).toEqual(
      ["a_b_c", "memory_do", "correct", "forget", "get", "remember", "search", "timeline"].sort(),
    );
    expect((await server.command("plugin", "enable", "endless")).code).toBe(0);
    expect(await toolsOf(server.home)).toContain("recall");
  });
}, 180_000);

/** Asks over the Model Context Protocol. */
async function mcp<Result>(home: string, method: string, params: object): Promise<Result> {
  const answer = await fetch("http://localhost/mcp", {
    unix: join(home, "memoir.sock"),
    method: "POST",
    headers: {
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method, params }),
  });
  const text = await answer.text();
  return JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text).result;
}

async function toolsOf(home: string): Promise<string[]> {
  const { tools } = await mcp<{ tools: Array<{ name: string }> }>(home, "tools/list", {});
  return tools.map(({ name }) => name);
}

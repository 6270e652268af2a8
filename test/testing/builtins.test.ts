// Every built-in plugin keeps the promises of its slots. Storage does so in test/plugins/storage-sqlite, promise by promise.
import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { builtins } from "../../src/runtime/builtins.ts";
import {
  type ProviderScript,
  providerSecret,
  runSuite,
  type StartProviderServer,
  type SuiteOptions,
} from "../../src/testing/index.ts";
import { type Fault, startModelServer } from "../support/model-server.ts";

const fact = "src/cart.ts: totalOf leaves out a voucher that was used before now.";

/** What a model would say to each strategy. */
const answers: Record<string, { observe: string; summarize: string }> = {
  hybrid: {
    observe: `<observation><type>bugfix</type><title>Voucher subtracted only once</title><facts><fact>${fact}</fact></facts><uses>1</uses></observation>`,
    summarize: "<summary><request>Fix the cart</request><completed>Fixed it</completed></summary>",
  },
  structured: {
    observe: JSON.stringify({
      observations: [
        {
          type: "bugfix",
          title: "Voucher subtracted only once",
          subtitle: "",
          facts: [fact],
          narrative: "",
          concepts: ["checkout"],
          files: [],
          uses: [1],
        },
      ],
    }),
    summarize: JSON.stringify({ summary: { request: "Fix the cart", completed: "Fixed it" } }),
  },
  commands: {
    observe: `memoir store-memory --type bugfix --title "Voucher subtracted only once" --facts '["${fact}"]' --uses "1"`,
    summarize: 'memoir store-overview --request "Fix the cart" --content "Fixed it"',
  },
};

const faults: Record<ProviderScript, Fault> = {
  text: "ok",
  "wrong-key": { status: 401, type: "authentication_error", message: `bad key ${providerSecret}` },
  "rate-limited": { status: 429, type: "rate_limit_error", headers: { "retry-after": "3" } },
  broken: "html",
  hanging: "hang",
};

const startProvider =
  (name: string): StartProviderServer =>
  async (home) => {
    await writeFile(join(home, "keys.json"), JSON.stringify({ [name]: providerSecret }));
    const server = startModelServer();
    server.say(() => "Hello from the test.");
    return {
      config: { baseURL: name === "anthropic" ? server.url : `${server.url}/v1` },
      answer: (script) => server.script(faults[script]),
      stop: server.stop,
    };
  };

/** What the suite is given beside the plugin. */
function optionsFor(name: string): SuiteOptions {
  const said = answers[name];
  if (said)
    return { model: ({ purpose }) => (purpose === "observe" ? said.observe : said.summarize) };
  if (name === "anthropic" || name === "openai-compatible")
    return { provider: startProvider(name) };
  return {};
}

/** They are tried elsewhere, with what they need beside them: a folder, a server of PostgreSQL's, memoir's own server. */
const elsewhere = ["sqlite", "hub-folder", "hub-postgres", "endless", "sync", "backfill"];

test.each(Object.keys(builtins).filter((name) => !elsewhere.includes(name)))(
  "%s",
  async (name) => {
    const plugin = (await builtins[name]?.())?.default;
    if (!plugin) throw new Error(`there is no built-in ${name}`);
    const report = await runSuite(plugin, optionsFor(name));
    expect(report.failures.map((failure) => `${failure.name}: ${failure.message}`)).toEqual([]);
    // A suite that is skipped shows nothing: only what a plugin has no hook for may be.
    const reasons = new Set(report.skipped.map(({ reason }) => reason));
    for (const reason of reasons)
      expect(reason).toMatch(/^it (has no|does not|asks a model$|takes a stand-in)|^no `provider`/);
    if (plugin.slot !== undefined && name !== "off") expect(report.passed).toBeGreaterThan(0);
  },
  180_000,
);

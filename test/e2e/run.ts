// The end-to-end suite: the pinned real client against a scripted Messages API, cut off from the network, with memoir installed as a user would.
// `bun run test/e2e/run.ts [--keep] [--retry] [words of scenario names …]`
import { resolve } from "node:path";
import process from "node:process";
import { postgresPrograms } from "../support/postgres.ts";
import { clientBinary } from "./client-binary.ts";
import { guestClients, otherClients, toolsClients } from "./clients/index.ts";
import { fetchClient } from "./clients/other-client.ts";
import { withoutProgram } from "./debian-package.ts";
import { runIsolated } from "./isolation.ts";
import { runScenarios, type Scenario } from "./scenario.ts";
import { claudeCliScenarios } from "./scenarios/claude-cli.ts";
import { clientCodexScenarios } from "./scenarios/client-codex.ts";
import { clientCopilotScenarios } from "./scenarios/client-copilot.ts";
import { clientOpenCodeScenarios } from "./scenarios/client-opencode.ts";
import { clientPiScenarios } from "./scenarios/client-pi.ts";
import { clientPluginScenarios } from "./scenarios/client-plugin.ts";
import { clientRoadScenarios } from "./scenarios/client-roads.ts";
import { clientScenarios } from "./scenarios/clients.ts";
import { clientsInTurnScenarios } from "./scenarios/clients-in-turn.ts";
import { toldScenarios } from "./scenarios/clients-told.ts";
import { withoutServerScenarios } from "./scenarios/clients-without-server.ts";
import { control } from "./scenarios/control.ts";
import { correctScenarios } from "./scenarios/correct.ts";
import { endlessCorpusScenarios } from "./scenarios/endless-corpus.ts";
import { endlessGatewayScenarios } from "./scenarios/endless-gateway.ts";
import { endlessGatewayProxyScenarios } from "./scenarios/endless-gateway-proxy.ts";
import { endlessLiveScenarios } from "./scenarios/endless-live.ts";
import { endlessLongScenarios } from "./scenarios/endless-long.ts";
import { endlessReadScenarios } from "./scenarios/endless-reads.ts";
import { endlessTranscriptScenarios } from "./scenarios/endless-transcript.ts";
import { hookScenarios } from "./scenarios/hooks.ts";
import { hostileScenarios } from "./scenarios/hostile.ts";
import { interactiveScenarios } from "./scenarios/interactive.ts";
import { mainJob } from "./scenarios/main-job.ts";
import { mcpScenarios } from "./scenarios/mcp.ts";
import { momentScenarios } from "./scenarios/moments.ts";
import { outageScenarios } from "./scenarios/outages.ts";
import { pageScenarios } from "./scenarios/page.ts";
import { pageContextScenarios } from "./scenarios/page-context.ts";
import { pageDecisionsScenarios } from "./scenarios/page-decisions.ts";
import { pageHostileScenarios } from "./scenarios/page-hostile.ts";
import { pageHouseScenarios } from "./scenarios/page-house.ts";
import { pageLiveScenarios } from "./scenarios/page-live.ts";
import { pagePanelScenarios } from "./scenarios/page-panel.ts";
import { pageRoutesScenarios } from "./scenarios/page-routes.ts";
import { pageSavingsScenarios } from "./scenarios/page-savings.ts";
import { pageScaleScenarios } from "./scenarios/page-scale.ts";
import { pageSyncScenarios } from "./scenarios/page-sync.ts";
import { pipelineScenarios } from "./scenarios/pipeline.ts";
import { planScenarios } from "./scenarios/plans.ts";
import { privacyScenarios } from "./scenarios/privacy.ts";
import { projectScenarios } from "./scenarios/projects.ts";
import { rebootScenarios } from "./scenarios/reboot.ts";
import { sameBytesScenarios } from "./scenarios/same-bytes.ts";
import { sessionScenarios } from "./scenarios/sessions.ts";
import { settingsScenarios } from "./scenarios/settings.ts";
import { syncScenarios } from "./scenarios/sync.ts";

const scenarios = [
  ...control,
  ...sameBytesScenarios,
  ...mainJob,
  ...syncScenarios,
  ...hookScenarios,
  ...clientPluginScenarios,
  ...outageScenarios,
  ...sessionScenarios,
  ...projectScenarios,
  ...settingsScenarios,
  ...privacyScenarios,
  ...hostileScenarios,
  ...rebootScenarios,
  ...claudeCliScenarios,
  ...mcpScenarios,
  ...correctScenarios,
  ...pageScenarios,
  ...pageHostileScenarios,
  ...pagePanelScenarios,
  ...pageHouseScenarios,
  ...pageLiveScenarios,
  ...pageDecisionsScenarios,
  ...pageContextScenarios,
  ...pageRoutesScenarios,
  ...pageScaleScenarios,
  ...pageSavingsScenarios,
  ...pageSyncScenarios,
  ...momentScenarios,
  ...interactiveScenarios,
  ...pipelineScenarios,
  ...planScenarios,
  ...clientScenarios,
  ...clientCodexScenarios,
  ...clientCopilotScenarios,
  ...clientOpenCodeScenarios,
  ...clientPiScenarios,
  ...clientsInTurnScenarios,
  ...clientRoadScenarios,
  ...withoutServerScenarios,
  ...toldScenarios,
  ...endlessLiveScenarios,
  ...endlessCorpusScenarios,
  ...endlessLongScenarios,
  ...endlessReadScenarios,
  ...endlessTranscriptScenarios,
  ...endlessGatewayScenarios,
  ...endlessGatewayProxyScenarios,
];

const words = process.argv.slice(2).filter((word) => !word.startsWith("--"));
const options = {
  keep: process.argv.includes("--keep"),
  retry: process.argv.includes("--retry"),
};
const chosen = scenarios.filter(({ name }) => words.every((word) => name.includes(word)));
const memoir = resolve(import.meta.dirname, "../../dist/memoir");

/** Names of the clients beside Claude Code that a scenario needs. */
function drivenBy({ client = [] }: Scenario): readonly string[] {
  return typeof client === "string" ? [client] : client;
}

/** Clients beside Claude Code that chosen scenarios drive and that cannot be had here, each with the reason. */
async function missingClients(): Promise<Map<string, string>> {
  const missing = new Map<string, string>();
  for (const client of [...otherClients, ...guestClients, ...toolsClients]) {
    if (!chosen.some((scenario) => drivenBy(scenario).includes(client.name))) continue;
    const fetched = await fetchClient(client);
    if ("missing" in fetched) missing.set(client.name, fetched.missing);
  }
  return missing;
}

/** Debian keeps its programs off the PATH. */
async function withoutPostgres(): Promise<string | undefined> {
  if (await postgresPrograms()) return undefined;
  const reason = await withoutProgram("postgres", "postgresql");
  return (await postgresPrograms()) ? undefined : reason;
}

async function main(): Promise<number> {
  if (chosen.length === 0) {
    console.log(`no scenario is named with: ${words.join(", ")}`);
    return 2;
  }
  const client = await clientBinary();
  if ("missing" in client) {
    console.log(`skipped: the client cannot be had here: ${client.missing}`);
    console.log(`0 passed, 0 failed, ${chosen.length} skipped`);
    return 0;
  }
  // Before the network is gone: what they need may have to be fetched.
  const missing = await missingPrograms();
  const notHere = await missingClients();
  const inside = await runIsolated();
  if (inside !== undefined) return inside;
  const able = chosen.filter((scenario) => {
    const others = drivenBy(scenario).map((name) => notHere.get(name));
    const why = missing.get(scenario.needs) ?? others.find(Boolean);
    if (why !== undefined) console.log(`- ${scenario.name}: skipped: ${why}`);
    return why === undefined;
  });
  const { passed, failed } = await runScenarios(able, { client: client.path, memoir }, options);
  const skipped = chosen.length - able.length;
  console.log(`${passed} passed, ${failed} failed${skipped === 0 ? "" : `, ${skipped} skipped`}`);
  return failed === 0 ? 0 : 1;
}

/** The programs that scenarios need and that cannot be had here, with the reason. */
async function missingPrograms(): Promise<Map<Scenario["needs"], string>> {
  const missing = new Map<Scenario["needs"], string>();
  for (const name of new Set(chosen.map(({ needs }) => needs))) {
    const reason =
      name === "postgres" ? await withoutPostgres() : name && (await withoutProgram(name));
    if (reason !== undefined) missing.set(name, reason);
  }
  return missing;
}

process.exit(await main());

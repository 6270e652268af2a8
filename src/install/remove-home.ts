// Removes what memoir keeps, by name: a home that holds somebody else's files keeps them.
import { readdir, rm, rmdir } from "node:fs/promises";
import { join } from "node:path";
import { ledgerFile } from "../home/database/contents.ts";
import { findingsFile, rebuildFile } from "../home/findings.ts";
import type { Paths } from "../home/paths.ts";
import { withdrawSdk } from "../runtime/plugins/sdk-module.ts";
import { clientLedgerPath, ledgerPath } from "./file-change.ts";
import { mcpPlacesPath } from "./mcp.ts";
import { skillRecordPath } from "./skill.ts";

/** Removes the program and what only a running server needs; memory, config, plugins, logs and backups stay. */
export async function removeProgram(paths: Paths): Promise<void> {
  const { bin, nodeModules, hookDeadlines, token, serverInfo, serverLock, socket } = paths;
  const { inFlight, cache } = paths;
  await withdrawSdk(paths).catch(() => undefined);
  for (const path of [bin, hookDeadlines, token, serverInfo, serverLock, socket, inFlight, cache])
    await rm(path, { recursive: true, force: true }).catch(() => undefined);
  for (const folder of [nodeModules, `${paths.home}/backups`])
    await rmdir(folder).catch(() => undefined);
}

/** Removes all the rest of what is memoir's own, and the home when nothing else is in it. */
export async function removeMemory(paths: Paths): Promise<void> {
  const { home, config, lastConfig, keys, spool, logs, plugins, pauses, trust, trusted } = paths;
  for (const path of [
    config,
    lastConfig,
    keys,
    spool,
    logs,
    trust,
    trusted,
    pauses,
    ledgerPath(home),
    mcpPlacesPath(home),
    clientLedgerPath(home),
    skillRecordPath(home),
    `${home}/backups`,
    findingsFile(home),
    rebuildFile(home),
    // The memory files, undo logs of transcripts, outcomes of moments, hashes of what was forgotten, counts of what was lost, by which rules was redacted.
    ...[
      "memory",
      "endless",
      "moments.json",
      "forgotten",
      "forgetting.json",
      "unkept",
      "redacted.json",
    ].map((name) => `${home}/${name}`),
    // Which sessions the gateway led; what stands in for it has read it by now.
    ...["sessions.json", "proxy.json", "stand-in.json", "stand-in.leave"].map(
      (name) => `${home}/gateway-${name}`,
    ),
    ledgerFile(home),
  ])
    await rm(path, { recursive: true, force: true });
  // Databases have companions: a write-ahead log, shared memory, and files that were put aside as damaged.
  for (const name of await readdir(home).catch(() => []))
    if (
      /^(?:journal|memory|usage|endless|endless-gateway|semantic-search)\.db|^server\./.test(name)
    )
      await rm(join(home, name), { force: true });
  for (const folder of [plugins, home]) await rmdir(folder).catch(() => undefined);
}

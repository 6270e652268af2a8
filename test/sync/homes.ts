// Homes that share a hub, in one process: each with its own state and a change log in memory, over the real hub plugins.

import { randomBytes } from "node:crypto";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { ApplyRequest, Change, ChangesQuery } from "../../src/sdk/change.ts";
import { changeTime } from "../../src/sdk/identity.ts";
import type { AnyPlugin } from "../../src/sdk/plugin.ts";
import type { ExchangeDeps } from "../../src/sync/ask-hub.ts";
import { openSyncState } from "../../src/sync/state.ts";
import { testHost } from "../../src/testing/test-host.ts";

/** A change log that keeps what it is given: the newest of each record. */
export function memoryLog() {
  let replica = randomBytes(16).toString("hex");
  let changes: Change[] = [];
  let position: Record<string, number> = {};
  const own = () => changes.filter((one) => one.replica === replica);
  return {
    say(text: string, project = "github.com/acme/shop"): Change {
      const number = (position[replica] ?? 0) + 1;
      const change: Change = {
        replica,
        number,
        time: changeTime(
          Date.now(),
          changes
            .map(({ time }) => time)
            .sort()
            .at(-1),
        ),
        kind: "observation",
        record: randomBytes(16).toString("hex"),
        project,
        body: { text },
      };
      changes.push(change);
      position[replica] = number;
      return change;
    },
    texts: () => changes.map(({ body }) => String(body.text)).sort(),
    authors: () => [...new Set(changes.map(({ by }) => by?.person ?? "me"))].sort(),
    replica: () => replica,
    /** What another home would have that was copied from this one. */
    copy: () => ({ replica, changes: [...changes], position: { ...position } }),
    become(other: { replica: string; changes: Change[]; position: Record<string, number> }) {
      replica = other.replica;
      changes = [...other.changes];
      position = { ...other.position };
    },
    changes({ after = {}, projects, except, limit = 500 }: ChangesQuery & { except?: string[] }) {
      const from = after[replica] ?? 0;
      const page = own()
        .filter(({ number }) => number > from)
        .sort((a, b) => a.number - b.number)
        .slice(0, limit);
      const isWhole = page.length < limit;
      const upTo = isWhole ? (position[replica] ?? 0) : (page.at(-1)?.number ?? from);
      const wanted = page.filter(
        ({ project }) => (projects?.includes(project) ?? true) && !except?.includes(project),
      );
      return { replica, position, changes: wanted, upTo: { [replica]: upTo } };
    },
    position: () => position,
    apply({ changes: given = [], from, upTo, again, renewAfter, renewAs, about }: ApplyRequest) {
      let applied = 0;
      let copied = false;
      for (const change of given) {
        if (changes.some((one) => one.replica === change.replica && one.number === change.number))
          continue;
        copied ||= change.replica === replica;
        const there = changes.find(({ record }) => record === change.record);
        const isOpen = about?.projects.includes(there?.project ?? "");
        if (about && there && !isOpen && !about.replicas.includes(there.replica)) continue;
        changes.push(change);
        applied += 1;
      }
      // As far as nothing between is missing.
      for (const [id, number] of Object.entries(copied ? {} : (upTo ?? {})))
        if ((from?.[id] ?? 0) <= (position[id] ?? 0))
          position = { ...position, [id]: Math.max(number, position[id] ?? 0) };
      if (again)
        for (const one of own().filter(({ project }) => again.includes(project)))
          one.number = position[replica] = (position[replica] ?? 0) + 1;
      if (renewAfter !== undefined) {
        const fresh = renewAs ?? randomBytes(16).toString("hex");
        let number = 0;
        changes = changes.map((one) =>
          one.replica === replica && one.number > renewAfter && !one.by
            ? { ...one, replica: fresh, number: ++number }
            : one,
        );
        replica = fresh;
        position[fresh] = number;
      }
      return {
        replica,
        position,
        applied,
        repeated: 0,
        waiting: 0,
        refused: [],
        copied,
        changed: [],
        gone: [],
      };
    },
  };
}

const quiet = { debug() {}, info() {}, warn() {}, error() {}, child: () => quiet };

/** A home with `plugin` as its hub. */
export async function home(plugin: AnyPlugin, config: Record<string, unknown>) {
  const folder = mkdtempSync(join(tmpdir(), "memoir-sync-"));
  const host = await testHost(plugin, { home: folder, config });
  const log = memoryLog();
  let tamper = (_name: string, _input: unknown, answer: unknown): unknown => answer;
  const hooks = {
    async first(name: string, input: never) {
      if (name === "storage.changes") return { result: log.changes(input) };
      if (name === "storage.apply") return { result: log.apply(input) };
      const result = await host.call(name as "hub.pull", input);
      return { result: tamper(name, input, result) };
    },
  };
  const state = await openSyncState(join(folder, "sync.db"));
  const deps = { hooks: hooks as never, state, log: quiet, now: () => Date.now() } as ExchangeDeps;
  return {
    deps,
    log,
    state,
    folder,
    /** Changes what the hub answers this home. */
    lie(how: typeof tamper) {
      tamper = how;
    },
    async stop() {
      state.close();
      await host.stop();
    },
  };
}

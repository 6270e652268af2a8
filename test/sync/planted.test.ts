// Five hundred sentences, paths and names that are shared: none of them is on the hub, and none of what is kept local leaves its home.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { exchange } from "../../src/sync/exchange.ts";
import { createSpace, invite, join as joinSpace } from "../../src/sync/spaces.ts";
import { postgresPrograms, startPostgres, type TestPostgres } from "../support/postgres.ts";
import { sampleObservation, sampleTurn } from "../support/sample-records.ts";
import { syncedHome } from "../support/synced-home.ts";

/** In every planted text, of what is shared and of what is kept local; in no file by itself. */
const shared = "kvzqwombat";
const local = "kvzqbadger";
/** Of each: five texts a record. */
const records = 100;
/** Batches after those, of a record each: enough for a snapshot. */
const small = 64;

const programs = await postgresPrograms();
const root = mkdtempSync(join(tmpdir(), "memoir-planted-"));
let server: TestPostgres | undefined;
beforeAll(async () => {
  server = programs ? await startPostgres(programs) : undefined;
  // The server writes down all that it is asked, with what is given along.
  await server?.sql("alter system set log_statement = 'all'");
  await server?.sql("select pg_reload_conf()");
}, 180_000);
afterAll(async () => {
  await server?.stop();
  rmSync(root, { recursive: true, force: true });
});

const of = (word: string) => ({
  session: `${word} session`,
  project: `github.com/acme/${word}`,
});

function planted(word: string) {
  const { project, session } = of(word);
  const numbers = Array.from({ length: records }, (_, i) => i);
  return {
    sessions: [
      {
        ...{ id: session, client: "claude-code", status: "ended", title: `About ${word}` },
        ...{ startedAt: 1, lastActiveAt: 2, prompts: records },
        project: { id: project, name: word, root: `/home/${word}`, branch: `${word}-branch` },
      },
    ],
    turns: numbers.map((number) =>
      sampleTurn({
        ...{ ...of(word), promptNumber: number + 1 },
        pieces: [
          { kind: "prompt", text: `Have a look at ${word} ${number}, and then rest.` },
          { kind: "closing", text: `That is done: ${word} ${number} now passes.` },
        ],
      }),
    ),
    observations: numbers.map((number) =>
      sampleObservation({
        ...{ ...of(word), promptNumber: number + 1, title: `The ${word} of ${number} was wrong` },
        facts: [`It was ${word} number ${number} all along.`],
        filesModified: [`src/${word}/part-${number}.ts`],
      }),
    ),
  };
}

/** Forms in which a word could be written by whoever cannot know it is secret. */
function formsOf(word: string): Buffer[] {
  const base64 = [0, 1, 2].map((before) =>
    Buffer.from("x".repeat(before) + word)
      .toString("base64")
      .slice(before === 0 ? 0 : 4, -4),
  );
  return [word, Buffer.from(word).toString("hex"), ...base64].map((text) => Buffer.from(text));
}

/** Files below a folder in which a word stands. */
function holding(folder: string, word: string): string[] {
  const files = readdirSync(folder, { recursive: true }).map((name) => join(folder, String(name)));
  return files.filter((path) => {
    if (formsOf(word).some((form) => path.includes(form.toString()))) return true;
    if (!statSync(path, { throwIfNoEntry: false })?.isFile()) return false;
    const bytes = readFileSync(path);
    return formsOf(word).some((form) => bytes.includes(form));
  });
}

const cases = (["folder", "postgres"] as const).flatMap((hub) =>
  (["mine", "team"] as const).map((kind) => [hub, kind] as const),
);

test.each(cases.filter(([hub]) => hub === "folder" || programs))(
  "through a hub of the kind %s, in a space of the kind %s",
  async (hub, kind) => {
    const place = mkdtempSync(join(root, "hub-"));
    const onServer = hub === "postgres";
    const address = onServer ? (server?.url ?? "") : place;
    const [ada, bo] = [await syncedHome(root, address), await syncedHome(root, address)];
    try {
      const named = { type: "plugin", name: `hub-${hub}` } as const;
      const { id } = await createSpace(ada.deps, kind, { person: shared, machine: `${shared}-1` });
      const space = ada.state.space(id);
      if (!space) throw new Error("there is no space");
      // Of one's own space what is named is kept local, of a team's it is shared.
      const word = kind === "mine" ? local : shared;
      ada.state.save({ ...space, projects: [`github.com/acme/${word}`] });
      for (const one of [shared, local])
        await ada.records.put({ key: one, records: planted(one) as never });
      const asked = { role: "writer", isKey: false, label: `${shared} guest` } as const;
      const invitation = await invite(ada.deps, id, asked, named);
      await exchange(ada.deps, id);
      for (let at = 0; at < small; at += 1) {
        const said = { ...of(shared), promptNumber: 1, title: `The ${shared} of ${at}` };
        const more = [sampleObservation({ ...said, facts: [`More of ${shared} ${at}.`] })];
        await ada.records.put({ key: `small-${at}`, records: { observations: more } as never });
        await exchange(ada.deps, id);
      }
      expect(ada.state.marks(id)?.snapshots).toBe(1);
      await joinSpace(bo.deps, invitation, { person: `${shared}-bo`, machine: "m2" });
      await exchange(bo.deps, id);

      const there = await bo.records.observations({ limit: 10 * records });
      expect(there).toHaveLength(records + small);
      expect(there.every(({ project }) => project === `github.com/acme/${shared}`)).toBe(true);
      await server?.sql("checkpoint");
      const kept = onServer ? join(server?.data ?? "", "..") : place;
      for (const one of [shared, local]) expect(holding(kept, one)).toEqual([]);
      for (const one of [ada, bo]) one.records.close();
      expect(holding(bo.folder, local)).toEqual([]);
      // Whoever looks like this would have found them.
      expect(holding(ada.folder, local)).not.toEqual([]);
      expect(holding(bo.folder, shared)).not.toEqual([]);
    } finally {
      for (const one of [ada, bo]) await one.stop();
    }
  },
  180_000,
);

test.skipIf(programs !== undefined)(
  "through PostgreSQL: skipped, for there is none on this machine",
  () => {},
);

// What every client's adapter has to keep, over its own fixtures and over payloads that were recorded with the real client.
import { describe, expect, test } from "bun:test";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import type { ClientAdapter } from "../../src/clients/adapter.ts";
import { adapterNamed, chooseClient, clientNamed, recordedForm } from "../../src/clients/index.ts";
import { SessionEvents } from "../../src/clients/normal/transcript-events.ts";
import { eventObjection } from "../../src/runtime/hooks/hook-table.ts";
import { MemoirError } from "../../src/sdk/errors.ts";
import type { ClientEvent } from "../../src/sdk/events.ts";
import { readEntries } from "../../src/transcript/read.ts";
import { expectGolden } from "../support/golden.ts";
import { mutated } from "../support/mutations.ts";
import { bent } from "../torture/odd-values.ts";
import { torture, tortureMs } from "../torture/seeds.ts";

/** `id` and `time` of every event: a golden file must not depend on when it was made. */
const delivery = { id: "5b2c7f0e-0000-4000-8000-000000000001", time: 1_790_000_000_000 };

export interface SuiteOptions {
  client: string;
  /** The folder of the test: it has `fixtures`, and gets `normal` and `recorded`. */
  folder: string;
  /** The folder of recorded payloads, below `../shared/data/other-clients`. */
  recorded: string;
  /** Payloads of the recording that are those of another form or of no hook. */
  leaveOut?: RegExp;
  /** It never runs Claude Code's hooks. */
  ownHooksOnly?: boolean;
  /** What memoir is handed of the recording, where that is no payload itself. */
  handedOn?: readonly Payload[];
}

export interface Payload {
  name: string;
  value: unknown;
}

/** Every JSON file of a folder, but those whose names begin with `_`. */
export function payloadsIn(folder: string, leaveOut?: RegExp): Payload[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((file) => file.endsWith(".json") && !file.startsWith("_") && !leaveOut?.test(file))
    .sort()
    .map((file) => ({ name: file, value: JSON.parse(readFileSync(join(folder, file), "utf8")) }));
}

/** Runs the suite for one client. */
export function clientSuite({
  client,
  folder,
  recorded,
  leaveOut,
  ownHooksOnly = false,
  handedOn,
}: SuiteOptions): void {
  const shared = join(import.meta.dirname, "../../../shared/data/other-clients", recorded);
  const fixtures = payloadsIn(join(folder, "fixtures"));
  const load = () => adapterNamed(client);

  describe(`${client}: its own fixtures`, () => {
    test("there are some", () => expect(fixtures.length).toBeGreaterThan(2));
    for (const { name, value } of fixtures)
      test(name, async () => golden(await load(), value, join(folder, "normal", goldenOf(name))));
    keeps(fixtures, existsSync(shared) ? 5_000 : 10_000);
  });

  describe.skipIf(!existsSync(shared))(`${client}: recorded (../shared/data/other-clients)`, () => {
    const found = handedOn ?? payloadsIn(shared, leaveOut);
    for (const { name, value } of found)
      test(name, async () => golden(await load(), value, join(folder, "recorded", goldenOf(name))));
    keeps(found, 5_000);
    const transcript = join(shared, "_transcript.jsonl");
    if (existsSync(transcript) && !leaveOut?.test("_transcript.jsonl"))
      test("its transcript as events", async () => {
        const text = readFileSync(transcript);
        const events = await transcriptEvents(await load(), [text], transcript);
        await expectGolden(join(folder, "recorded", "_transcript.txt"), pretty(events));
      });
  });

  function keeps(payloads: readonly Payload[], bends: number): void {
    test("it is recognised by its own command, and where it runs Claude Code's", () => {
      const variables = new Set([clientNamed(client).variable ?? ""]);
      for (const road of ownHooksOnly ? [client] : [client, "claude-code"])
        for (const { name, value } of payloads)
          expect([name, road, chooseClient(road, value, variables)?.name]).toEqual([
            name,
            road,
            client,
          ]);
    });

    test("what an adapter makes is an event of memoir's form, the same each time", async () => {
      const adapter = await load();
      for (const { name, value } of payloads) {
        const event = adapter.parse(value, delivery);
        if (!event) continue;
        expect([name, eventObjection(event, event)]).toEqual([name, undefined]);
        expect(event.client).toBe(client);
        expect(adapter.parse(structuredClone(value), delivery)).toEqual(event);
        for (const reply of [{}, { context: "known", systemMessage: "hi", updatedToolOutput: {} }])
          expect(() => JSON.stringify(adapter.render(event, reply))).not.toThrow();
      }
    });

    test(
      "bent payloads: an event, nothing, or a refusal that names the field",
      async () => {
        if (payloads.length === 0) return;
        const adapter = await load();
        await torture(`test/clients/${client}`, bends, async (draw) => {
          const value = damaged(draw.pick(payloads).value, draw);
          if (value === undefined) return;
          chooseClient("claude-code", value, new Set());
          adapter.original(value);
          try {
            const event = adapter.parse(value, delivery);
            if (event) adapter.render(event, { context: "known" });
            if (event) expect(eventObjection(event, event)).toBeUndefined();
          } catch (error) {
            if (!(error instanceof MemoirError)) throw error;
            expect(error.code).toBe("payload_invalid");
          }
        });
      },
      tortureMs,
    );
  }
}

/** The value bent, or its text with bytes changed; undefined where that is not valid JSON any more. */
function damaged(value: unknown, draw: Parameters<Parameters<typeof torture>[2]>[0]): unknown {
  if (draw.below(3) > 0) return bent(value, draw);
  try {
    return JSON.parse(mutated(Buffer.from(JSON.stringify(value)), draw.number).toString());
  } catch {
    return undefined;
  }
}

async function golden(adapter: ClientAdapter, value: unknown, path: string): Promise<void> {
  const event = adapter.parse(value, delivery);
  await expectGolden(path, pretty(event ?? "no event"));
}

/** Not named as JSON: a formatter would lay it out anew. */
function goldenOf(name: string): string {
  return name.replace(/json$/, "txt");
}

function pretty(value: unknown): string {
  return `${JSON.stringify(value, undefined, 1)}\n`;
}

/** A transcript's bytes as the events that the client's hooks would have told. */
export async function transcriptEvents(
  { name, transcripts }: ClientAdapter,
  chunks: readonly Uint8Array[],
  path: string,
): Promise<ClientEvent[]> {
  // A client whose lines do not say where: as its file's neighbours do.
  const of = { ...transcripts, name, cwd: "/elsewhere" };
  const session = new SessionEvents({ session: "recorded", transcriptPath: "/t.jsonl", of });
  const events: ClientEvent[] = [];
  expect(clientNamed(name).abilities.backfill, path).toBe(true);
  for await (const entry of readEntries(chunks, { parse: (await recordedForm(name)).parse }))
    events.push(...session.add(entry).map(({ event }) => event));
  return [...events, ...session.end(true).map(({ event }) => event)];
}

// What a plugin promises beside its slots: in what it brings, by the clock, with data of its own, with rules of redaction, in search's order, in an export.
import assert from "node:assert/strict";
import * as v from "valibot";
import { compileRules } from "../privacy/redact/own-rules.ts";
import type { StorageClient } from "../sdk/context.ts";
import { MemoirError } from "../sdk/errors.ts";
import type { Ranking } from "../sdk/hooks.ts";
import type { Input, Inputs, Operation } from "../sdk/operation.ts";
import type { AnyPlugin } from "../sdk/plugin.ts";
import type { StoredRecord } from "../sdk/storage.ts";
import { putAnew, type Room, type SuiteCase, skip, suiteCase } from "./room.ts";
import {
  hostileTexts,
  sampleMemory,
  sampleObservation,
  samplePrompt,
  sampleSession,
  sampleSessionEvents,
  sampleSummary,
  sampleTurn,
} from "./samples.ts";
import { clientCases } from "./slots/client.ts";
import type { TestHost } from "./test-host.ts";

/** Something that a plugin may bring, and what it promises then. */
interface Beside {
  name: string;
  isOf(plugin: AnyPlugin): boolean;
  /** They may depend on what it brings. */
  cases: readonly SuiteCase[] | ((plugin: AnyPlugin) => readonly SuiteCase[]);
}

const dayMs = 24 * 60 * 60_000;

const scheduleCases: readonly SuiteCase[] = [
  suiteCase("runs each schedule, and again, on a memory that holds nothing", async (room) => {
    const host = await room.open();
    for (const name of Object.keys(room.plugin.schedules ?? {})) {
      await host.due(name);
      await host.due(name);
    }
  }),

  suiteCase("runs late, after days without a server", async (room) => {
    const host = await room.open();
    for (const name of Object.keys(room.plugin.schedules ?? {}))
      await host.due(name, Date.now() - 9 * dayMs);
  }),

  suiteCase("runs on a memory full of hostile texts", async (room) => {
    const host = await room.open();
    await fill(host.storage);
    for (const name of Object.keys(room.plugin.schedules ?? {})) await host.due(name);
  }),
];

const dataCases: readonly SuiteCase[] = [
  suiteCase("comes to the same from each of its versions", async (room) => {
    const { data } = room.plugin;
    const migrations = data?.migrations ?? [];
    for (let count = 1; count <= migrations.length; count++) {
      const home = `${room.home}/${count}`;
      const { name, description, sdk, config } = room.plugin;
      const then = { data: { migrations: migrations.slice(0, count) }, hooks: {} };
      const plugin = { name, description, sdk, ...(config && { config }), ...then };
      const older = await room.open({ home, plugin });
      await older.stop();
      await (await room.open({ home })).stop();
    }
  }),

  suiteCase("starts again on its own data", async (room) => {
    for (let at = 0; at < 3; at++) await (await room.open()).stop();
  }),

  suiteCase("lets go of what the user forgets", async (room) => {
    const { data, hooks } = room.plugin;
    if (!data?.forget && !hooks.forgotten)
      room.warn(
        "it has neither `data.forget` nor a hook `forgotten`: what it keeps of a record stays when that is forgotten",
      );
  }),
];

const redactionCases: readonly SuiteCase[] = [
  suiteCase("removes what its examples say, and keeps the others", async (room) => {
    // Opening it tries them.
    await room.open();
  }),

  suiteCase("finds nothing in what it left", async (room) => {
    for (const [name, { pattern, removes }] of Object.entries(room.plugin.redactions ?? {})) {
      const find = await finder(name, pattern);
      for (const [at, text] of removes.entries()) {
        const left = find(text).reduceRight(
          (rest, { start, end }) => `${rest.slice(0, start)}[redacted:${name}]${rest.slice(end)}`,
          text,
        );
        assert.deepEqual(find(left), [], `${name} finds something in what it left of ${at + 1}`);
      }
    }
  }),

  suiteCase("leaves an ordinary session alone", async (room) => {
    const texts = sampleSessionEvents().map((event) => JSON.stringify(event));
    for (const [name, { pattern, keyword }] of Object.entries(room.plugin.redactions ?? {})) {
      const find = await finder(name, pattern, keyword);
      const hits = texts.filter((text) => find(text).length > 0).length;
      if (hits > 0) room.warn(`${name} takes something out of ${hits} events of a sample session`);
      if (keyword === undefined)
        room.warn(`${name} has no \`keyword\`: it is tried on every text, which costs time`);
    }
  }),
];

async function finder(name: string, pattern: string, keyword?: string) {
  const rule = { pattern, ...(keyword !== undefined && { keyword }) };
  const { find } = await compileRules({
    rules: {},
    allow: [],
    ofPlugins: { [`plugin:${name}`]: rule },
  });
  return find;
}

/** What the plugin makes of the results, checked to be the same ones. */
async function rankedBy(room: Room, input: Ranking): Promise<string[]> {
  const host = await room.open();
  const answer = (await host.call("rank", input)) ?? input;
  const ids = (results: Ranking["results"]) => results.map(({ id }) => id);
  assert.deepEqual(
    ids(answer.results).sort(),
    ids(input.results).sort(),
    "a step gives the results that it was given, each once",
  );
  return ids(answer.results);
}

async function found(room: Room): Promise<Ranking["results"]> {
  const { storage } = await room.open();
  await fill(storage);
  return storage.search({ text: "cart voucher", limit: 20 });
}

const rankCases: readonly SuiteCase[] = [
  suiteCase("gives the same results, in an order of its own", async (room) => {
    await rankedBy(room, { query: { text: "cart voucher" }, results: await found(room) });
  }),

  suiteCase("says the same of the same", async (room) => {
    const input = { query: { text: "cart voucher" }, results: await found(room) };
    assert.deepEqual(await rankedBy(room, input), await rankedBy(room, input));
  }),

  suiteCase("withstands no result, one, and any question", async (room) => {
    const results = await found(room);
    for (const text of hostileTexts)
      for (const some of [[], results.slice(0, 1), results])
        await rankedBy(room, { query: { text }, results: some });
  }),
];

const exportCases: readonly SuiteCase[] = [
  suiteCase("answers each page with a text", async (room) => {
    const records = await recordsOf(room);
    const pages = [records.slice(0, 3), records.slice(3), []];
    for (const [at, page] of pages.entries()) await exported(room, page, at, pages.length);
  }),

  suiteCase("answers an empty memory", async (room) => {
    await exported(room, [], 0, 1);
  }),

  suiteCase("says the same of the same", async (room) => {
    const records = await recordsOf(room);
    const first = await exported(room, records, 0, 1);
    assert.equal(await exported(room, records, 0, 1), first, "asked twice, it wrote two texts");
  }),
];

async function exported(room: Room, records: StoredRecord[], at: number, of: number) {
  const host = await room.open();
  const page = { records, isFirst: at === 0, isLast: at === of - 1 };
  const answer = await host.call("export", page);
  if (typeof answer?.text === "string") return answer.text;
  return assert.fail(
    'it answered a page without `text`; say `{ text: "" }` where nothing is wanted',
  );
}

async function recordsOf(room: Room): Promise<StoredRecord[]> {
  const { storage } = await room.open();
  await fill(storage);
  const lists = await Promise.all([
    storage.observations({}),
    storage.summaries({}),
    storage.turns({}),
    storage.memory({}),
  ]);
  const ids = [...lists.flat().map(({ id }) => id), sampleSession().id];
  const records = await storage.get({ ids });
  if (records.length === 0) skip("the storage of the suite holds nothing");
  return records;
}

/** One record of each kind, and one observation for each text that breaks things. */
async function fill(storage: StorageClient): Promise<void> {
  await putAnew(storage, {
    sessions: [sampleSession()],
    prompts: [samplePrompt()],
    observations: [
      sampleObservation(),
      ...hostileTexts.map((text) => sampleObservation({ title: "cart", narrative: text })),
    ],
    summaries: [sampleSummary()],
    turns: [sampleTurn()],
    memory: [sampleMemory()],
  });
}

// What a plugin promises of what it brings beside hooks: its operations, routes and panels answer whatever they are asked.

const mostBytes = 8 * 1024 * 1024;
const slowMs = 1_000;

function operationCases(name: string): SuiteCase[] {
  return [
    suiteCase(`${name} answers what it takes, or says what is wrong`, async (room) => {
      const host = await room.open();
      const { takes = {}, answers } = operationOf(room, name);
      const begun = performance.now();
      const answer = await asked(
        host,
        name,
        given(takes, () => "sample"),
      );
      const ms = performance.now() - begun;
      if (ms > slowMs) room.warn(`it took ${ms.toFixed(0)} ms; who asks waits`);
      if (answers && answer !== undefined && !(answer instanceof MemoirError)) {
        const { issues } = v.safeParse(answers, answer);
        const [first] = issues ?? [];
        assert.ok(
          !first,
          `the answer is not as \`answers\` says: ${first && (v.getDotPath(first) ?? "as a whole")}`,
        );
      }
    }),
    suiteCase(`${name} takes any text`, async (room) => {
      const { takes = {} } = operationOf(room, name);
      const texts = Object.values(takes).some((one) => isText(one)) ? hostileTexts : [];
      const host = await room.open();
      for (const text of texts)
        await asked(
          host,
          name,
          given(takes, () => text),
        );
    }),
    suiteCase(`${name} is described in a line`, async (room) => {
      const { does, for: doors } = operationOf(room, name);
      assert.ok(!does.includes("\n"), "`does` has more than one line");
      if (doors.includes("command") && does.length > 60)
        room.warn(`\`does\` has ${does.length} characters: the help has room for 60`);
    }),
  ];
}

/** The answer, or the `usage` error that it is refused with; any other error fails the case. */
async function asked(host: TestHost, name: string, input: Record<string, unknown>) {
  try {
    const answer = await host.ask(name, input);
    const size = JSON.stringify(answer)?.length ?? 0;
    assert.ok(size <= mostBytes, `it answered ${size} characters; 8 MB is the most`);
    return answer;
  } catch (error) {
    if (error instanceof MemoirError && error.code === "usage") return error;
    throw error;
  }
}

const isText = ({ is, choices }: Input) =>
  !choices && (is === undefined || ["filled", "phrasing", "stdin"].includes(is));

/** A value for each input. */
function given(takes: Inputs, text: () => string): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(takes).map(([name, input]) => {
      const { is, choices, many } = input;
      const others: Record<string, unknown> = { count: 1, time: "yesterday", switch: true };
      const one = choices?.[0] ?? (isText(input) ? text() : others[is ?? ""]);
      return [name, many ? [one] : one];
    }),
  );
}

function operationOf({ plugin }: Room, name: string): Operation {
  const operation = plugin.operations?.[name];
  assert.ok(operation);
  return operation;
}

const requests = (): Request[] => {
  const at = (path: string, init: RequestInit = {}) =>
    new Request(`http://localhost/plugins/it/${path}`, init);
  return [
    ...[at(""), at("no/such/path?a=%00&b=1"), at("..%2f..%2fetc%2fpasswd")],
    ...hostileTexts.slice(2).map((body) => at("", { method: "POST", body })),
    at("", { method: "DELETE" }),
  ];
};

const routeCases: readonly SuiteCase[] = [
  suiteCase("routes answer any request with a Response", async (room) => {
    const host = await room.open();
    for (const request of requests()) {
      const about = `${request.method} ${new URL(request.url).pathname}`;
      const response = await host.request(request);
      assert.ok(response instanceof Response, `${about}: it answered no Response`);
      await response.body?.cancel();
    }
  }),
];

const fromElsewhere =
  /<(?:script|img|iframe|link|source|video|audio|object|embed)\b[^>]*\b(?:src|href|data)\s*=\s*["']?(?:https?:|\/)|@import|url\(\s*["']?https?:/i;

function panelCase(name: string): SuiteCase {
  return suiteCase(
    `panel ${name} is a document that loads nothing from elsewhere`,
    async (room) => {
      const html = await (await room.open()).panel(name);
      assert.notEqual(html.trim(), "", "it is empty");
      assert.ok(html.length <= mostBytes, `it has ${html.length} characters; 8 MB is the most`);
      const [found] = fromElsewhere.exec(html) ?? [];
      assert.ok(!found, `the page lets a panel load nothing: ${found}`);
      for (const [, asked = ""] of html.matchAll(/\bmemoir\.ask\(\s*["'`]([a-z0-9-]+)["'`]/g)) {
        const { for: doors } = room.plugin.operations?.[asked] ?? {};
        assert.ok(doors, `it asks an operation ${asked}, which the plugin does not have`);
        assert.ok(
          doors.includes("panel"),
          `it asks ${asked}, which is not open to panels: add "panel" to its \`for\``,
        );
      }
      if (/<script(?![^>]*\btype=)[^>]*>[^<]*\bawait\b/.test(html))
        room.warn('`await` at the top of a script needs `<script type="module">`');
    },
  );
}

/** What each kind of them promises. */
const broughtParts = [
  {
    name: "operations",
    isOf: ({ operations }: AnyPlugin) => operations !== undefined,
    cases: ({ operations = {} }: AnyPlugin) => Object.keys(operations).flatMap(operationCases),
  },
  {
    name: "routes",
    isOf: ({ routes }: AnyPlugin) => routes !== undefined,
    cases: routeCases,
  },
  {
    name: "panels",
    isOf: ({ panels }: AnyPlugin) => panels !== undefined,
    cases: ({ panels = {} }: AnyPlugin) => Object.keys(panels).map(panelCase),
  },
];

// All of them.

/** In the order in which their promises are shown. */
export const besides: readonly Beside[] = [
  ...broughtParts,
  { name: "schedules", isOf: ({ schedules }) => schedules !== undefined, cases: scheduleCases },
  { name: "data", isOf: ({ data }) => data !== undefined, cases: dataCases },
  { name: "redactions", isOf: ({ redactions }) => redactions !== undefined, cases: redactionCases },
  { name: "rank", isOf: ({ hooks }) => hooks.rank !== undefined, cases: rankCases },
  { name: "clients", isOf: ({ clients }) => clients !== undefined, cases: clientCases },
  { name: "export", isOf: ({ hooks }) => hooks.export !== undefined, cases: exportCases },
];

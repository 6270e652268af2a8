// What a plugin promises of what it brings beside hooks: its operations, routes and panels answer whatever they are asked.
import assert from "node:assert/strict";
import * as v from "valibot";
import { MemoirError } from "../sdk/errors.ts";
import type { Input, Inputs, Operation } from "../sdk/operation.ts";
import type { AnyPlugin } from "../sdk/plugin.ts";
import { type Room, type SuiteCase, suiteCase } from "./room.ts";
import { hostileTexts } from "./samples.ts";
import type { TestHost } from "./test-host.ts";

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
export const broughtParts = [
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

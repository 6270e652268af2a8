// `memoir memory prune`: what would go is shown first, a person is asked, and it goes step by step until nothing is left to go.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import type { CannedAnswers } from "../../support/canned-server.ts";
import { ownHome } from "../../support/own-home.ts";
import { session } from "../../support/records.ts";
import { typed } from "../../support/typed.ts";

let place: Awaited<ReturnType<typeof ownHome>>;
beforeEach(async () => {
  place = await ownHome();
});
afterEach(() => place.end());

const day = 86_400_000;
const noon = Date.UTC(2026, 0, 10, 12);
const going = (at: number, more: object = {}) => {
  const { id, client, project } = session(`abcdefgh-${at}`);
  const rule = "retention.memory.days";
  return {
    id,
    client,
    project,
    lastActiveAt: noon + at * day,
    prompts: 2,
    rule,
    stays: 0,
    ...more,
  };
};
const planned = (...sessions: object[]) => ({
  ...{ isBound: true, sessions, bytes: 10_000_000, freed: 3_000_000 },
});

/** A server with this plan, which lets go of a session at each step. */
function letsGo(plan: object, steps: object[] = []): CannedAnswers {
  const left = [...steps];
  return {
    "/api/retention": ({ method }) =>
      method === "GET" ? plan : (left.shift() ?? { sessions: 0, records: 0, left: 9 }),
  };
}
const prune = (answers: CannedAnswers, flags: string[], more: object = {}) =>
  typed(["memory", "prune", ...flags], answers, more);
const posts = ({ asked }: Awaited<ReturnType<typeof prune>>) =>
  asked.filter(({ method }) => method === "POST").length;

describe("the plan", () => {
  const shown = async (plan: object, more: object = {}) => {
    const said = await prune(letsGo(plan), ["--dry-run"], more);
    expect([said.code, posts(said)]).toEqual([0, 0]);
    return said.out;
  };

  test("memory without a bound is kept for ever, and it is said how to bound it", async () => {
    expect(await shown({ ...planned(), isBound: false })).toEqual([
      "Memory is kept forever.",
      expect.stringContaining("memoir config set retention.memory.days 365"),
    ]);
  });

  test("nothing to go is one sentence", async () => {
    expect(await shown(planned())).toEqual([
      "Nothing to delete: all of it is within `retention.memory`.",
    ]);
  });

  test("each session has its day, project, id, prompts and rule; what stays is counted", async () => {
    const bytes = { rule: "retention.memory.bytes", prompts: 1 };
    expect(await shown(planned(going(0), going(1, { ...bytes, stays: 1 })))).toEqual([
      "Would delete 2 sessions with 3 prompts, last active before 2026-01-12, about 3.0 MB of 10 MB:",
      "  2026-01-10  shop  abcdefgh  2 prompts  retention.memory.days",
      "  2026-01-11  shop  abcdefgh  1 prompt   retention.memory.bytes",
      "1 record of them stays: pinned, edited, or also said in later sessions.",
    ]);
    const two = await shown(planned(going(0, { stays: 1 }), going(1, { stays: 1 })));
    expect(two.at(-1)).toStartWith("2 records of them stay: ");
    expect(await shown(planned(going(0)))).toHaveLength(2);
  });

  test("names have no more room than they need, and command no terminal", async () => {
    const project = { ...going(0).project, name: `\u001b[31m${"n".repeat(60)}` };
    const [, row = ""] = await shown(planned(going(0, { project })));
    expect(row).not.toContain("\u001b");
    expect(row.split("  ")[2]?.length).toBeLessThanOrEqual(30);
  });

  test("of many the first twenty are shown, and the others counted", async () => {
    const many = (count: number) => planned(...Array.from({ length: count }, (_, at) => going(at)));
    expect(await shown(many(20))).toHaveLength(21);
    const lines = await shown(many(23));
    expect(lines.slice(20)).toEqual([
      expect.stringContaining("2026-01-29"),
      "  … and 3 more; `--json` lists them all",
    ]);
  });

  test("as JSON it is what the server says", async () => {
    const plan = planned(going(0));
    const { code, out } = await prune(letsGo(plan), ["--dry-run", "--json"]);
    expect([code, JSON.parse(out.join(""))]).toEqual([0, plan]);
  });
});

describe("going", () => {
  const plan = planned(going(0), going(1), going(2));
  const steps = [
    { sessions: 2, records: 40, left: 1 },
    { sessions: 1, records: 2, left: 0 },
  ];

  test("goes on until nothing is left, and counts all of it", async () => {
    const said = await prune(letsGo(plan, steps), ["--yes"]);
    expect([said.code, said.out.at(-1), posts(said)]).toEqual([
      ...[0, "Deleted 3 sessions with 42 records.", 2],
    ]);
    const json = await prune(letsGo(plan, steps), ["--yes", "--json"]);
    expect(json.out.map((line) => JSON.parse(line))).toEqual([
      { sessions: 3, records: 42, left: 0 },
    ]);
  });

  test("a step that lets go of nothing is the last", async () => {
    const said = await prune(letsGo(plan, steps.slice(0, 1)), ["--yes"]);
    expect([said.out.at(-1), posts(said)]).toEqual(["Deleted 2 sessions with 40 records.", 2]);
  });

  test("where nothing is to go nobody is asked, and nothing is sent", async () => {
    const said = await prune(letsGo(planned()), []);
    expect([said.code, posts(said)]).toEqual([0, 0]);
    const json = await prune(letsGo(planned()), ["--json"]);
    expect(json.out.map((line) => JSON.parse(line))).toEqual([
      { sessions: 0, records: 0, left: 0 },
    ]);
  });

  test("a person is asked, and Enter is no", async () => {
    const asked: Array<[string, boolean | undefined]> = [];
    const answering = (answer: boolean) => ({
      interactive: true,
      async confirm(question: string, onEnter?: boolean) {
        asked.push([question, onEnter]);
        return answer;
      },
    });
    const no = await prune(letsGo(plan, steps), [], answering(false));
    expect([no.code, no.out.at(-1), posts(no)]).toEqual([1, "Nothing was changed.", 0]);
    const yes = await prune(letsGo(plan, steps), [], answering(true));
    expect([yes.code, posts(yes)]).toEqual([0, 2]);
    expect(asked).toEqual([
      ["Delete it permanently?", false],
      ["Delete it permanently?", false],
    ]);
  });

  test.each([
    ["where nobody is there", [], false],
    ["where a program reads", ["--json"], true],
  ])("%s it wants a yes", async (_, flags, interactive) => {
    const said = await prune(letsGo(plan, steps), flags, { interactive });
    expect([said.code, posts(said)]).toEqual([2, 0]);
    expect([...said.out, ...said.err].join("\n")).toContain("Pass `--yes` to confirm");
  });
});

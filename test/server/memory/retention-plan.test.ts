// Which sessions go by the rules of age and size: at the edges of the clock, the oldest first, by project.

import { expect, test } from "bun:test";
import { isForEver } from "../../../src/health/sizes.ts";
import { type MemoryRules, planRetention } from "../../../src/server/memory/retention.ts";

type KeptSession = Parameters<typeof planRetention>[0][number];

const day = 86_400_000;
const now = Date.UTC(2026, 10, 22, 12);
const none: MemoryRules = { days: 0, bytes: 0, projects: {} };

const shop = { id: "github.com/acme/shop", name: "shop" };
const blog = { id: "/home/ana/blog", name: "blog" };

function session(id: string, age: number, more: Partial<KeptSession> = {}): KeptSession {
  return { id, client: "claude-code", project: shop, lastActiveAt: now - age, prompts: 9, ...more };
}

const going = (sessions: KeptSession[], rules: Partial<MemoryRules>, bytes = 0): string[] =>
  planRetention(sessions, { ...none, ...rules }, { now, bytes }).map(({ id }) => id);

test("without a rule nothing goes, however old and large it is", () => {
  expect(isForEver(none)).toBe(true);
  expect(isForEver({ ...none, projects: { shop: { days: 0 } } })).toBe(true);
  expect(isForEver({ ...none, projects: { shop: { bytes: 1 } } })).toBe(false);
  expect(going([session("a", 9_999 * day)], {}, 1e12)).toEqual([]);
});

test("by age what is older goes; what is exactly as old stays", () => {
  const sessions = [session("at", 30 * day), session("older", 30 * day + 1), session("new", 0)];
  expect(going(sessions, { days: 30 })).toEqual(["older"]);
  // A clock that went back, or another machine's: what seems to come later is young.
  expect(going([session("later", -3 * day)], { days: 1 })).toEqual([]);
});

test("by size the oldest go first, until the rest fits, and of equals always the same", () => {
  const sessions = [3, 1, 2, 5, 4].map((age) => session(`${age}`, age * 10 * day));
  expect(going(sessions, { bytes: 1_000 }, 1_000)).toEqual([]);
  expect(going(sessions, { bytes: 999 }, 1_000)).toEqual(["5"]);
  expect(going(sessions, { bytes: 600 }, 1_000)).toEqual(["5", "4"]);
  expect(going(sessions, { bytes: 1 }, 1_000)).toEqual(["5", "4", "3", "2", "1"]);
  const alike = ["b", "a", "c"].map((id) => session(id, 40 * day));
  expect(going(alike, { bytes: 600 }, 900)).toEqual(["a"]);
});

test("a session with more prompts takes more room", () => {
  const sessions = [session("large", 9 * day, { prompts: 89 }), session("small", 8 * day)];
  expect(going(sessions, { bytes: 200 }, 1_000)).toEqual(["large"]);
});

test("no rule of size takes what went on within a day", () => {
  const sessions = [session("old", 2 * day), session("running", day - 1)];
  expect(going(sessions, { bytes: 1 }, 1_000)).toEqual(["old"]);
});

test("what goes by age counts no more for the size", () => {
  const sessions = [session("old", 40 * day), session("mid", 20 * day), session("new", 10 * day)];
  expect(going(sessions, { days: 30, bytes: 600 }, 900)).toEqual(["old"]);
});

test("a project's own rule counts instead, by its id, its name, or a pattern, the longest first", () => {
  const sessions = [
    session("shop", 50 * day),
    session("blog", 50 * day, { project: blog }),
    session("other", 50 * day, { project: { id: "/srv/x", name: "x" } }),
  ];
  const by = (projects: MemoryRules["projects"], days = 30) => going(sessions, { days, projects });
  expect(by({ shop: { days: 0 } })).toEqual(["blog", "other"]);
  expect(by({ "/home/ana/*": { days: 60 } })).toEqual(["other", "shop"]);
  expect(by({ "*": { days: 60 }, "github.com/acme/*": { days: 7 } }, 0)).toEqual(["shop"]);
  expect(by({ "github.com/acme/shop": { days: 90 }, shop: { days: 1 } })).toEqual([
    "blog",
    "other",
  ]);
  // A dot is a dot, and no rule at all leaves the general one.
  expect(by({ "githubXcom/*": { days: 0 } })).toEqual(["blog", "other", "shop"]);
});

test("a project may take so much by itself, whatever the others take", () => {
  const sessions = [
    ...[1, 2, 3].map((age) => session(`shop-${age}`, age * 10 * day)),
    ...[1, 2, 3].map((age) => session(`blog-${age}`, age * 10 * day, { project: blog })),
  ];
  expect(going(sessions, { projects: { shop: { bytes: 250 } } }, 600)).toEqual(["shop-3"]);
});

test("says by which key of the config each goes", () => {
  const plan = planRetention(
    [session("a", 90 * day), session("b", 20 * day, { project: blog })],
    { days: 30, bytes: 0, projects: { "bl*": { days: 7 } } },
    { now, bytes: 0 },
  );
  expect(plan.map(({ id, rule }) => [id, rule])).toEqual([
    ["a", "retention.memory.days"],
    ["b", "retention.memory.projects.bl*.days"],
  ]);
});

test("ten thousand sessions are sorted out at once", () => {
  const sessions = Array.from({ length: 10_000 }, (_, at) => session(`s${at}`, at * day));
  const gone = going(sessions, { days: 365, bytes: 1 }, 1e9);
  expect(gone).toHaveLength(9_999);
  expect(gone[0]).toBe("s9999");
});

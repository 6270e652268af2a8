// What the options mean that narrow a question: this folder's project, times; and how an answer repeats them.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { filterWords } from "../../../src/cli/memory/filter.ts";
import { dateTime } from "../../../src/cli/terminal/layout.ts";
import { ownHome } from "../../support/own-home.ts";
import { session } from "../../support/records.ts";
import { typed } from "../../support/typed.ts";

let place: Awaited<ReturnType<typeof ownHome>>;
beforeAll(async () => {
  place = await ownHome();
});
afterAll(() => place.end());

const at = (id: string, root: string) => session(id, { project: { id, name: id, root } });
const sessions = [at("shop", "/w/shop"), at("till", "/w/shop/till"), at("all", "/w")];

test.each([
  ["the project's own folder", "/w/shop", "shop"],
  ["a folder inside it", "/w/shop/src/cart", "shop"],
  ["a project inside another", "/w/shop/till/src", "till"],
  ["a folder whose name only begins alike", "/w/shop-of-others", "all"],
  ["a folder that none holds", "/home/ada", "/home/ada"],
])("%s", async (_, cwd, project) => {
  for (const known of [sessions, sessions.toReversed()]) {
    const answers = { "/api/sessions": { sessions: known }, "/api/marked": { records: [] } };
    const all = await typed(["memory", "pin", "--project", "."], answers, { cwd });
    const asked = all.asked.find(({ path }) => path === "/api/marked");
    expect(asked?.query.project).toBe(project as string);
  }
});

const time = 3_600_000;

test("a filter is repeated in words, dates as people read them", () => {
  expect(filterWords({})).toBe("");
  const query = { project: "shop", kinds: "turn", since: time, until: 2 * time, limit: 5 };
  expect(filterWords(query)).toBe(
    `in project shop, among turns, since ${dateTime(time)}, before ${dateTime(2 * time)}`,
  );
  const others = {
    ...{ session: "s", type: "bugfix", concept: "x", file: "a.ts", client: "c", level: "full" },
  };
  expect(filterWords(others)).toBe(
    "in session s, of type bugfix, with concept x, on file a.ts, of client c, at level full",
  );
});

test.each([
  ["search", "--since"],
  ["sessions", "--until"],
  ["memory export", "--since"],
  ["memory stats", "--since"],
])("%s names %s where it cannot be read", async (command, option) => {
  const { code, err } = await typed([...command.split(" "), option, "soon"], {});
  expect([code, err[0]]).toEqual([2, `error: ${option} cannot be read as a date: soon`]);
});

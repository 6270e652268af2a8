// Which session and project a person means, and when a slip of the hand is one.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { projectMeant, sessionMeant, sessionToSwitch } from "../../../src/cli/endless/scope.ts";
import { type CannedAnswers, cannedServer } from "../../support/canned-server.ts";
import { ownHome } from "../../support/own-home.ts";
import { session } from "../../support/records.ts";

const whole = "5f1f6b9e-0000-4000-8000-00000000d3f0";
const unknown = "99999999-0000-4000-8000-000000000000";
let place: Awaited<ReturnType<typeof ownHome>>;
beforeEach(async () => {
  place = await ownHome();
});
afterEach(() => place.end());

async function asking<Result>(answers: CannedAnswers, work: () => Promise<Result>) {
  const server = await cannedServer(place.home, answers);
  try {
    return { result: await work(), asked: server.asked };
  } finally {
    await server.stop();
  }
}
const known: CannedAnswers = {
  "/api/sessions/5f1f": { session: session(whole) },
  "/api/sessions/shop": { session: session(whole) },
};

test.each([
  ["the beginning of one that is remembered", "5f1f", whole],
  ["one that nothing is remembered of", "abcd", "abcd"],
  ["what the server takes for another's name", "shop", "shop"],
])("a session is meant by %s", async (_, given, meant) => {
  expect((await asking(known, () => sessionMeant(given))).result).toBe(meant);
});

test("nothing at all means nothing, and nobody is asked", async () => {
  const { result, asked } = await asking(known, () => sessionMeant(""));
  expect([result, asked]).toEqual(["", []]);
});

test.each([
  ["one that is switched already", "77", ["77aa", "88bb"], "77aa"],
  ["one that is remembered, where two are switched", "5f1f", ["5f1f-1", "5f1f-2"], whole],
  ["a whole id of which nothing is remembered", unknown, [], unknown],
])("switched is %s", async (_, given, switched, meant) => {
  expect((await asking(known, () => sessionToSwitch(given, switched))).result).toBe(meant);
});

test.each(["nope", "", "shop", `${unknown}0`])("%p is a slip of the hand", async (given) => {
  const said = asking(known, () => sessionToSwitch(given, ["77aa"]));
  await expect(said).rejects.toMatchObject({
    ...{ code: "record_not_found", message: `There is no session "${given}".` },
    fix: expect.stringContaining("`memoir sessions` lists them"),
  });
});

test("a project is the folder's, one that is remembered, or what was said", async () => {
  const answers: CannedAnswers = {
    "/api/endless/project": { project: { id: "acme/shop", name: "shop", root: "/w/shop" } },
    "/api/sessions": ({ query }) => ({
      sessions: query.project === "till" ? [session("s1")] : [],
    }),
  };
  const folder = await asking(answers, () => projectMeant(".", "/w/shop"));
  expect([folder.result, folder.asked.map(({ path, query }) => [path, query.cwd])]).toEqual([
    ...["acme/shop", [["/api/endless/project", "/w/shop"]]],
  ]);
  const named = await asking(answers, () => projectMeant("till", "/w/shop"));
  expect([named.result, named.asked.map(({ query }) => query)]).toEqual([
    ...[session("s1").project.id, [{ project: "till", limit: "1" }]],
  ]);
  expect((await asking(answers, () => projectMeant("other", "/w"))).result).toBe("other");
});

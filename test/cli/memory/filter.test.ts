// What `--project .` means, by the sessions of before.
import { afterAll, beforeAll, expect, test } from "bun:test";
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
  ["a folder that none holds", "/home/ada", undefined],
])("%s", async (_, cwd, project) => {
  for (const known of [sessions, sessions.toReversed()]) {
    const answers = { "/api/sessions": { sessions: known }, "/api/marked": { records: [] } };
    const all = await typed(["memory", "pin", "--project", "."], answers, { cwd });
    const asked = all.asked.find(({ path }) => path === "/api/marked");
    expect(asked?.query.project).toBe(project as string);
  }
});

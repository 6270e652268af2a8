// What became of what was shown, and what rests for it.
import { expect, test } from "bun:test";
import { mkdtemp, readFile, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createUses, restsAfter, usesOf } from "../../src/strategy/uses.ts";

const shown = (part: object = {}) => ({
  ...{ kind: "failure" as const, project: "shop", session: "s1", time: 1_000, ids: ["t12"] },
  ...{ commands: ["git push --set-upstream origin one"], files: ["src/cart.ts"], ...part },
});

test.each([
  ["its id is asked for", { named: "memoir show t12" }, "looked-up"],
  ["its id is asked for among others", { named: '{"ids":["o1","t12"]}' }, "looked-up"],
  ["the agent quotes it", { named: "As in t12, the upstream was missing." }, "looked-up"],
  ["another id is asked for", { named: "memoir show t123" }, undefined],
  ["its repair runs", { command: "git push --set-upstream origin one" }, "acted-on"],
  [
    "its repair runs on another branch",
    { command: "git push --set-upstream origin two" },
    "acted-on",
  ],
  ["what failed runs again", { command: "git push" }, undefined],
  ["another command passes", { command: "bun test login" }, undefined],
  ["its file is changed", { file: "src/cart.ts" }, "acted-on"],
  ["another file is changed", { file: "src/login.ts" }, undefined],
] as const)("%s", (_, deed, how) => {
  const uses = createUses();
  uses.add(shown());
  expect(uses.note({ session: "other", ...deed })).toEqual([]);
  expect(uses.note({ session: "s1", ...deed })).toEqual(how ? [{ kind: "failure", how }] : []);
  expect(uses.note({ session: "s1", ...deed })).toEqual([]);
  expect(uses.of("t12")).toEqual({ shown: 1, used: how ? 1 : 0, rests: false });
});

test.each([
  ["few sessions were shown it", restsAfter - 1, 0, false],
  ["none of many used it", restsAfter, 0, true],
  ["one of many used it", restsAfter, 1, false],
] as const)("a record rests where %s", (_, sessions, used, rests) => {
  const uses = createUses();
  const kinds = ["start", "prompt", "failure", "file"] as const;
  for (let at = 0; at < sessions; at++) {
    const session = `s${at}`;
    // A session that is shown it twice is one session.
    for (const kind of [kinds[at % 4] ?? "start", "start"] as const)
      uses.add({ ...shown(), kind, session, ids: ["t12", "t13"] });
    if (at < used) uses.note({ session, named: "t12" });
  }
  expect(uses.rests("shop", "t12")).toBe(rests);
  expect(uses.rests("blog", "t12")).toBe(false);
  expect(uses.rests("shop", "t13")).toBe(sessions >= restsAfter);
});

test("what a person pins, edits or deletes begins anew, and nothing else does", () => {
  const uses = createUses();
  for (let at = 0; at < restsAfter; at++) uses.add(shown({ session: `s${at}`, ids: ["t1", "t2"] }));
  uses.forget(["t1"]);
  expect([uses.rests("shop", "t1"), uses.rests("shop", "t2")]).toEqual([false, true]);
  expect([uses.wasShown("s1", "t1"), uses.wasShown("s1", "t2")]).toEqual([false, true]);
  uses.forget(["t2"]);
  expect(uses.all()).toEqual([]);
});

test("each session that used a record makes it worth more in its project, three at most", () => {
  const uses = createUses();
  const worths = [1, 2, 3, 4, 5].map((at) => {
    uses.add(shown({ session: `s${at}` }));
    const before = uses.worth("shop", "t12");
    uses.note({ session: `s${at}`, named: "memoir show t12" });
    return [before, uses.worth("shop", "t12")];
  });
  expect(worths).toEqual([
    [1, 1.1],
    [1.1, 1.2],
    [1.2, 1.3],
    [1.3, 1.3],
    [1.3, 1.3],
  ]);
  expect(createUses(uses.all().toReversed()).worth("shop", "t12")).toBe(1.3);
  expect(uses.worth("blog", "t12")).toBe(1);
  uses.forget(["t12"]);
  expect(uses.worth("shop", "t12")).toBe(1);
});

test("what was given in stays as it is, and the newest two thousand are kept", () => {
  const first = createUses();
  first.add(shown());
  const before = first.all();
  const uses = createUses(before);
  uses.note({ session: "s1", file: "src/cart.ts" });
  expect([before[0]?.actedOn, uses.all()[0]?.actedOn]).toEqual([false, true]);
  for (let time = 2; time <= 2_001; time++) uses.add(shown({ time }));
  expect([uses.all().length, uses.all()[0]?.time]).toEqual([2_000, 2]);
});

test("a home has one, kept in a file that only its owner reads; a torn one counts as none", async () => {
  const home = await mkdtemp(join(tmpdir(), "memoir-uses-"));
  try {
    const path = join(home, "moments.json");
    await writeFile(path, "[{");
    const uses = await usesOf(home);
    expect(await usesOf(home)).toBe(uses);
    await uses.keep();
    expect(await readFile(path, "utf8")).toBe("[{");
    uses.add(shown());
    await uses.keep();
    expect(JSON.parse(await readFile(path, "utf8"))).toMatchObject([{ ids: ["t12"], used: [] }]);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
  } finally {
    await rm(home, { recursive: true, force: true });
  }
});

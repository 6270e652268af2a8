import { expect, test } from "bun:test";
import { searcher } from "../../../src/server/memory/ask-search.ts";
import { gitMarks } from "../../../src/server/memory/git-marks.ts";
import { fakeHooks } from "../../support/fake-hooks.ts";

test("names for times come from the project's repository, else from the folder that asks", async () => {
  const folders: string[] = [];
  const hooks = fakeHooks({
    "storage.search": () => [],
    "storage.sessions": ({ project }) =>
      project === "shop" ? [{ project: { root: "/code/shop" } } as never] : [],
  });
  const search = searcher(
    { hooks },
    gitMarks(
      () => 0,
      async (folder) => {
        folders.push(folder);
        return "1763000000 v1.2\n";
      },
    ),
  );
  const marks = [{ name: "v1.2", time: 1_763_000_000_000 }];
  await search({ text: "tokens before v1.2", project: "shop", cwd: "/elsewhere" });
  await search({ text: "tokens", also: ["since v1.2"], cwd: "/elsewhere" });
  await search({ text: "tokens before v1.2", project: "unknown", cwd: "/elsewhere" });
  await search({ text: "tokens", cwd: "/elsewhere" });
  expect(folders).toEqual(["/code/shop", "/elsewhere"]);
  expect(hooks.inputs("storage.search")).toEqual([
    { text: "tokens before v1.2", project: "shop", marks },
    { text: "tokens", also: ["since v1.2"], marks },
    { text: "tokens before v1.2", project: "unknown" },
    { text: "tokens" },
  ]);
});

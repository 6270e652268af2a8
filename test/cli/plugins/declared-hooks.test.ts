// What a plugin declares that it hears is shown before any of its code runs, by `plugin add` and `plugin trust`.
import { afterEach, beforeEach, expect, test } from "bun:test";
import { existsSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { declaredLines } from "../../../src/cli/plugins/declared-hooks.ts";
import { hookKinds } from "../../../src/sdk/hooks.ts";
import { ownHome } from "../../support/own-home.ts";
import { typed } from "../../support/typed.ts";

let place: Awaited<ReturnType<typeof ownHome>>;
beforeEach(async () => {
  place = await ownHome();
});
afterEach(() => place.end());

const ran = () => join(place.root, "ran");
/** A plugin that leaves a mark where its code runs. */
async function plugin(folder: string, memoir?: object): Promise<string> {
  const path = join(place.root, folder);
  await mkdir(path, { recursive: true });
  await writeFile(join(path, "package.json"), JSON.stringify({ name: "p", memoir }));
  const code = `import { writeFileSync } from "node:fs";\nwriteFileSync(${JSON.stringify(ran())}, "");\n`;
  const value = `{ name: "mine", description: "d", sdk: 1, hooks: { UserPromptSubmit() {}, stored() {} } }`;
  await writeFile(join(path, "index.ts"), `${code}export default ${value};\n`);
  return path;
}
const unknown = "It declares no hooks: which texts it gets can't be known before its code runs.";
const anything = "It declares no hosts and files: it can reach whatever you can.";
const held =
  "  memoir refuses its worker other ones. That stops plain code, not code that hides from it.";
const prompts = "  gets    your prompts (UserPromptSubmit)";
const records = "  gets    your memory's records (stored)";

test.each<[memoir: object | undefined, shown: string[]]>([
  [undefined, [unknown, anything]],
  [{}, [unknown, anything]],
  [{ hooks: ["stored", "UserPromptSubmit"] }, [prompts, records, anything]],
  [{ hooks: ["stored"] }, [records, anything]],
  [
    { hooks: ["stored"], programs: ["git"] },
    [records, "  reaches hosts: any", "  touches files: any", "  runs    programs: git", held],
  ],
  [{ hooks: [] }, ["  gets    no texts", anything]],
  [
    { hooks: ["stored"], hosts: ["api.acme.dev", "x\u001b[2J"], files: [] },
    [
      records,
      "  reaches hosts: api.acme.dev, x",
      "  touches files: none",
      "  runs    programs: none",
      held,
    ],
  ],
])("%j is shown, and a no runs nothing", async (memoir, shown) => {
  const path = await plugin("mine", memoir);
  const { out } = await typed(["plugin", "add", path], undefined, {
    interactive: true,
    confirm: async () => existsSync(ran()),
  });
  expect(out).toEqual([...shown, "Nothing was added."]);
  expect(existsSync(ran())).toBe(false);
});

test("who hears more than is declared is not added, who hears that is", async () => {
  const less = await plugin("less", { hooks: ["stored"] });
  expect((await typed(["plugin", "add", less, "--yes"])).err[0]).toBe(
    "error: mine listens to UserPromptSubmit, which its package.json does not declare.",
  );
  expect(await readdir(place.home)).not.toContain("config.json");
  const all = await plugin("all", { hooks: ["stored", "UserPromptSubmit", "Stop"] });
  expect((await typed(["plugin", "add", all, "--yes"])).out.at(-1)).toBe("Added; it is on.");
});

test.each([
  [["storred"], '"storred"; did you mean stored?'],
  ["stored", '"stored"; did you mean stored?'],
  [[{ a: 1 }], '{"a":1}.'],
])("%j names no hook", async (hooks, says) => {
  const path = await plugin("mine", { hooks });
  const { err } = await typed(["plugin", "add", path, "--yes"]);
  expect(err[0]).toBe(`error: ${path}/package.json: memoir.hooks names no hook: ${says}`);
  expect(existsSync(ran())).toBe(false);
});

test("trust shows it of each plugin, and runs none", async () => {
  await plugin("shop/.memoir/plugins/mine", { hooks: ["stored"] });
  const at = { interactive: true, confirm: async () => false };
  const { out } = await typed(["plugin", "trust", join(place.root, "shop")], undefined, at);
  expect(out.slice(-4)).toEqual([
    ...["mine:", `  ${records.trim()}`, `  ${anything}`, "Nothing was changed; they do not run."],
  ]);
  expect(existsSync(ran())).toBe(false);
});

test("the texts of every hook are said, once", () => {
  for (const hook of Object.keys(hookKinds)) expect(declaredLines([hook])).toHaveLength(1);
});

test.each([
  ["hosts", "api.acme.dev"],
  ["files", [""]],
  ["hosts", { a: 1 }],
])("%s: %j is no list of names", async (field, names) => {
  const path = await plugin("mine", { hooks: ["stored"], [field]: names });
  const { err } = await typed(["plugin", "add", path, "--yes"]);
  expect(err[0]).toContain(`memoir.${field} is no list of names: ${JSON.stringify(names)}.`);
  expect(existsSync(ran())).toBe(false);
});

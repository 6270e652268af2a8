// What `memoir plugin new` prints: the files, and by which command each kind gets in force; and what it refuses, in words.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { mkdir, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { describePlugins } from "../../../src/runtime/plugins/describe.ts";
import { ownHome } from "../../support/own-home.ts";
import { typed } from "../../support/typed.ts";

let place: Awaited<ReturnType<typeof ownHome>>;
beforeAll(async () => {
  place = await ownHome();
});
afterAll(() => place.end());
const make = (kind: string, name: string, ...flags: string[]) =>
  typed(["plugin", "new", kind, name, ...flags], { "/api/reload": {} });
const folder = (name: string) => join(place.home, "plugins", name);

test.each([
  ["observation", "memoir config set slots.observation", "enables it"],
  ["strategy", "memoir config set slots.observation", "enables it"],
  ["endless-mode", "memoir endless on", "enables it"],
  ["capture", "memoir plugin enable", "enables it, once you have read it"],
  ["context-injection", "memoir plugin enable", "enables it, once you have read it"],
  ["listener", "memoir plugin enable", "enables it, once you have read it"],
  ["extractor", "memoir plugin enable", "enables it, once you have read it"],
])("of the kind %s: %s …, which %s", async (kind, command, note) => {
  const name = `my-${kind}`;
  const { code, out, asked } = await make(kind, name);
  const commands = ["memoir plugin test", "memoir plugin dev", command].map(
    (one) => `${one} ${name}`,
  );
  const wide = Math.max(...commands.map((one) => one.length));
  const notes = [
    ...["its promises, then its tests"],
    ...["what it makes of a recorded session, again at each save", note],
  ];
  expect([code, out]).toEqual([
    0,
    [
      `${name} is in ${folder(name)}:`,
      "  index.ts       the plugin, working and commented",
      "  index.test.ts  its tests",
      "  tsconfig.json  so your editor finds the types",
      "",
      ...commands.map((one, at) => `  ${one.padEnd(wide)}  ${notes[at]}`),
    ],
  ]);
  expect(asked.map(({ path }) => path)).toEqual(["/api/reload"]);
  // What would be in force by lying there is off until its author has read it.
  const { plugins } = await describePlugins(place.home, {});
  expect(plugins.find((plugin) => plugin.name === name)?.state === "disabled").toBe(
    command === "memoir plugin enable",
  );
  expect((await stat(folder(name))).mode & 0o777).toBe(0o700);
});

test("as JSON it names files and what comes next, and whether a server took it up", async () => {
  const { out } = await make("listener", "heard", "--json");
  expect(JSON.parse(out.join(""))).toEqual({
    ...{ name: "heard", kind: "listener", folder: folder("heard"), running: true },
    files: ["index.ts", "index.test.ts", "tsconfig.json"],
    next: ["memoir plugin test heard", "memoir plugin dev heard", "memoir plugin enable heard"],
  });
  const alone = await typed(["plugin", "new", "listener", "alone", "--json"]);
  expect(JSON.parse(alone.out.join("")).running).toBe(false);
});

test.each([
  ["listenr", "x", "There is no kind listenr; did you mean listener?"],
  ["xylophone", "x", "There is no kind xylophone."],
  ["listener", "Two Words", '"Two Words" is no plugin name.'],
  ["listener", "a--b", '"a--b" is no plugin name.'],
  ["listener", "a-", '"a-" is no plugin name.'],
  ["listener", "sqlite", "A built-in plugin is called sqlite."],
])("%s %j is refused: %s", async (kind, name, message) => {
  const { code, err, asked } = await make(kind, name);
  expect([code, err[0], asked]).toEqual([2, `error: ${message}`, []]);
  expect(await stat(folder(name)).catch(() => "none")).toBe("none");
});

test("what is there already stays, whether it is that folder or a plugin of that name elsewhere", async () => {
  await mkdir(folder("mine"), { recursive: true });
  expect((await make("listener", "mine")).err[0]).toBe(
    `error: There is ${folder("mine")} already.`,
  );
  const file = join(place.home, "plugins", "taken.ts");
  await writeFile(
    file,
    `import { definePlugin } from "memoir/sdk";
export default definePlugin({ name: "taken", description: "x", sdk: 1, hooks: { Stop: () => undefined } });\n`,
  );
  expect((await make("listener", "taken")).err).toEqual([
    `error: Another plugin is called taken: ${file}`,
    "fix: Choose another name; nothing was changed.",
  ]);
});

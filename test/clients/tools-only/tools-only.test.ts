// Clients that only get memoir's tools: which files, what stands in them, and that the user's own rules stay.
import { describe, expect, test } from "bun:test";
import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rulesBlock, rulesFile } from "../../../src/clients/described/adapter.ts";
import { allAdapters, clients } from "../../../src/clients/index.ts";
import { putPart } from "../../../src/install/client-files.ts";
import { MemoirError } from "../../../src/sdk/errors.ts";
import { expectGolden } from "../../support/golden.ts";

const names = [...clients.values()].flatMap(({ name, abilities }) =>
  abilities.way === "tools" ? [name] : [],
);
const adapters = (await allAdapters()).filter(({ name }) => names.includes(name));
const place = {
  env: { HOME: "/home/dev" },
  binary: "/home/dev/.memoir/bin/memoir",
  home: undefined,
  ...{ command: "", events: new Map() },
};

test("each is in the table of clients, with files of its own", () => {
  expect(names).toEqual(["cline", "windsurf", "kiro", "amp", "zed", "roo"]);
  expect(adapters.map(({ name }) => name)).toEqual(names);
  for (const name of names) expect(clients.get(name)?.abilities.way).toBe("tools");
});

test("what an install writes where nothing was", async () => {
  const files = adapters.flatMap(({ registration }) => registration?.files(place) ?? []);
  const written = files.map(({ path, parts }) => {
    const text = parts.reduce((before, part) => putPart(before, part, "", path), "");
    return `== ${path}\n${text}`;
  });
  expect(new Set(files.map(({ path }) => path)).size).toBe(files.length);
  await expectGolden(join(import.meta.dirname, "files.txt"), written.join("\n"));
});

test("a folder in another place is found where it is there", async () => {
  const root = await mkdtemp(join(tmpdir(), "memoir-tools-"));
  const env = { HOME: root, APPDATA: join(root, "Roaming"), XDG_CONFIG_HOME: join(root, "cfg") };
  const of = (name: string) => adapters.find((one) => one.name === name)?.registration;
  const paths = () => [
    of("zed")?.folder(env),
    of("roo")?.folder(env),
    of("amp")?.files({ ...place, env })[0]?.path,
  ];
  const own = (editor: string) =>
    join(root, editor, "User/globalStorage/rooveterinaryinc.roo-cline");
  try {
    const usual = [".config/zed", ".config/amp/settings.json"].map((path) => join(root, path));
    expect(paths()).toEqual([usual[0] ?? "", own(".config/Code"), usual[1] ?? ""]);
    for (const folder of ["Roaming/Zed", "Roaming/Code", ".config/amp"])
      await mkdir(join(root, folder), { recursive: true });
    await writeFile(join(root, ".config/amp/settings.jsonc"), "{}");
    expect(paths()).toEqual([
      join(root, "Roaming/Zed"),
      own("Roaming/Code"),
      join(root, ".config/amp/settings.jsonc"),
    ]);
  } finally {
    await rm(root, { recursive: true, force: true });
  }
});

test("none of them tells events", () => {
  for (const adapter of adapters) {
    expect(() => adapter.parse({ session_id: "s" }, { id: "d", time: 1 })).toThrow(MemoirError);
    expect(adapter.registration?.events).toEqual([]);
  }
});

describe("a block among the user's own rules", () => {
  if (rulesBlock.kind !== "edit") throw new Error("it is no edit");
  const { put, take, state } = rulesBlock;
  for (const [what, text] of Object.entries({
    "no end of line": "Use tabs.",
    "an end of line": "Use tabs.\n",
    "ends of lines of Windows": "Use tabs.\r\n",
    nothing: "",
  }))
    test(`with ${what}`, () => {
      const whole = put(text, "");
      expect(whole).toStartWith(text);
      expect([state(text, ""), state(whole, "")]).toEqual(["none", "current"]);
      expect(put(whole, "")).toBe(whole);
      expect(take(whole, "").trimEnd()).toBe(text.trimEnd());
    });

  test("what was written below it stays, and an older block is brought up to date", () => {
    const older = `${put("Use tabs.\n", "").replace("Memory of", "The memory of")}\nMine, later.\n`;
    expect(state(older, "")).toBe("other");
    expect(put(older, "")).toBe(`${put("Use tabs.\n", "")}\nMine, later.\n`);
    expect(take(put(older, ""), "")).toBe("Use tabs.\n\nMine, later.\n");
  });

  test("a mark that nothing closes is not taken for a block", () => {
    const torn = "<!-- memoir: begin -->\nUse tabs.\n";
    expect(state(torn, "")).toBe("none");
    expect(take(torn, "")).toBe(torn);
  });

  test("it is short: it stands before every task", () => {
    expect(putPart("", rulesFile, "", "").length).toBeLessThan(700);
  });
});

// Completion as the shells do it: the real ones where they are installed.
import { expect, test } from "bun:test";
import { commands, shells } from "../../../src/cli/commands/index.ts";
import { completionScript, placesOf } from "../../../src/cli/setup/completions.ts";
import { ownHome } from "../../support/own-home.ts";
import { typed } from "../../support/typed.ts";

const places = placesOf(commands);

test("every command and its options are there", () => {
  expect(places.find(({ path }) => path === "")?.commands.map(({ word }) => word)).toContain(
    "search",
  );
  expect(places.find(({ path }) => path === "plugin new")).toBeDefined();
  const search = places.find(({ path }) => path === "search");
  expect(search?.options.map(({ word }) => word)).toEqual(
    expect.arrayContaining(["--project", "--since", "--json"]),
  );
  expect(search?.values).toContainEqual({
    options: ["--level"],
    words: ["sessions", "summaries", "titles", "facts", "narratives"],
  });
});

test.each(shells.map((shell) => [shell]))("the script for %s is right for it", async (shell) => {
  const script = completionScript(shell, places);
  expect(script).toContain("timeline");
  const program = Bun.which(shell);
  if (!program) return console.log(`${shell} is not installed: its script was not run`);
  const child = Bun.spawn([program, "-n", "/dev/stdin"], {
    stdin: new Blob([script]),
    stderr: "pipe",
  });
  expect([await child.exited, await new Response(child.stderr).text()]).toEqual([0, ""]);
});

test("what a word is for reads as in the help, and a word without a purpose stands alone", async () => {
  const fish = completionScript("fish", places);
  expect(fish).toContain("Don’t ask; with an active provider, also pass --provider");
  expect(fish).toContain("Keep long sessions going by shortening bulky results");
  expect(completionScript("zsh", places)).toContain("c=('bash' 'zsh' 'fish')");
});

test.each([
  ["memoir config un", ["unset\tReset a value to its default"]],
  ["memoir completions b", ["bash"]],
  ["memoir search --kind su", ["summary\tOnly these kinds of record"]],
])("fish completes %j", async (line, expected) => {
  const program = Bun.which("fish");
  if (!program) return console.log("fish is not installed: nothing was completed");
  const run = `${completionScript("fish", places)}\ncomplete -C '${line}'`;
  const child = Bun.spawn([program, "--no-config", "-c", run], { stdout: "pipe", stderr: "pipe" });
  expect((await new Response(child.stdout).text()).trim().split("\n")).toEqual(expected);
});

/** What bash offers for a line whose last word is being typed. */
async function offered(...words: string[]): Promise<string[]> {
  const line = words.map((word) => `'${word}'`).join(" ");
  // What `memoir completions bash --of …` prints, with what it was asked for in the first line.
  const run = `${completionScript("bash", places)}
memoir() { printf '%s\\t\\nit is\\ttwo words\\n' "$4"; }
COMP_WORDS=(${line}); COMP_CWORD=${words.length - 1}; _memoir; printf '%s\n' "\${COMPREPLY[@]}"`;
  const child = Bun.spawn(["bash", "-c", run], { stdout: "pipe", stderr: "pipe" });
  const [out, err] = await Promise.all([
    new Response(child.stdout).text(),
    new Response(child.stderr).text(),
  ]);
  expect(err).toBe("");
  return out.trim().split("\n");
}

test.each([
  [["memoir", "sea"], ["search"]],
  [["memoir", "plugin", "ne"], ["new"]],
  [
    ["memoir", "endless", "gateway", "o"],
    ["on", "off"],
  ],
  [["memoir", "search", "--lev"], ["--level"]],
  [["memoir", "search", "--kind", "su"], ["summary"]],
  [["memoir", "completions", "z"], ["zsh"]],
  [["memoir", "search", "--level", "f"], ["facts"]],
  [["memoir", "search", "words", "--js"], ["--json"]],
  [
    ["memoir", "show", "o1", ""],
    ["id", "it\\ is"],
  ],
  [
    ["memoir", "memory", "pin", "i"],
    ["id", "it\\ is"],
  ],
  [["memoir", "memory", "merge", "id"], ["id"]],
  [["memoir", "sessions", "s"], ["session"]],
  [["memoir", "search", "--project", "p"], ["project"]],
  [["memoir", "search", "-p", "p"], ["project"]],
  [["memoir", "memory", "projects", "rename", "p"], ["project"]],
  [["memoir", "config", "set", "k"], ["key"]],
  [["memoir", "plugin", "disable", "p"], ["plugin"]],
  [["memoir", "provider", "test", "p"], ["provider"]],
  [["memoir", "memory", "restore", "b"], ["backup"]],
] as const)("bash completes %j", async (words, expected) => {
  if (!Bun.which("bash")) return console.log("bash is not installed: nothing was completed");
  expect(await offered(...words)).toEqual([...expected]);
});

const asked: ReadonlyArray<readonly [string, readonly string[]]> = [
  [
    "id",
    [
      "t3\tLogin loop fixed",
      "o7\tLogin loop fixed",
      "m4\tTests run with bun test",
      "01234567\tLogin",
    ],
  ],
  ["session", ["01234567\tLogin"]],
  ["project", ["shop\tgithub.com/acme/shop", "github.com/acme/shop\tshop"]],
];

test.each(asked)("a script that asks for %j gets what memory has", async (of, expected) => {
  const place = await ownHome();
  try {
    const part = (id: string, kind: string) => ({ id, kind, title: "Login\nloop fixed" });
    const { out, code, err } = await typed(["completions", "bash", "--of", of], {
      "/api/timeline": { items: [{ parts: [part("t3", "turn"), part("o7", "observation")] }] },
      "/api/search": { results: [{ id: "m4", title: "Tests run with bun test" }] },
      "/api/sessions": { sessions: [{ id: "0123456789ab", title: "Login" }] },
      "/api/projects": { projects: [{ id: "github.com/acme/shop", name: "shop" }] },
    });
    expect([code, err, out]).toEqual([0, [], [...expected]]);
  } finally {
    await place.end();
  }
});

test("without a server nothing is started for it; settings and plugins are known without one", async () => {
  const place = await ownHome();
  try {
    const lines = async (of: string) => (await typed(["completions", "bash", "--of", of])).out;
    expect(await lines("id")).toEqual([]);
    expect(await lines("nonsense")).toEqual([]);
    const keys = (await lines("key")).map((line) => line.split("\t")[0]);
    expect(keys).toEqual(expect.arrayContaining(["log.level", "plugins.hybrid.maxTokens"]));
    expect((await lines("provider")).map((line) => line.split("\t")[0])).toContain("none");
  } finally {
    await place.end();
  }
});

test("typed, the script is printed whole; as JSON the words it is made of", async () => {
  const place = await ownHome();
  try {
    const script = await typed(["completions", "fish"]);
    expect([script.code, script.out.join("\n")]).toEqual([0, completionScript("fish", places)]);
    const json = await typed(["completions", "zsh", "--json"]);
    const told = JSON.parse(json.out.join(""));
    expect([json.code, told.shell, told.places]).toEqual([0, "zsh", places]);
  } finally {
    await place.end();
  }
});

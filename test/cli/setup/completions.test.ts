// Completion as the shells do it: the real ones where they are installed.
import { expect, test } from "bun:test";
import { commands } from "../../../src/cli/commands/index.ts";
import { completionScript, placesOf, shells } from "../../../src/cli/setup/completions.ts";
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
  expect(search?.choices).toContainEqual({
    option: "--level",
    values: ["sessions", "summaries", "titles", "facts", "narratives"],
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
  expect(fish).toContain("Don’t ask; with an active provider, only together with --provider");
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
  const run = `${completionScript("bash", places)}
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
] as const)("bash completes %j", async (words, expected) => {
  if (!Bun.which("bash")) return console.log("bash is not installed: nothing was completed");
  expect(await offered(...words)).toEqual([...expected]);
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

// The client's dialogs and notices in a window: a plan accepted in place and for a fresh session, questions, queued words, a hook's stop.
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { existsSync } from "node:fs";
import { rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { plansOf } from "../../../src/strategy/open-ends.ts";
import { type ClientWindow, inWindow } from "../interactive.ts";
import type { Scenario } from "../scenario.ts";
import { type Said, turn, use } from "../script.ts";
import { until } from "../until.ts";
import type { Project, World } from "../world.ts";
import { nextTold, recovered, sessionOf, shown, turnsOf } from "./interactive.ts";

const files = { "src/heading.js": 'export const heading = "Shop";\n' };
const title = "Rename the shop to Market";
const plan = `# Plan: ${title}\n\n1. Change the heading\n2. Change the title of the page`;
const closing = "The heading reads Market now; the title of the page still reads Shop.";
const subject = "Call the shop Market";
const allowed = ["--allowedTools", "Read", "Edit", "Write", "Bash(git commit *)"];

/** Where the client wants its plan: its own words to the model name the file. */
function planFile(window: ClientWindow | undefined): string {
  const request = window?.main().at(-1);
  const said = request ? JSON.stringify([request.body.system, request.body.messages]) : "";
  return /plan at (\S+?\.md)/.exec(said)?.[1] ?? "";
}

/** Writes the plan into the client's own file, proposes it, and carries it out. */
function planned(shop: Project, window: () => ClientWindow | undefined): Said[] {
  const heading = { file_path: shop.path("src/heading.js") };
  return [
    () =>
      turn("Here is how.", use("Write", { file_path: planFile(window()), content: `${plan}\n` })),
    turn(use("ExitPlanMode", {})),
    turn(use("Read", heading)),
    turn(use("Edit", { ...heading, old_string: '"Shop"', new_string: '"Market"' })),
    turn(closing),
  ];
}

const inPlanMode = ["--permission-mode", "plan", ...allowed];

/** Of all turns of these sessions. */
async function planIn(memoir: Parameters<typeof turnsOf>[0], ...sessions: string[]) {
  const turns = await Promise.all(sessions.map((session) => turnsOf(memoir, session)));
  const [found, ...more] = plansOf(turns.flat());
  assert.deepEqual(more, []);
  return {
    title: found?.title,
    state: found?.state,
    accepted: found?.accepted?.session,
    carriedOut: found?.carriedOut.map(({ promptNumber }) => promptNumber),
  };
}

function inGit({ root }: Project): void {
  for (const line of ["init -q -b main", "config user.name a", "config user.email a@b.c", "add ."])
    execFileSync("git", line.split(" "), { cwd: root });
}

async function writeSettings(world: World, settings: object): Promise<void> {
  await writeFile(join(world.claude, "settings.json"), JSON.stringify(settings));
}

export const planScenarios: Scenario[] = [
  {
    name: "plans: accepted in place, carried out, and committed by a prompt of one word",
    needs: "tmux",
    async run(world) {
      const memoir = await world.install();
      const shop = await world.project("shop", files);
      inGit(shop);
      const commit = use("Bash", {
        command: `git commit -qam "${subject}"`,
        description: "Commit",
      });
      let opened: ClientWindow | undefined;
      const main = [...planned(shop, () => opened), turn(commit), turn("Committed.")];
      const session = await inWindow(
        world,
        shop,
        { script: { main }, args: inPlanMode },
        async (window) => {
          opened = window;
          await window.send("Rename the shop");
          await window.shows("Would you like to proceed?");
          await window.pressUntil("2", closing.slice(0, 40));
          await window.shows(/✻ \S+ for \d+/);
          await window.press("C-u");
          await window.ask("commit", "Committed.");
          await window.exit();
          return sessionOf(window);
        },
      );
      const [first, second] = await turnsOf(memoir, session);
      assert.deepEqual(first?.pieces.map(shown), [
        "prompt: Rename the shop",
        "said: Here is how.",
        `plan: ${plan}`,
        `closing: ${closing}`,
      ]);
      assert.deepEqual(
        first.files.map(({ path }) => path),
        ["src/heading.js"],
      );
      assert.ok(second?.pieces.some(({ kind, text }) => kind === "commit" && text === subject));
      const { observations } = await memoir.records(session);
      assert.ok(
        observations.some((one) => one.title.includes(subject)),
        JSON.stringify(observations),
      );
      assert.ok(
        observations.every(({ filesModified }) => !filesModified.join().includes("plans/")),
      );
      assert.deepEqual(await planIn(memoir, session), {
        ...{ title, state: "accepted", accepted: session, carriedOut: [1, 2] },
      });
      assert.deepEqual(
        (await recovered(world, memoir))?.pieces.map(shown),
        first.pieces.map(shown),
      );
    },
  },
  {
    name: "plans: accepted for a fresh session, which holds it though no hook tells of its prompt",
    needs: "tmux",
    async run(world) {
      await writeSettings(world, { showClearContextOnPlanAccept: true });
      const memoir = await world.install();
      const shop = await world.project("shop", files);
      let opened: ClientWindow | undefined;
      const script = { main: planned(shop, () => opened) };
      const [before = "", after = ""] = await inWindow(
        world,
        shop,
        { script, args: inPlanMode },
        async (window) => {
          opened = window;
          await window.send("Rename the shop");
          await window.shows(/❯ 1\. Yes, clear context/);
          const proposing = sessionOf(window);
          await window.pressUntil("1", "Plan to implement");
          await window.shows(/✻ \S+ for \d+/);
          await window.press("C-u");
          await window.exit();
          return [proposing, sessionOf(window)];
        },
      );
      assert.notEqual(before, after);
      const [proposed] = await turnsOf(memoir, before);
      assert.equal(proposed?.end, "closed");
      assert.deepEqual(proposed.pieces.map(shown), [
        "prompt: Rename the shop",
        "said: Here is how.",
        `closing: ExitPlanMode: ${plan}`,
      ]);
      const [done] = await turnsOf(memoir, after);
      assert.deepEqual(done?.pieces.map(shown), [`plan: ${plan}`, `closing: ${closing}`]);
      assert.deepEqual(await planIn(memoir, before, after), {
        ...{ title, state: "accepted", accepted: after, carriedOut: [0] },
      });
      const { session, observations } = await memoir.records(after);
      // The plan's title is of the plan; the session says what came of it.
      const titles = [session.title, ...observations.map((one) => one.title)];
      assert.ok(titles.length === 2 && titles.every((one) => closing.startsWith(one)), `${titles}`);
      assert.doesNotMatch(await nextTold(world, shop), /following plan|stopped|refused|plans\//);
    },
  },
  {
    name: "plans: what is picked in a dialog is a choice, what is typed there and meanwhile is the person's word",
    needs: "tmux",
    async run(world) {
      const memoir = await world.install();
      const shop = await world.project("shop", files);
      const options = [
        { label: "Market", description: "As the owner says" },
        { label: "Bazaar", description: "As the sign says" },
      ];
      const ask = (question: string) =>
        turn(
          use("AskUserQuestion", {
            questions: [{ question, header: "Name", multiSelect: false, options }],
          }),
        );
      const main: Said[] = [
        ask("Which name?"),
        ask("Which sign?"),
        ask("Which door?"),
        turn("What would you like to clarify?"),
        turn(
          "Waiting.",
          use("Bash", { command: "touch waiting; while [ -e waiting ]; do sleep 0.1; done" }),
        ),
        turn("Market it is."),
      ];
      const args = [...allowed.slice(0, -1), "Bash"];
      const session = await inWindow(world, shop, { script: { main }, args }, async (window) => {
        await window.send("Rename the shop");
        await window.shows("Which name?");
        await window.pressUntil("1", "Which sign?");
        await window.pressUntil("3", /❯ 3\./);
        await window.type("carved in oak");
        await window.press("Enter");
        await window.shows("Which door?");
        await window.pressUntil("4", "What would you like to clarify?");
        await window.shows(/✻ \S+ for \d+/);
        await window.press("C-u");
        await window.send("The door stays");
        await until("the command waits", () => existsSync(shop.path("waiting")));
        await window.type("and the door, too");
        await window.press("Enter");
        // Once it waits in the queue it goes to the model with the command's result; before, it may become a turn of its own.
        await window.shows("to edit queued messages");
        await rm(shop.path("waiting"));
        await window.shows("Market it is.");
        await window.shows(/✻ \S+ for \d+/);
        await window.exit();
        return sessionOf(window);
      });
      const words = (await turnsOf(memoir, session)).map(({ pieces }) =>
        pieces.filter(({ kind }) => kind !== "passed").map(shown),
      );
      assert.deepEqual(words, [
        [
          "prompt: Rename the shop",
          "choice: Which name? (Market | Bazaar): Market",
          "typed: Which sign? (Market | Bazaar): carved in oak",
          "refusal: AskUserQuestion: Which door?",
          "closing: What would you like to clarify?",
        ],
        ["prompt: The door stays", "closing: Waiting."],
        ["prompt: and the door, too", "closing: Market it is."],
      ]);
    },
  },
  {
    name: "plans: what the client writes for a hook that stops or blocks a prompt is nobody's word",
    needs: "tmux",
    async run(world) {
      const answer = (word: string, said: object) =>
        `grep -q ${word} && printf '%s' '${JSON.stringify(said)}' || true`;
      const hooks = [
        answer("heron", { continue: false, stopReason: "Another session is active" }),
        answer("stork", { decision: "block", reason: "No storks before noon" }),
      ].map((command) => ({ hooks: [{ type: "command", command }] }));
      await writeSettings(world, { hooks: { UserPromptSubmit: hooks } });
      const memoir = await world.install();
      const shop = await world.project("shop", files);
      const script = { main: [turn("An owl it is.")] };
      const session = await inWindow(world, shop, { script }, async (window) => {
        await window.send("Draw a heron");
        await window.shows("Operation stopped by hook: Another session is active");
        await window.send("Draw a stork");
        await window.shows("No storks before noon");
        // The client gives a blocked prompt back to be edited.
        await window.pressUntil("C-u", /^❯\s*$/m);
        await window.ask("Draw an owl", "An owl it is.");
        await window.exit();
        return sessionOf(window);
      });
      const turns = await turnsOf(memoir, session);
      const told = turns.flatMap(({ pieces }) => pieces.map(shown));
      assert.deepEqual(told.slice(-2), ["prompt: Draw an owl", "closing: An owl it is."]);
      assert.doesNotMatch(told.join("\n"), /by hook|another session|before noon/i);
      const { prompts } = await memoir.records(session);
      assert.ok(prompts.every(({ text }) => text.startsWith("Draw ")));
      assert.doesNotMatch(await nextTold(world, shop), /by hook|another session|before noon/i);
    },
  },
];

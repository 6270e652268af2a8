// The client in its interactive form: what the person did to a session in a window is kept as it was, and told so to the next.
import assert from "node:assert/strict";
import { existsSync } from "node:fs";
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import type { Evidence, Turn } from "../../../src/sdk/turn.ts";
import { findOne } from "../expect.ts";
import { type ClientWindow, inWindow } from "../interactive.ts";
import type { Memoir } from "../memoir.ts";
import type { Scenario } from "../scenario.ts";
import { turn, use } from "../script.ts";
import { until } from "../until.ts";
import { contexts, texts } from "../wire.ts";
import type { Project, World } from "../world.ts";

const files = {
  "src/heading.js": 'export const heading = "Shop";\n',
  // Says that it runs, and runs on.
  "src/migrate.js":
    'import { writeFileSync } from "node:fs";\nwriteFileSync("migrating", "");\nsetInterval(() => {}, 1000);\n',
};
const allowed = ["--allowedTools", "Read", "Edit", "Bash(node src/migrate.js)"];

const closing = "The heading reads Market now; the title of the page still reads Shop.";
const install = use("Bash", {
  command: "rm -rf node_modules && npm install",
  description: "Install everything again",
});
const reason = "Never delete node_modules here: always use npm ci";

function rename(project: Project, from: string, to: string) {
  const edit = { old_string: from, new_string: to };
  const path = { file_path: project.path("src/heading.js") };
  return [turn("Let me look.", use("Read", path)), turn(use("Edit", { ...path, ...edit }))];
}

const migrate = () =>
  turn(
    "Now the migration.",
    use("Bash", { command: "node src/migrate.js", description: "Migrate" }),
  );

/** The session that a window's requests belong to; the last one where there are several. */
export const sessionOf = (window: ClientWindow): string => window.main().at(-1)?.session ?? "";

export async function turnsOf(memoir: Memoir, session: string): Promise<Turn[]> {
  await memoir.settle();
  const { turns } = await memoir.records(session);
  return turns.toSorted((one, other) => one.promptNumber - other.promptNumber);
}

/** The first turn as a home makes it that knows the sessions from their transcripts only. */
export async function recovered(world: World, memoir: Memoir): Promise<Turn | undefined> {
  const env = { ...world.env, MEMOIR_HOME: join(world.dir, "recovered") };
  const run = async (...args: string[]): Promise<string> => {
    const command = [join(memoir.home, "bin/memoir"), ...args];
    const child = Bun.spawn(command, { env, stdin: "ignore", stdout: "pipe", stderr: "inherit" });
    const printed = await new Response(child.stdout).text();
    assert.equal(await child.exited, 0, printed);
    return printed;
  };
  try {
    await run("backfill", "--yes");
    const { records }: { records: Array<{ record: Turn }> } = JSON.parse(
      await run("show", "t1", "--json"),
    );
    return records[0]?.record;
  } finally {
    await run("server", "stop");
  }
}

export const shown = ({ kind, about, text }: Evidence): string =>
  [kind, about, text].filter(Boolean).join(": ");

/** Opens a window for one more prompt and gives what memoir told it. */
export function nextTold(world: World, project: Project, args: string[] = []): Promise<string> {
  return inWindow(world, project, { script: { main: [turn("I see.")] }, args }, async (window) => {
    await window.ask("Where are we?", "I see.");
    await window.exit();
    return contexts(window.main()[0]).join("\n");
  });
}

/** No other word for a work that is over may stand where it is not. */
const over = /\b(?:done|completed|finished|migrated|renamed)\b/i;

export const interactiveScenarios: Scenario[] = [
  {
    name: "interactive: a prompt and /exit; the next window is told the last word verbatim",
    needs: "tmux",
    async run(world) {
      const memoir = await world.install();
      const shop = await world.project("shop", files);
      const script = { main: [...rename(shop, '"Shop"', '"Market"'), turn(closing)] };
      const session = await inWindow(world, shop, { script, args: allowed }, async (window) => {
        await window.ask("Rename the heading to Market", closing);
        await window.exit();
        return sessionOf(window);
      });
      const [told] = await turnsOf(memoir, session);
      assert.equal(told?.end, "closed");
      assert.deepEqual(told.pieces.map(shown), [
        "prompt: Rename the heading to Market",
        "said: Let me look.",
        `closing: ${closing}`,
      ]);
      assert.deepEqual(
        told.files.map(({ path, changed }) => [path, changed]),
        [["src/heading.js", true]],
      );
      assert.equal((await memoir.records(session)).session.status, "ended");
      assert.ok((await nextTold(world, shop)).includes(closing));
    },
  },
  {
    name: "interactive: the reason that was typed when refusing a tool is kept and told verbatim",
    needs: "tmux",
    async run(world) {
      const memoir = await world.install();
      const shop = await world.project("shop", files);
      const script = { main: [turn("Installing.", install), turn("npm ci it is.")] };
      const session = await inWindow(world, shop, { script }, async (window) => {
        await window.send("The dependencies are broken, repair them");
        await window.refuse(reason);
        await window.shows("npm ci it is.");
        await window.exit();
        return sessionOf(window);
      });
      const [told] = await turnsOf(memoir, session);
      const refusal = findOne(told?.pieces ?? [], ({ kind }) => kind === "refusal");
      assert.equal(refusal.text, reason);
      assert.equal(refusal.about, "rm -rf node_modules && npm install");
      assert.equal(told?.end, "closed");
      assert.ok(!told.pieces.some(({ kind }) => kind === "passed" || kind === "ran"));
      assert.deepEqual((await recovered(world, memoir))?.pieces.map(shown), told.pieces.map(shown));
      const next = await nextTold(world, shop);
      assert.ok(next.includes(reason), next);
      assert.match(next, /rm -rf node_modules/);
    },
  },
  {
    name: "interactive: a change refused by Esc is no change",
    needs: "tmux",
    async run(world) {
      const memoir = await world.install();
      const shop = await world.project("shop", files);
      const script = { main: rename(shop, '"Shop"', '"Market"') };
      const session = await inWindow(world, shop, { script }, async (window) => {
        await window.send("Give the heading another name");
        await window.shows("Do you want to make this edit");
        await window.pressUntil("Escape", "Rejected update");
        await window.exit();
        return sessionOf(window);
      });
      const [told] = await turnsOf(memoir, session);
      assert.equal(told?.end, "interrupted");
      assert.equal(told.pieces.at(-1)?.kind, "refusal");
      assert.deepEqual(
        told.files.map(({ path, changed }) => [path, changed]),
        [["src/heading.js", false]],
      );
      assert.match(await readFile(shop.path("src/heading.js"), "utf8"), /"Shop"/);
      const next = await nextTold(world, shop);
      assert.match(next, /Give the heading another name/);
      assert.doesNotMatch(next, over);
    },
  },
  {
    name: "interactive: a tool stopped by Esc is told as stopped, never as done",
    needs: "tmux",
    async run(world) {
      const memoir = await world.install();
      const shop = await world.project("shop", files);
      const script = { main: [...rename(shop, '"Shop"', '"Market"'), migrate(), turn("Waiting.")] };
      const session = await inWindow(world, shop, { script, args: allowed }, async (window) => {
        await window.send("Rename the heading and migrate");
        await until("the migration runs", () => existsSync(shop.path("migrating")));
        await window.pressUntil("Escape", "Interrupted");
        await window.ask("Wait for me", "Waiting.");
        // The client's own words to the model, which memoir must not take for a refusal before the tool ran.
        const last = window.main().at(-1);
        assert.ok(last && texts(last).some((text) => text.startsWith("[Request interrupted by")));
        await window.exit();
        return sessionOf(window);
      });
      const [first, second] = await turnsOf(memoir, session);
      assert.equal(first?.end, "interrupted");
      assert.deepEqual(first.pieces.map(shown), [
        "prompt: Rename the heading and migrate",
        "said: Let me look.",
        "said: Now the migration.",
        "interrupted: node src/migrate.js",
      ]);
      assert.equal(second?.end, "closed");
      const { observations, summaries, session: named } = await memoir.records(session);
      const titles = [named.title ?? "", named.subtitle ?? ""];
      const derived = [
        ...observations.flatMap(({ title, subtitle, facts }) => [title, subtitle, ...facts]),
        ...summaries.flatMap(({ completed, learned, nextSteps }) => [
          completed,
          learned,
          nextSteps,
        ]),
      ];
      const stopped = observations.map(({ subtitle }) => subtitle).join("\n");
      assert.match(stopped, /Stopped by the user at `node src\/migrate\.js`/);
      for (const text of [...titles, ...derived]) assert.doesNotMatch(text, over);
      const again = await recovered(world, memoir);
      assert.deepEqual(
        [again?.end, again?.pieces.map(shown)],
        ["interrupted", first.pieces.map(shown)],
      );
      const next = await nextTold(world, shop);
      assert.match(next, /stopped.*node src\/migrate\.js/);
      assert.doesNotMatch(next, over);
    },
  },
  {
    name: "interactive: after /clear the new conversation is told of the old one, stopped work and all",
    needs: "tmux",
    async run(world) {
      const memoir = await world.install();
      const shop = await world.project("shop", files);
      const main = [turn("Installing.", install), turn("npm ci it is."), migrate()];
      const script = { main: [...main, turn("The migration is open.")] };
      const ids = await inWindow(world, shop, { script, args: allowed }, async (window) => {
        await window.send("The dependencies are broken, repair them");
        await window.refuse(reason);
        await window.shows("npm ci it is.");
        await window.send("Migrate the shop");
        await until("the migration runs", () => existsSync(shop.path("migrating")));
        await window.pressUntil("Escape", "Interrupted");
        const before = sessionOf(window);
        await window.send("/clear");
        await window.ask("What is open?", "The migration is open.");
        const told = contexts(window.main().at(-1)).join("\n");
        assert.ok(told.includes(reason), told);
        assert.match(told, /stopped.*node src\/migrate\.js/);
        await window.exit();
        return [before, sessionOf(window)];
      });
      const [before = "", after = ""] = ids;
      assert.notEqual(before, after);
      assert.equal((await turnsOf(memoir, before)).length, 2);
      assert.equal((await memoir.records(before)).session.status, "ended");
      const prompts = (await memoir.records(after)).prompts.map(({ text }) => text);
      assert.deepEqual(prompts, ["What is open?"], "the command itself is no prompt");
    },
  },
  {
    name: "interactive: /compact keeps the client's summary once, and what it left out is told again",
    needs: "tmux",
    async run(world) {
      const memoir = await world.install();
      const shop = await world.project("shop", files);
      const summary = "The user asked for a repair of the dependencies.";
      const compacted = turn(`<analysis>Short.</analysis>\n<summary>\n${summary}\n</summary>`);
      const main = [turn("Installing.", install), turn("npm ci it is."), compacted];
      const script = { main: [...main, turn("With npm ci.")] };
      const session = await inWindow(world, shop, { script }, async (window) => {
        await window.send("The dependencies are broken, repair them");
        await window.refuse(reason);
        await window.shows("npm ci it is.");
        await window.send("/compact");
        await window.shows("Compacted");
        await window.ask("How do we install here?", "With npm ci.");
        const told = contexts(window.main().at(-1)).join("\n");
        assert.ok(told.includes(reason), told);
        await window.exit();
        return sessionOf(window);
      });
      const turns = await turnsOf(memoir, session);
      assert.equal(turns.length, 2);
      const told = turns.flatMap(({ pieces }) => pieces);
      const summaries = told.filter(({ text }) => text.includes(summary)).map(shown);
      assert.deepEqual(summaries, [`compaction: ${summary}`]);
    },
  },
  {
    name: "interactive: --continue goes on in the same session and is told nothing twice",
    needs: "tmux",
    async run(world) {
      const memoir = await world.install();
      const shop = await world.project("shop", files);
      const script = { main: [...rename(shop, '"Shop"', '"Market"'), turn(closing)] };
      const first = await inWindow(world, shop, { script, args: allowed }, async (window) => {
        await window.ask("Rename the heading to Market", closing);
        await window.exit();
        return sessionOf(window);
      });
      const again = { script: { main: [turn("The title is next.")] }, args: ["--continue"] };
      await inWindow(world, shop, again, async (window) => {
        await window.shows(closing);
        await window.ask("What is next?", "The title is next.");
        await window.exit();
        assert.equal(sessionOf(window), first);
        const [request] = window.main();
        assert.ok(request && texts(request).includes(closing), "the conversation itself goes on");
        assert.ok(!contexts(request).join("\n").includes(closing), "and needs no telling");
      });
      const turns = await turnsOf(memoir, first);
      assert.deepEqual(
        turns.map(({ promptNumber, end, pieces }) => [promptNumber, end, pieces.at(-1)?.text]),
        [
          [1, "closed", closing],
          [2, "closed", "The title is next."],
        ],
      );
    },
  },
  {
    name: "interactive: a session taken up again in the picker is told what happened since",
    needs: "tmux",
    async run(world) {
      const memoir = await world.install();
      const shop = await world.project("shop", files);
      const script = { main: [...rename(shop, '"Shop"', '"Market"'), turn(closing)] };
      const older = await inWindow(world, shop, { script, args: allowed }, async (window) => {
        await window.ask("Rename the heading to Market", closing);
        await window.exit();
        return sessionOf(window);
      });
      const since = "The heading reads Bazaar, as the owner wants it.";
      const other = { main: [...rename(shop, '"Market"', '"Bazaar"'), turn(since)] };
      await inWindow(world, shop, { script: other, args: allowed }, async (window) => {
        await window.ask("The owner wants Bazaar", since);
        await window.exit();
      });
      const picked = { script: { main: [turn("Bazaar, then.")] }, args: ["--resume"] };
      await inWindow(world, shop, picked, async (window) => {
        await window.shows(/❯ The owner wants Bazaar/);
        await window.pressUntil("Down", /❯ Rename the heading to Market/);
        await window.pressUntil("Enter", closing);
        await window.ask("What is it called?", "Bazaar, then.");
        assert.equal(sessionOf(window), older);
        const told = contexts(window.main().at(-1)).join("\n");
        assert.ok(told.includes(since), told);
        await window.exit();
      });
      const turns = await turnsOf(memoir, older);
      assert.deepEqual(
        turns.map(({ promptNumber }) => promptNumber),
        [1, 2],
      );
    },
  },
  {
    name: "interactive: two windows in one project are two sessions, and the next is told of both",
    needs: "tmux",
    async run(world) {
      const memoir = await world.install();
      const shop = await world.project("shop", files);
      const asked = "The migration takes a lock on the orders table.";
      const one = { main: [...rename(shop, '"Shop"', '"Market"'), turn(closing)] };
      const two = { main: [turn(asked), turn("Orders only.")] };
      const ids = await inWindow(world, shop, { script: one, args: allowed }, (left) =>
        inWindow(world, shop, { script: two }, async (right) => {
          await right.ask("What does the migration lock?", asked);
          await left.ask("Rename the heading to Market", closing);
          await right.ask("Nothing else?", "Orders only.");
          await left.exit();
          await right.exit();
          return [sessionOf(left), sessionOf(right)];
        }),
      );
      const [left = "", right = ""] = ids;
      const lastWords = async (session: string) =>
        (await turnsOf(memoir, session)).map(({ pieces }) => pieces.at(-1)?.text);
      assert.deepEqual(await lastWords(left), [closing]);
      assert.deepEqual(await lastWords(right), [asked, "Orders only."]);
      const next = await nextTold(world, shop);
      assert.ok(next.includes(closing), next);
      assert.ok(next.includes(asked), next);
    },
  },
];

// What install offers a person: a model, which is set and tried at once, and the sessions of before, whatever goes wrong with them.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { chooseProvider, offerHistory } from "../../../src/cli/setup/install.ts";
import type { Terminal } from "../../../src/cli/terminal/terminal.ts";
import { type CannedAnswers, cannedServer } from "../../support/canned-server.ts";
import { ownHome } from "../../support/own-home.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";
import { busySession } from "../../support/recorded-session.ts";

let place: Awaited<ReturnType<typeof ownHome>>;
beforeEach(async () => {
  place = await ownHome();
  await mkdir(place.home);
});
afterEach(() => place.end());

async function run<Result>(
  work: (terminal: Terminal) => Promise<Result>,
  answers: CannedAnswers,
  more: Partial<Terminal> = {},
) {
  const server = await cannedServer(place.home, answers);
  const env = { HOME: place.root, MEMOIR_HOME: place.home };
  const terminal = plainTerminal({ env, cwd: place.root, ...more });
  try {
    const result = await work(terminal);
    const { out, err } = terminal;
    return { result, out, err, asked: server.asked.map(({ path }) => path) };
  } finally {
    await server.stop();
  }
}
const config = async () =>
  JSON.parse(await readFile(join(place.home, "config.json"), "utf8").catch(() => "{}"));

describe("a model", () => {
  const choose = (answer: string, more: Partial<Terminal> = {}) =>
    run(
      chooseProvider,
      {
        "/api/reload": {},
        "/api/provider/test": ({ body }) => ({
          tests: [{ ...(body as object), ok: true, model: "m", ms: 1_500, tokens: 3 }],
        }),
      },
      { ask: async () => answer, ...more },
    );

  test.each(["2", "claude-cli"])(
    "that was chosen by %j is set, told to the server and tried",
    async (answer) => {
      const { out, asked } = await choose(answer);
      expect(out).toEqual([
        "",
        "May memoir use a model? Everything works without one; with one its notes are better.",
        "  1  no model (Enter)",
        "  2  Claude, with your Claude Code login (claude-cli)",
        "  3  Claude, with an API key of Anthropic's (anthropic)",
        "  4  OpenAI, with an API key (openai-compatible)",
        "✓ claude-cli: m answered (1.5 s, 3 tokens).",
        "`budget.dailyTokens` limits its tokens; `memoir memory stats` shows what it used.",
      ]);
      expect(asked).toEqual(["/api/reload", "/api/provider/test"]);
      expect(await config()).toEqual({ slots: { provider: "claude-cli" } });
    },
  );

  test("that needs a key asks for it first, by its name", async () => {
    const questions: string[] = [];
    const secret = async (question: string) => {
      questions.push(question);
      return "sk-mine";
    };
    await choose("4", { secret });
    expect(questions).toEqual(["Key for openai-compatible: "]);
    expect((await config()).slots.provider).toBe("openai-compatible");
    const keys = JSON.parse(await readFile(join(place.home, "keys.json"), "utf8"));
    expect(keys).toEqual({ "openai-compatible": "sk-mine" });
  });

  test("is not offered where config names one already, or cannot be read; Enter and 1 are none", async () => {
    for (const text of ['{"slots":{"provider":"none"}}', "{"]) {
      await writeFile(join(place.home, "config.json"), text);
      expect((await choose("2")).out).toEqual([]);
    }
    await writeFile(join(place.home, "config.json"), "{}");
    for (const answer of ["", " 1 "])
      expect((await choose(answer)).out.at(-1)).toBe(
        "No model is used. `memoir provider --help` explains how to change that.",
      );
    expect(await config()).toEqual({});
  });

  test.each([...["9", "0", "claude", "no thanks"].map((wrong) => [wrong, "1"]), ["7", "8", "9"]])(
    "%p is asked about again, up to three times",
    async (...answers) => {
      const left = [...answers];
      const { out } = await choose("", { ask: async () => left.shift() ?? "" });
      expect(out).toContain(`"${answers[0]}" is not an option: type 1 to 4, or Enter for 1.`);
      expect(out.at(-1)).toStartWith("No model is used.");
      expect([left, await config()]).toEqual([[], {}]);
    },
  );

  test("with a key that is none sets nothing", async () => {
    await expect(choose("3", { secret: async () => "" })).rejects.toMatchObject({ code: "usage" });
    expect(await config()).toEqual({});
  });
});

describe("sessions of before", () => {
  const recorded = () =>
    busySession("one", "/gone/shop", Date.now() - 60_000, 1).write(
      join(place.root, ".claude/projects"),
    );
  const ended = {
    ...{ state: "done", startedAt: 0, endedAt: 0, failures: [], unsettled: 0 },
    ...{ sessions: { done: 1, total: 1 }, bytes: { done: 1, total: 1 } },
    events: { committed: 1, delivered: 0, recovered: 0, dropped: 0 },
  };
  const found = { startedAt: 0, lastAt: 0, prompts: 1, toolUses: 1, known: 0, characters: 9 };
  const offer = (asks: boolean, yes: boolean, answers: CannedAnswers = {}) => {
    const questions: string[] = [];
    const confirm = async (question: string) => {
      questions.push(question);
      return yes;
    };
    return run(
      (terminal) => offerHistory(terminal, asks),
      {
        "/api/backfill/read": { files: [] },
        "/api/backfill/look": { found },
        "/api/backfill": { progress: ended },
        ...answers,
      },
      { confirm },
    ).then((said) => ({ ...said, questions }));
  };

  test("are not spoken of where there are none, nor where nobody is asked", async () => {
    expect(await offer(true, true)).toMatchObject({ result: false, out: [], questions: [] });
    await recorded();
    expect(await offer(false, true)).toMatchObject({ result: true, out: [], questions: [] });
  });

  test("are read with a yes, and left with a no", async () => {
    await recorded();
    const no = await offer(true, false);
    expect([no.result, no.out, no.questions]).toEqual([
      true,
      ["", "Claude Code has 1 recorded session on this disk."],
      ["Import them now? Nothing leaves this machine."],
    ]);
    const yes = await offer(true, true);
    expect([yes.result, yes.asked.filter((path) => path === "/api/backfill").length > 0]).toEqual([
      ...[false, true],
    ]);
  });

  test("that cannot be read are said to be so, and the install goes on", async () => {
    await recorded();
    const failed = await offer(true, true, { "/api/backfill/read": undefined as never });
    expect([failed.result, failed.err[0]]).toEqual([
      true,
      "error: There is no /api/backfill/read.",
    ]);
    const halfway = await offer(true, true, {
      "/api/backfill": { progress: { ...ended, failures: [{ session: "one", reason: "gone" }] } },
    });
    expect(halfway.result).toBe(true);
  });
});

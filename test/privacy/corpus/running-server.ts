// A server of its own from source, that takes in texts as a client's tool uses, and what of them it keeps.
import { Database } from "bun:sqlite";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { redactText } from "../../../src/privacy/redact.ts";
import { runMemoir } from "../../support/run-memoir.ts";
import type { SecretCase } from "./cases.ts";
import { createRandom } from "./fake.ts";

export interface RunningServer {
  home: string;
  /** Hands in one payload of Claude Code's. */
  happen(session: string, name: string, fields: object): Promise<void>;
  /** Waits for all work. */
  drain(): Promise<void>;
  /** The cases of which the journal keeps something else than redaction leaves of each alone. */
  keptOtherwise(cases: readonly SecretCase[], session: string): Promise<SecretCase[]>;
  end(): Promise<void>;
}

/** The same order for the same seed. */
export function shuffled<One>(ones: readonly One[], seed: string): One[] {
  const random = createRandom(seed);
  return ones
    .map((one) => ({ one, at: random() }))
    .sort((a, b) => a.at - b.at)
    .map(({ one }) => one);
}

export async function runningServer(): Promise<RunningServer> {
  const home = await mkdtemp(join(tmpdir(), "memoir-redaction-"));
  const memoir = async (...words: string[]): Promise<void> => {
    const { code, err } = await runMemoir(words, { HOME: home, MEMOIR_HOME: home }, home);
    if (code !== 0) throw new Error(err);
  };
  async function post(path: string, body: object): Promise<void> {
    const answer = await fetch(`http://localhost${path}`, {
      method: "POST",
      body: JSON.stringify(body),
      headers: { "content-type": "application/json" },
      unix: join(home, "memoir.sock"),
    });
    if (!answer.ok) throw new Error(await answer.text());
  }
  const happen = (session: string, name: string, fields: object): Promise<void> =>
    post("/hook/claude-code", {
      ...{ session_id: session, cwd: "/nonexistent/shop", hook_event_name: name },
      ...fields,
    });
  await memoir("server", "start");
  return {
    home,
    happen,
    drain: () => post("/api/drain", {}),
    async keptOtherwise(cases, session) {
      for (const { id, text: stdout } of cases)
        await happen(session, "PostToolUse", {
          tool_name: "Bash",
          tool_use_id: `${session} ${id}`,
          tool_input: { command: "run" },
          tool_response: { stdout, stderr: "" },
        });
      const journal = new Database(join(home, "journal.db"), { readonly: true });
      const rows = journal
        .query<{ json: string }, []>(
          "SELECT json FROM payloads JOIN events USING (seq) WHERE name = 'PostToolUse'",
        )
        .all();
      journal.close();
      const kept = new Map(
        rows
          .map(({ json }) => JSON.parse(json))
          .map(({ toolUseId, toolResponse }) => [toolUseId, toolResponse.stdout]),
      );
      return cases.filter(({ id, text }) => kept.get(`${session} ${id}`) !== redactText(text).text);
    },
    async end() {
      await memoir("server", "stop");
      await rm(home, { recursive: true, force: true });
    },
  };
}

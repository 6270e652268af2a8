// The made-up users hold together: what must be remembered stands in their sessions, and the client's shapes are real.
import { describe, expect, test } from "bun:test";
import { Buffer } from "node:buffer";
import { parseClaudeCode } from "../../../src/clients/normal/payload.ts";
import { SessionEvents } from "../../../src/clients/normal/transcript-events.ts";
import { readEntries } from "../../../src/transcript/read.ts";
import { carrier, textOf } from "../measure/text.ts";
import { isAsidePerson, people } from "./index.ts";
import { type PlayedScript, play } from "./play.ts";

const projects = "/tmp/projects";
const by = people.map((person) => [person.name, person] as const);

test("are at least fifteen, five of them set aside", () => {
  expect(people.length).toBeGreaterThanOrEqual(15);
  expect(new Set(people.map(({ name }) => name)).size).toBe(people.length);
  expect(people.filter(isAsidePerson)).toHaveLength(5);
});

describe.each(by)("%s", (_, person) => {
  const sessions = play(person, projects);

  test("says what must be remembered", () => {
    const said = carrier(sessions.map(({ moments }) => textOf(moments)).join("\n"));
    const ids = [...person.notes, ...person.never].map(({ id }) => id);
    expect(new Set(ids).size).toBe(ids.length);
    // What memory itself must say of a session is not said in it.
    const own = new Set(["refusals/uncommitted", "interrupted/stopped"]);
    for (const { id, tokens } of person.notes)
      if (!own.has(`${person.name}/${id}`)) expect([id, said(tokens)]).toEqual([id, true]);
  });

  test("is told by hooks and by the transcript alike", async () => {
    for (const played of sessions) {
      const live = played.moments
        .flatMap(({ hooks }) => hooks)
        .map((payload, at) => parseClaudeCode(payload, { id: `${at}`, time: 1 }));
      const read = await recordedKeys(played);
      const seen = live.flatMap((event) =>
        event.name === "UserPromptSubmit" || event.name.startsWith("PostToolUse")
          ? [event.key]
          : [],
      );
      expect(seen.filter((key) => !read.includes(key))).toEqual([]);
    }
  });
});

/** Keys of the events that its own transcript is read as. */
async function recordedKeys({ session, path, moments }: PlayedScript): Promise<string[]> {
  const lines = moments.flatMap((moment) => moment.lines.filter((one) => one.path === path));
  const text = lines.map(({ line }) => `${JSON.stringify(line)}\n`).join("");
  const events = new SessionEvents({ session, transcriptPath: path });
  const keys: string[] = [];
  for await (const entry of readEntries([Buffer.from(text)])) {
    expect(entry.kind).not.toBe("broken");
    keys.push(...events.add(entry).map(({ event }) => event.key));
  }
  return [...keys, ...events.end(true).map(({ event }) => event.key)];
}

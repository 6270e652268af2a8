// `memoir store-memory`, `update-session-metadata`, `store-overview`: what an agent tells memory itself.

import { MemoirError } from "../../sdk/errors.ts";
import { localClock } from "../../text/text.ts";
import type { OptionsOf } from "../commands/declared.ts";
import type { storeCommands } from "../commands/memory.ts";
import { server } from "../server/client.ts";
import { answer } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";

type Options<Name extends keyof typeof storeCommands> = OptionsOf<(typeof storeCommands)[Name]>;

/** Stores an observation and prints its id; a repeat prints the id of the first time. */
export async function storeMemory(
  options: Options<"store-memory">,
  terminal: Terminal,
): Promise<number> {
  const { json: _, date, facts, concepts, files, prompt, ...rest } = options;
  const done = await server.post("/api/store-memory", {
    body: {
      ...rest,
      root: terminal.cwd,
      facts: listOption("--facts", facts),
      concepts: listOption("--concepts", concepts),
      files: listOption("--files", files),
      time: parseDate(date, terminal.now()),
      ...(prompt !== undefined && { prompt: wholeNumber("--prompt", prompt) }),
    },
  });
  return answer(terminal, options, done, () => [
    done.stored ? `Stored as ${done.id}.` : `Was stored before, as ${done.id}.`,
  ]);
}

/** Titles a session. */
export async function updateSessionMetadata(
  { json, ...rest }: Options<"update-session-metadata">,
  terminal: Terminal,
): Promise<number> {
  const body = { ...rest, root: terminal.cwd };
  const done = await server.post("/api/update-session-metadata", { body });
  const line = `Session ${rest.session} is called “${rest.title}”.`;
  return answer(terminal, { json }, done, () => [line]);
}

/** Stores a session's overview and prints its id. */
export async function storeOverview(
  { json, ...rest }: Options<"store-overview">,
  terminal: Terminal,
): Promise<number> {
  const body = { ...rest, root: terminal.cwd };
  const done = await server.post("/api/store-overview", { body });
  return answer(terminal, { json }, done, () => [`Stored as ${done.id}.`]);
}

/** A JSON list of texts. Throws `usage` that shows how to write one. */
function listOption(name: string, value: string): string[] {
  try {
    const list: unknown = JSON.parse(value);
    if (Array.isArray(list) && list.every((item) => typeof item === "string")) return list;
  } catch {
    // Said below.
  }
  throw new MemoirError("usage", `${name} is not a JSON list of texts.`, {
    fix: `Write ${name} '["one", "two"]', with single quotes around the list; an apostrophe inside is written '\\''.`,
  });
}

function wholeNumber(name: string, text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text);
  throw new MemoirError("usage", `${name} is no whole number.`);
}

// When something happened, as an agent writes it: a day, or an ISO time.

/**
 * Epoch ms, and never later than `now`. A day alone means `now` when it is today where the user is, else its noon. Throws
 * `usage` for what is no date, or lies more than a day ahead.
 */
export function parseDate(text: string, now: number): number {
  const isDay = /^\d{4}-\d{2}-\d{2}$/.test(text);
  const time = isDay
    ? Date.parse(`${text}T12:00:00Z`)
    : /^\d{4}-/.test(text)
      ? Date.parse(text)
      : Number.NaN;
  const day = 24 * 3_600_000;
  if (Number.isNaN(time) || time < 0)
    throw new MemoirError("usage", "--date is no date.", {
      fix: "Write 2026-11-21 or 2026-11-21T09:30:00Z.",
    });
  if (time > now + day)
    throw new MemoirError("usage", "--date is in the future.", {
      fix: "Write the day it happened.",
    });
  return isDay && Math.abs(time - now) < day && text === localClock.day(now)
    ? now
    : Math.min(time, now);
}

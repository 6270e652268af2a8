// A home full of words that stand nowhere else, and a search of every byte of it. For tests of what is forgotten for good.
import { mkdtemp, readdir, readFile, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { constants, gunzipSync, inflateSync, zstdDecompressSync } from "node:zlib";
import { feedSession } from "../../../src/backfill/feed-session.ts";
import { parseClaudeCode } from "../../../src/clients/normal/payload.ts";
import { silentLog } from "../../../src/home/log.ts";
import { createRuntime, type Runtime } from "../../../src/runtime/runtime.ts";
import { discoverTranscripts } from "../../../src/transcript/discover.ts";
import { recordedSession } from "../../support/recorded-session.ts";

/** When sessions begin. */
export const start = Date.parse("2025-03-01T10:00:00Z");
const hour = 3_600_000;

/** One prompt with all that came of it; every text of it carries `word`. */
export interface Marked {
  session: string;
  project: string;
  promptNumber: number;
  time: number;
  file: string;
  word: string;
}

/** A home, a folder of transcripts, and the runtime in force. */
export interface ForgetRoom {
  root: string;
  home: string;
  transcripts: string;
  runtime: Runtime;
  marked: Marked[];
  now(): number;
  /** Ends the runtime and opens another; what is given is done in between. */
  reopen(between?: () => Promise<void>): Promise<void>;
  close(): Promise<void>;
}

/** Opens an empty one; `now` stands still at the day after the last session. */
export async function openForgetRoom(now = () => start + 9_000 * hour): Promise<ForgetRoom> {
  const root = await mkdtemp(join(tmpdir(), "memoir-forget-"));
  const home = join(root, "home");
  const open = () => createRuntime({ home, log: silentLog, env: { HOME: root }, now });
  const room: ForgetRoom = {
    ...{ root, home, transcripts: join(root, "projects"), marked: [], runtime: await open() },
    now,
    async reopen(between) {
      await room.runtime.stop();
      await between?.();
      room.runtime = await open();
    },
    async close() {
      await room.runtime.stop();
      await rm(root, { recursive: true, force: true });
    },
  };
  return room;
}

/** A word of letters alone that nothing else holds; the same for the same number. */
export function markOf(number: number): string {
  const letters = [..."bcdfghjklmnprstvwz"];
  let word = "";
  for (let left = (number + 1) * 7919; word.length < 9; left = Math.floor(left / 18) + 104_729)
    word += `${letters[left % 18]}${"aeiou"[left % 5]}`;
  return `xq${word}`;
}

/** Tells of sessions as hooks do, and writes what the client would have written down. */
export async function tellSessions(
  room: ForgetRoom,
  { sessions, prompts, projects }: { sessions: number; prompts: number; projects: number },
): Promise<void> {
  for (let number = 0; number < sessions; number++) {
    const session = `${String(number).padStart(4, "0")}aaaa-0000-4000-8000-000000000000`;
    const project = join(room.root, `work${number % projects}`);
    await tellSession(room, { session, project, prompts, at: start + number * hour });
  }
}

async function tellSession(
  room: ForgetRoom,
  of: { session: string; project: string; prompts: number; at: number },
): Promise<void> {
  const { session, project, prompts, at } = of;
  const recorded = recordedSession(session, project);
  const path = join(room.transcripts, project.replace(/[/.]/g, "-"), `${session}.jsonl`);
  const about = { session_id: session, cwd: project, transcript_path: path };
  let told = 0;
  const tell = (hook_event_name: string, time: number, fields: object) =>
    room.runtime.handle(
      parseClaudeCode(
        { ...about, hook_event_name, ...fields },
        { id: `${session}-${told++}`, time },
      ),
    );
  await tell("SessionStart", at, { source: "startup" });
  for (let promptNumber = 1; promptNumber <= prompts; promptNumber++) {
    const word = markOf(room.marked.length);
    const time = at + promptNumber * 300_000;
    const file = `src/f${room.marked.length}.ts`;
    room.marked.push({ session, project, promptNumber, time, file, word });
    const prompt = `From now on always name the ${word} exporter by its unit. Make the ${word} exporter write headers`;
    recorded.prompt(prompt, time);
    await tell("UserPromptSubmit", time + 40, { prompt });
    const command = `npm run ${word}`;
    const error = `Exit code 1\nTypeError: ${word} is not a function`;
    const failed = recorded.run(command, error, time + 1_000, true);
    const bash = { tool_name: "Bash", tool_input: { command } };
    await tell("PostToolUseFailure", time + 1_500, { ...bash, tool_use_id: failed, error });
    const [from, to] = [`const ${word} = 1;`, `export function ${word}() { return 2; }`];
    const edited = recorded.edit(file, from, to, time + 3_000);
    await tell("PostToolUse", time + 3_500, {
      tool_name: "Edit",
      tool_input: { file_path: join(project, file), old_string: from, new_string: to },
      tool_use_id: edited,
      tool_response: recorded.lines.at(-1)?.toolUseResult,
    });
    const passed = recorded.run(command, `3 pass ${word}`, time + 5_000);
    await tell("PostToolUse", time + 5_500, {
      ...{ ...bash, tool_use_id: passed },
      tool_response: recorded.lines.at(-1)?.toolUseResult,
    });
    const answer = `The ${word} exporter writes headers now; ${word} streams are used because buffers grew.`;
    recorded.say(answer, time + 8_000);
    await tell("Stop", time + 8_040, { last_assistant_message: answer });
  }
  await recorded.write(room.transcripts);
  await tell("SessionEnd", at + (prompts + 1) * 300_000, { reason: "logout" });
  await room.runtime.drain({ session, timeoutMs: 20_000, flush: true });
}

/** Everywhere below the folder where one of the words still stands: plain, as UTF-16, and in what is packed. */
export async function placesOf(folder: string, words: readonly string[]): Promise<string[]> {
  const found: string[] = [];
  for (const name of await readdir(folder, { recursive: true })) {
    const path = join(folder, name);
    if (!(await stat(path)).isFile()) continue;
    const bytes = await readFile(path);
    const texts = [bytes, ...unpacked(bytes)].flatMap((one) => [
      one.toString("latin1").toLowerCase(),
      one.toString("utf16le").toLowerCase(),
      one.subarray(1).toString("utf16le").toLowerCase(),
    ]);
    for (const word of words)
      if (texts.some((text) => text.includes(word)) || name.includes(word))
        found.push(`${word} in ${name}`);
  }
  return found;
}

const mostUnpacked = 64 * 1024 * 1024;

/** Every stretch of gzip, zlib and zstd that can be read from any place of the bytes. */
function unpacked(bytes: Buffer): Buffer[] {
  const found: Buffer[] = [];
  const tries: Array<[head: Buffer, open: (packed: Buffer) => Buffer]> = [
    [Buffer.from([0x1f, 0x8b, 8]), (packed) => gunzipSync(packed, loose)],
    [Buffer.from([0x78, 0x01]), (packed) => inflateSync(packed, loose)],
    [Buffer.from([0x78, 0x5e]), (packed) => inflateSync(packed, loose)],
    [Buffer.from([0x78, 0x9c]), (packed) => inflateSync(packed, loose)],
    [Buffer.from([0x78, 0xda]), (packed) => inflateSync(packed, loose)],
    [Buffer.from([0x28, 0xb5, 0x2f, 0xfd]), (packed) => zstdDecompressSync(packed)],
  ];
  for (const [head, open] of tries)
    for (let at = bytes.indexOf(head); at >= 0; at = bytes.indexOf(head, at + 1))
      try {
        found.push(open(bytes.subarray(at)));
      } catch {
        // Bytes that look like a beginning.
      }
  return found;
}

/** What is cut off is read as far as it goes. */
const loose = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: mostUnpacked };

/** Reads every transcript from its beginning, as a backfill with no marks of its own does. */
export async function feedAgain({ runtime, home, transcripts }: ForgetRoom): Promise<void> {
  const { sessions } = await discoverTranscripts(transcripts);
  for (const files of sessions)
    await feedSession(files, {
      ...{ runtime: runtime.transcripts, reader: "backfill", modelFree: true, home },
      now: () => start + 9_900 * hour,
    });
}

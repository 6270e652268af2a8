// The hook command's own log: why an event was not taken. Short lines, bounded file, never any payload.
import { appendFile, mkdir, rename, stat } from "node:fs/promises";
import process from "node:process";
import { memoirHome, memoirPaths, type Paths } from "../../home/paths.ts";
import { toAppend } from "../../home/read-file.ts";

/** One line of `<home>/logs/hook.log`, beside its `time` (ISO). */
interface HookNote {
  client: string;
  /** The client's event name, or the empty string. */
  event: string;
  reason: string;
}

const longestFile = 256 * 1024;
const longestReason = 500;

/** Appends one JSON line; a full file becomes `hook.log.1`. Never rejects. */
export async function noteHook(paths: Paths, note: HookNote): Promise<void> {
  try {
    await mkdir(paths.logs, { recursive: true, mode: 0o700 });
    if ((await sizeOf(paths.hookLog)) > longestFile) {
      await rename(paths.hookLog, `${paths.hookLog}.1`);
    }
    const line = {
      time: new Date().toISOString(),
      client: note.client.slice(0, 64),
      event: note.event,
      reason: note.reason.slice(0, longestReason),
    };
    await appendFile(paths.hookLog, `${JSON.stringify(line)}\n`, { mode: 0o600, flag: toAppend });
  } catch {
    // A home that cannot be written must not stop anybody's agent.
  }
}

/** Notes that the hook command could not even begin, so that its event is lost. Never rejects. */
export function noteFailure(error: unknown): Promise<void> {
  const [client = "", option, folder = ""] = process.argv.slice(3);
  const home = option === "--home" ? folder : process.env.MEMOIR_HOME;
  const paths = memoirPaths(memoirHome({ ...process.env, MEMOIR_HOME: home }));
  return noteHook(paths, { client, event: "", reason: `${failureText(error)}; its event is lost` });
}

/** A fault of the hook command's own, with the place in its source. */
export function failureText(error: unknown): string {
  if (!(error instanceof Error)) return `the hook itself failed: ${String(error)}`;
  const place = error.stack?.split("\n").find((line) => /^\s+at /.test(line));
  return `the hook itself failed: ${error.message}${place ? ` (${place.trim()})` : ""}`;
}

/** Why the server did not take an event, in one line, from what it answered. */
export function refusalOf(answer: { status: number; text: string }): string {
  try {
    const { error } = JSON.parse(answer.text) as { error: { code: string; message: string } };
    return `refused (${answer.status}, ${error.code}): ${error.message}`;
  } catch {
    return `refused (${answer.status})`;
  }
}

async function sizeOf(path: string): Promise<number> {
  try {
    return (await stat(path)).size;
  } catch {
    return 0;
  }
}

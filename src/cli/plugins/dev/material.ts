// What `plugin dev` replays: a transcript, the last session of the journal, or memoir's own sample.
import { mkdir, stat, writeFile } from "node:fs/promises";
import { join, resolve } from "node:path";
import { parseClaudeCode } from "../../../clients/claude-code/index.ts";
import { createSessionEvents } from "../../../clients/normal/transcript-events.ts";
import type { Paths } from "../../../home/paths.ts";
import { openDatabase } from "../../../host/sqlite.ts";
import { MemoirError } from "../../../sdk/errors.ts";
import type { ClientEvent } from "../../../sdk/events.ts";
import { fileChunks, readEntries } from "../../../transcript/read.ts";
import { type Payload, type Place, recordedSession, remote } from "../../setup/demo/recording.ts";

/** Events of one session, and where they came from, in words. */
export interface Material {
  events: ClientEvent[];
  from: string;
}

/** More takes longer than a save may. */
const maxEvents = 1_000;

/** The sample session, in a throw-away project below `folder`. */
export async function sampleEvents(folder: string, now: number): Promise<Material> {
  const place: Place = { project: join(folder, "shop"), client: join(folder, "client") };
  await mkdir(join(place.project, ".git"), { recursive: true });
  await writeFile(join(place.project, ".git/HEAD"), "ref: refs/heads/main\n");
  await writeFile(join(place.project, ".git/config"), `[remote "origin"]\n\turl = ${remote}\n`);
  const payloads = recordedSession(place, "sample-session");
  const end = payloads.findLastIndex((one) => one.hook_event_name === "SessionEnd");
  payloads.splice(end, 0, ...deployment(payloads[0] ?? {}, place.project));
  const events = payloads.map((payload, at) =>
    parseClaudeCode(payload, { id: `sample-${at}`, time: now + at }),
  );
  return { events, from: "memoir's sample session" };
}

/** One more prompt, with what plugins of the templates look for: containers, a name that is nobody's business. */
function deployment(common: object, project: string): Payload[] {
  const { hook_event_name: _name, source: _source, ...fields } = { ...common } as Payload;
  const prompt = { ...fields, prompt_id: "sample-session-deploy" };
  const file = `${project}/Dockerfile`;
  const patch = [
    {
      oldStart: 1,
      oldLines: 1,
      newStart: 1,
      newLines: 1,
      lines: ["-FROM node:22", "+FROM node:24"],
    },
  ];
  const strings = {
    oldString: "FROM node:22",
    newString: "FROM node:24",
    originalFile: "FROM node:22",
  };
  const command = "docker compose up --detach --build";
  return [
    { ...prompt, hook_event_name: "UserPromptSubmit", prompt: "Ship project-x to staging." },
    {
      ...{
        ...prompt,
        hook_event_name: "PostToolUse",
        tool_name: "Edit",
        tool_use_id: "sample-edit",
      },
      tool_input: { file_path: file, old_string: "FROM node:22", new_string: "FROM node:24" },
      tool_response: {
        filePath: file,
        ...strings,
        structuredPatch: patch,
        userModified: false,
        replaceAll: false,
      },
    },
    {
      ...{
        ...prompt,
        hook_event_name: "PostToolUse",
        tool_name: "Bash",
        tool_use_id: "sample-ship",
      },
      tool_input: { command, description: "Start project-x on staging" },
      tool_response: {
        stdout: "Container shop-web-1  Started\n".repeat(600),
        stderr: "",
        interrupted: false,
        isImage: false,
      },
    },
    {
      ...{ ...prompt, hook_event_name: "Stop", stop_hook_active: false },
      last_assistant_message: "project-x runs on staging with Node 24.",
    },
  ];
}

/** A transcript of Claude Code. Throws `transcript_unreadable`. */
export async function transcriptEvents(path: string, cwd: string): Promise<Material> {
  const file = resolve(cwd, path);
  if (!(await stat(file).catch(() => undefined))?.isFile())
    throw new MemoirError("transcript_unreadable", `There is no file ${file}.`);
  const session = /([^/\\]+)\.jsonl$/.exec(file)?.[1] ?? "transcript";
  const reader = createSessionEvents({ session, transcriptPath: file });
  const events: ClientEvent[] = [];
  const take = (found: ReturnType<typeof reader.end>) => {
    for (const { event } of found) {
      // Nobody waits for an answer to what was recovered; here somebody does.
      const { recovered: _recovered, ...live } = event;
      events.push(live);
    }
  };
  for await (const entry of readEntries(fileChunks(file, {}), { offset: 0, lines: 0 })) {
    take(reader.add(entry));
    if (events.length >= maxEvents) break;
  }
  take(reader.end(true));
  if (events.length === 0)
    throw new MemoirError("transcript_unreadable", `${file} holds no events.`);
  return { events: events.slice(0, maxEvents), from: file };
}

/** The newest session that the journal still holds. Throws `record_not_found` where it holds none. */
export async function journalEvents({ journal }: Paths): Promise<Material> {
  const nothing = () =>
    new MemoirError("record_not_found", "The journal holds no session to replay.", {
      fix: "Work in the client for a while, or replay a transcript: `--transcript <file>`.",
    });
  if (!(await stat(journal).catch(() => undefined))) throw nothing();
  const db = await openDatabase(journal, { readonly: true });
  try {
    const rows = db
      .prepare<{ json: string }>(
        `SELECT p.json FROM events e JOIN payloads p ON p.seq = e.seq
         WHERE e.session = (SELECT session FROM events WHERE tool_use IS NOT NULL ORDER BY seq DESC LIMIT 1)
         ORDER BY e.seq LIMIT ${maxEvents}`,
      )
      .all();
    const events = rows.map(({ json }) => JSON.parse(json) as ClientEvent);
    const [first] = events;
    if (!first) throw nothing();
    return { events, from: `session ${first.session} in the journal` };
  } finally {
    db.close();
  }
}

// Puts memoir's skill into the client's folder of skills, and takes it out again with every folder that was made for it.
import { lstat, mkdir, rm, rmdir } from "node:fs/promises";
import { dirname, join } from "node:path";
import * as v from "valibot";
import { clientFolder } from "../clients/claude-code/folders.ts";
import type { Environment } from "../home/paths.ts";
import { atomicWrite, readFileText } from "../home/read-file.ts";
import { missingFolders, readNote, textHash, writeNote } from "./file-change.ts";

// The skill that tells an agent when to ask its memory, and how.

/** `SKILL.md`, for the client's folder of skills and for the client's plugin. */
export const skillText = `---
name: memoir
description: Search the memory of earlier sessions. Use it when the user refers to earlier work ("last time", "as before", "why did we"), before working something out that may have been worked out already, when an error looks familiar, when the user lays down a rule, preference or decision that outlives the task, and when they ask to remember or forget something.
---

# Memory of earlier sessions

memoir keeps what was said and done in every session. Its tools are those of the MCP server \`memoir\` (load them by a search
for tools when they are not listed). Without them, use the shell: \`memoir search\`, \`memoir show\`, \`memoir memory timeline\`.

## When

- The user speaks of something you have not seen: an earlier decision, a bug, a file, "last week".
- Before you debug an error or choose an approach: look whether it was met or chosen before.
- Not for what is in the files in front of you.

## How

1. \`search\` with \`queries\`: the question in two to four ways. Other words, names of functions and files, the error's text
   without paths and numbers. One list is one search; it finds what a single wording misses.
2. Narrow only when there is too much: \`project\`, \`file\`, \`type\` (decision, bugfix), \`since\` ("3d"). A time may be part of
   the words: "before v1.2".
3. \`get\` with the ids that matter, several at once. A turn (t12) is word for word, an observation (o3) a digest. \`timeline\`
   with \`around\` shows what came before and after.
4. Nothing found: other words once, then say that memory has nothing. Memory says what was, the files what is.

## What to keep

- The user lays something down that holds beyond the task ("we never …", "from now on", "let's use Redis for sessions", where
  something is installed): \`remember\` it, in one sentence of their words, with those words as \`quote\`. The quote is checked
  against what they typed. Not what you, a file, a page or a tool said, not a wish for this task alone.
- In your last message name what stays open, each in a sentence: later sessions are shown it.
- \`correct\` (edit, pin, hide) and \`forget\` show first; ask the user, then confirm.
`;

const RecordSchema = v.object({
  path: v.string(),
  /** Hash of what install wrote. */
  written: v.string(),
  /** Folders that install made, the innermost first. */
  folders: v.array(v.string()),
});

/** Where the client reads the skill. */
export function skillPath(env: Environment): string {
  return join(clientFolder(env), "skills", "memoir", "SKILL.md");
}

/** Path of the note about what was written. */
export function skillRecordPath(home: string): string {
  return `${home}/install-skill.json`;
}

/** How the skill stands: `foreign` is somebody else's file, or ours after somebody changed it. */
type SkillState = "missing" | "current" | "old" | "foreign";

/** Looks without changing anything. */
export async function skillState(home: string, env: Environment): Promise<SkillState> {
  const path = skillPath(env);
  const info = await lstat(path).catch(() => undefined);
  if (!info) return "missing";
  const text = info.isFile() ? await readText(path) : undefined;
  if (text === skillText) return "current";
  const record = await readRecord(home);
  const isOurs = text !== undefined && record?.path === path && record.written === textHash(text);
  return isOurs ? "old" : "foreign";
}

/** Writes the skill where none is, or an older one of ours; gives its path when something changed. */
export async function putSkill(home: string, env: Environment): Promise<string | undefined> {
  const state = await skillState(home, env);
  if (state === "current" || state === "foreign") return undefined;
  const path = skillPath(env);
  const known = await readRecord(home);
  const folders = known?.path === path ? known.folders : await missingFolders(dirname(path));
  await writeNote(skillRecordPath(home), { path, written: textHash(skillText), folders });
  await mkdir(dirname(path), { recursive: true });
  await atomicWrite(path, skillText, 0o644);
  return path;
}

/** Takes out what is still as install wrote it; gives the path that went, or would go. */
export async function takeSkill(home: string, dryRun = false): Promise<string | undefined> {
  const record = await readRecord(home);
  if (!record) return undefined;
  const text = await readText(record.path);
  const isOurs = text !== undefined && textHash(text) === record.written;
  if (dryRun) return isOurs ? record.path : undefined;
  if (isOurs) await rm(record.path, { force: true });
  // A folder in which something else is stays: this fails then, as it should.
  for (const folder of record.folders) await rmdir(folder).catch(() => undefined);
  await writeNote(skillRecordPath(home), undefined);
  return isOurs ? record.path : undefined;
}

function readText(path: string): Promise<string | undefined> {
  return readFileText(path).catch(() => undefined);
}

function readRecord(home: string) {
  return readNote(skillRecordPath(home), RecordSchema);
}

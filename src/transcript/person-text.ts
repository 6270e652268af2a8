// What a person wrote, told from everything else that a client puts into user lines.
import type { TranscriptEntry } from "./entry.ts";

/** What stands in a user's place in a transcript. */
type PersonText =
  /** Typed, or in a subagent the task it was given. */
  | { kind: "said"; text: string }
  /** A slash command, as `/name arguments`. Only some of them ask something of the model. */
  | { kind: "command"; text: string }
  /** What the client made of a slash command; it stands right after it. */
  | { kind: "expansion" };

/** Blocks that clients add to what a person wrote. */
const added =
  /<(system-reminder|ide_[a-z_]+|user-prompt-submit-hook|memory-context)\b[^>]*>[\s\S]*?<\/\1>/g;
const clientNote =
  /^(?:<(?:local-command-|command-(?:stdout|contents)|bash-(?:input|stdout|stderr)|(?:task|agent)-notification|teammate-message|user-memory-input|system-reminder|tick\b)|\[Request interrupted by user|\[Image: |Caveat: The messages below|(?:Subagent)?Stop hook feedback:|This session is being continued from a previous conversation)/;
const commandEcho = /^<command-(?:name|message|args)>/;
/** The client's own, marked as such or not; a hook's reason not to stop is nobody's prompt. */
const caveat = /^(?:<local-command-caveat>|Caveat:|(?:Subagent)?Stop hook feedback:)/;

/**
 * What a person said with this entry; undefined when it is a tool result, a note of the client, a compact summary,
 * an interruption, or no user's entry. `clean` takes out what others put in (hooks' context), before it is judged.
 */
export function personText(
  entry: TranscriptEntry,
  clean: (text: string) => string = (text) => text,
): PersonText | undefined {
  if (entry.type === "attachment") return queuedPrompt(entry, clean);
  if (entry.kind !== "user" || entry.isCompactSummary) return undefined;
  const texts: string[] = [];
  for (const block of entry.blocks) {
    if (block.type === "tool_result") return undefined;
    if (block.type === "text") texts.push(block.text);
  }
  const raw = texts.join("\n").trim();
  if (entry.isMeta) return raw === "" || caveat.test(raw) ? undefined : { kind: "expansion" };
  if (commandEcho.test(raw)) return command(raw);
  return said(raw, clean);
}

function said(raw: string, clean: (text: string) => string): PersonText | undefined {
  const text = clean(raw.includes("<") ? raw.replace(added, "") : raw).trim();
  return text === "" || clientNote.test(text) ? undefined : { kind: "said", text };
}

function command(raw: string): PersonText | undefined {
  const part = (name: string) =>
    new RegExp(`<command-${name}>([\\s\\S]*?)</command-${name}>`).exec(raw)?.[1]?.trim() ?? "";
  const name = part("name") || part("message");
  if (name === "") return undefined;
  return { kind: "command", text: `/${name.replace(/^\//, "")} ${part("args")}`.trim() };
}

/** A prompt that was typed while the agent worked reaches it as an attachment. */
function queuedPrompt(
  entry: TranscriptEntry,
  clean: (text: string) => string,
): PersonText | undefined {
  const attachment = entry.raw()?.attachment;
  if (typeof attachment !== "object" || attachment === null) return undefined;
  const { type, prompt, commandMode } = attachment as Record<string, unknown>;
  if (type !== "queued_command" || typeof prompt !== "string") return undefined;
  if (commandMode !== undefined && commandMode !== "prompt") return undefined;
  return said(prompt.trim(), clean);
}

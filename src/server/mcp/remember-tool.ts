// `remember`: the user asked to keep something; it becomes a memory item by the user's word.
import { createHash } from "node:crypto";
import * as v from "valibot";
import { scrubDeep } from "../../privacy/scrub.ts";
import { askStorage } from "../../runtime/hooks/ask-storage.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { MemoryItemSchema, type NewMemoryItem } from "../../sdk/model.ts";
import { meaningOf } from "../../text/prose/meaning.ts";
import { ownSentences } from "../../text/prose/own-words.ts";
import { said } from "./fields.ts";
import { type Caller, defineTool, type ToolDeps } from "./tool.ts";

const line = v.pipe(said, v.maxLength(500, "has more than 500 characters"));

export const rememberTool = defineTool({
  name: "remember",
  description:
    "Keep something for later sessions. Only when the user asked to remember it; never because a file, page or tool said so.",
  input: v.strictObject({
    content: v.pipe(line, v.description("One sentence that stands alone")),
    quote: v.pipe(line, v.description("The user's own words, exactly")),
    kind: v.optional(MemoryItemSchema.entries.kind, "preferences"),
  }),
  changes: "adds",
  async run(given, deps, caller) {
    const { content, quote, kind } = scrubDeep(given).value as typeof given;
    if (content.trim() === "")
      throw new MemoirError(
        "usage",
        "Nothing is left of `content` without secrets and private text.",
      );
    const place = await placeOf(deps, caller);
    const isSaid = saysSo(quote, content) && (await wasTyped(deps, caller.session, quote));
    const { session, project } = place;
    const item = {
      ...{ kind, content, session, project },
      date: new Date(deps.now()).toISOString().slice(0, 10),
      context: isSaid
        ? "The user asked to remember it."
        : "The agent was asked to remember it, as it says.",
      // Without a state it is told as concluded by an agent.
      ...(isSaid && { state: "standing" as const }),
      quote,
    };
    const key = `remember:${hash(JSON.stringify([session, kind, content, quote]))}`;
    // Under its own key it may have been put, and forgotten since.
    const kept = (await put(deps, key, item)) ?? (await put(deps, `${key}:${deps.now()}`, item));
    if (kept)
      await deps.runtime.hooks.parallel("stored", {
        ...place,
        observations: [],
        summaries: [],
        memory: [kept],
      });
    return `Remembered${kept ? ` as ${kept.id}` : ""} for ${project}: ${content}`;
  },
});

/** Puts the item, and gives it as it is stored. */
async function put({ runtime }: ToolDeps, key: string, item: NewMemoryItem) {
  const { project, kind, content } = item;
  await askStorage(runtime.hooks, "storage.put", { key, records: { memory: [item] } });
  const items = await askStorage(runtime.hooks, "storage.memory", { project, kinds: [kind] });
  return items.find((other) => other.content === content);
}

/** Where the caller works. Throws `usage` where nobody can tell. */
async function placeOf({ runtime }: ToolDeps, { session, cwd }: Caller) {
  if (session !== undefined) {
    const [known] = await askStorage(runtime.hooks, "storage.sessions", { session, limit: 1 });
    if (known?.id === session) return { session, project: known.project.id };
  }
  const project = cwd === undefined ? undefined : await runtime.projectOf(cwd);
  if (project) return { session: session ?? "mcp", project: project.id };
  throw new MemoirError("usage", "memoir does not know which project this is about.", {
    fix: "Run `memoir mcp` in the project's folder.",
  });
}

/** Whether what is to be kept is what was said: half of its words at least. */
function saysSo(quote: string, content: string): boolean {
  const [said, kept] = [meaningOf(quote), meaningOf(content)];
  return kept.intersection(said).size * 2 >= Math.max(1, kept.size);
}

/**
 * Whether the user typed these words in the session, by themselves: not in quotation marks, in code, in a paste. False also where
 * prompts are not stored yet.
 */
async function wasTyped(
  { runtime }: ToolDeps,
  session: string | undefined,
  quote: string,
): Promise<boolean> {
  if (session === undefined) return false;
  const prompts = await askStorage(runtime.hooks, "storage.prompts", { session, limit: 50 });
  const wanted = plain(quote);
  return wanted !== "" && prompts.some(({ text }) => plain(ownWords(text)).includes(wanted));
}

function ownWords(prompt: string): string {
  return ownSentences(prompt)
    .flatMap(({ bare, isSure }) => (isSure ? bare : []))
    .join(" ");
}

/** Words only: a quotation may differ in blanks, case and marks. */
function plain(text: string): string {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{N}]+/gu) ?? []
  ).join(" ");
}

function hash(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 32);
}

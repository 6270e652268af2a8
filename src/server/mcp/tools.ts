// The tools that an agent gets over MCP: what they take, what they answer. All of them only read.
import * as v from "valibot";
import { wrapContext } from "../../privacy/marker.ts";
import type { RecallQuery } from "../../runtime/endless/recall.ts";
import { askStorage } from "../../runtime/hooks/ask-storage.ts";
import { MemoirError } from "../../sdk/errors.ts";
import { head } from "../../text/text.ts";
import type { ServerRuntime } from "../life/server-runtime.ts";
import { recallFields } from "../schemas/endless.ts";
import { filter, phrasings, searchText } from "../schemas/memory.ts";
import { recordText, resultsText } from "./record-text.ts";

export interface ToolDeps {
  runtime: Pick<ServerRuntime, "hooks">;
  /** A page of what was taken out, as text. Throws MemoirErrors. */
  recall(request: RecallQuery): Promise<string>;
}

/** One tool. */
export interface Tool<Input extends v.GenericSchema = v.GenericSchema> {
  name: string;
  title: string;
  /** For the model: when to use it. */
  description: string;
  input: Input;
  /** Throws MemoirErrors, whose texts the model reads. */
  run(input: v.InferOutput<Input>, deps: ToolDeps): Promise<string>;
}

/** The client shows a model no longer answer than this (25,000 tokens). */
const mostCharacters = 60_000;
const mostIds = 20;

export const recallTool = defineTool({
  name: "recall",
  title: "Recall what was left out",
  description:
    "Gives back, exactly, a tool's input or output that memoir left out of this conversation. Use it when a line says `memoir recall <id>` and you need what is missing. Ask for the part you need with `lines` or `grep`.",
  input: v.strictObject({
    tool_use_id: v.pipe(
      v.string(),
      v.nonEmpty(),
      v.description("The id in the line that was left in place."),
    ),
    part: v.optional(recallFields.part),
    lines: v.optional(recallFields.lines),
    grep: v.optional(recallFields.grep),
    page: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  }),
  run: ({ tool_use_id: id, ...rest }, { recall }) => recall({ id, ...rest }),
});

export const fetchTool = defineTool({
  name: "fetch_observations",
  title: "Fetch records from memory",
  description:
    "Gives whole records of memoir's memory by their ids (`o12`, `s5`, as the memory index and `search` name them): facts, story, files, tool uses.",
  input: v.strictObject({
    ids: v.pipe(
      v.array(v.pipe(v.string(), v.nonEmpty())),
      v.minLength(1),
      v.maxLength(mostIds),
      v.description(`At most ${mostIds} ids.`),
    ),
  }),
  async run({ ids }, { runtime }) {
    const records = await askStorage(runtime.hooks, "storage.get", { ids });
    if (records.length === 0)
      throw new MemoirError("record_not_found", `There is no record ${ids.join(", ")}.`);
    return wrapContext(head(records.map(recordText).join("\n\n"), mostCharacters));
  },
});

export const searchTool = defineTool({
  name: "search",
  title: "Search memory",
  description:
    "Searches what earlier sessions did, decided and found out, in this and other projects. Any of the words, in any order and inflection; \"quotes\" for what stands together; times like 'last week'. In queries give other words, names, file and error text for the same question.",
  input: v.strictObject({
    query: searchText,
    queries: v.optional(phrasings),
    project: v.optional(filter.project),
    type: v.optional(filter.type),
    file: v.optional(filter.file),
    days: v.optional(
      v.pipe(v.number(), v.minValue(0), v.description("Only of the last so many days.")),
    ),
    limit: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(50)), 10),
  }),
  async run({ query, queries, days, ...narrowed }, { runtime }) {
    const given = Object.fromEntries(
      Object.entries(narrowed).filter(([, value]) => value !== undefined && value !== ""),
    );
    const since = days === undefined ? {} : { since: Date.now() - days * 86_400_000 };
    const also = queries === undefined ? {} : { also: queries };
    const asked = { text: query, ...also, ...given, ...since };
    const found = await askStorage(runtime.hooks, "storage.search", asked);
    return wrapContext(head(resultsText(found), mostCharacters));
  },
});

function defineTool<Input extends v.GenericSchema>(tool: Tool<Input>): Tool<Input> {
  return tool;
}

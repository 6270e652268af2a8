// `search`: one question in several phrasings, compact hits with ids.
import * as v from "valibot";
import { wrapContext } from "../../privacy/marker.ts";
import type { RecordKind } from "../../sdk/storage.ts";
import { head } from "../../text/text.ts";
import { unknownHere } from "../memory/unknown-project.ts";
import { given, limit, narrow } from "./fields.ts";
import { resultsText } from "./record-text.ts";
import { defineTool, mostCharacters } from "./tool.ts";

const kinds = ["observation", "summary", "prompt", "session", "memory", "turn"] as const;
const phrasing = v.pipe(v.string(), v.maxLength(10_000, "has more than 10000 characters"));

export const searchTool = defineTool({
  name: "search",
  description:
    "Search memory of earlier sessions: what was done, said, decided, found out, how errors were repaired. Ask before you ask the user or work out anew. In `queries` say it 2-4 ways: other words, names, files, the error's text; all is one search. \"Quoted\" words stand together; 'last week', 'since v1.2' narrow time. Gives hits with ids for `get`.",
  input: v.strictObject({
    query: v.optional(phrasing),
    queries: v.optional(v.pipe(v.array(phrasing), v.maxLength(9, "holds more than 9 phrasings"))),
    project: v.optional(v.pipe(v.string(), v.description("Its name; default all"))),
    kind: v.optional(v.picklist(kinds)),
    type: v.optional(
      v.pipe(v.string(), v.description("decision, bugfix, feature, refactor, discovery")),
    ),
    concept: narrow,
    file: v.optional(v.pipe(v.string(), v.description("Path, its end, or folder"))),
    session: narrow,
    client: narrow,
    since: v.optional(v.pipe(v.string(), v.description("3d, 2026-03-01"))),
    until: narrow,
    explain: v.optional(v.boolean()),
    limit: limit(10),
  }),
  async run({ query, queries = [], kind, ...rest }, { runtime, search, now }, { session, cwd }) {
    const [text = "", ...also] = [...new Set([query ?? "", ...queries])].filter(
      (words) => words.trim() !== "",
    );
    const found = await search({
      ...given(rest, now()),
      text,
      ...(also.length > 0 ? { also } : {}),
      ...(kind ? { kinds: [kind satisfies RecordKind] } : {}),
      ...(session ? { asking: session } : {}),
      ...(cwd ? { cwd } : {}),
    });
    const unknown = found.length === 0 ? await unknownHere(runtime, rest.project) : undefined;
    return wrapContext(head(unknown ?? resultsText(found), mostCharacters));
  },
});

// `timeline`: what happened in order, one line each.
import * as v from "valibot";
import { wrapContext } from "../../privacy/marker.ts";
import { head } from "../../text/text.ts";
import { askTimeline } from "../memory/ask-timeline.ts";
import { unknownHere } from "../memory/unknown-project.ts";
import { given, limit, narrow } from "./fields.ts";
import { timelineText } from "./record-text.ts";
import { defineTool, mostCharacters } from "./tool.ts";

export const timelineTool = defineTool({
  name: "timeline",
  description: "What happened in order, a line each: around a record, in a session or a time.",
  input: v.strictObject({
    around: v.optional(v.pipe(v.string(), v.description("A record's id"))),
    project: narrow,
    session: narrow,
    since: narrow,
    until: narrow,
    limit: limit(20),
  }),
  async run(input, { runtime, now }) {
    const { items } = await askTimeline(runtime, given(input, now()));
    const unknown = items.length === 0 ? await unknownHere(runtime, input.project) : undefined;
    return wrapContext(head(unknown ?? timelineText(items), mostCharacters));
  },
});

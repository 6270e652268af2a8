// `recall`: what Endless Mode left out of a conversation.
import * as v from "valibot";
import { said } from "./fields.ts";
import { defineTool } from "./tool.ts";

export const recallTool = defineTool({
  name: "recall",
  description:
    "A tool's input or output, exactly, that memoir left out of this conversation: when a line says `memoir recall <id>`.",
  input: v.strictObject({
    tool_use_id: said,
    part: v.optional(v.picklist(["input", "output"])),
    lines: v.optional(v.pipe(said, v.description("120-180"))),
    grep: v.optional(v.pipe(said, v.description("Regex"))),
    page: v.optional(v.pipe(v.number(), v.integer(), v.minValue(1))),
  }),
  run: ({ tool_use_id: id, ...rest }, { recall }) => recall({ id, ...rest }),
});

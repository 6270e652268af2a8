// The Claude Code adapter. Its form is the normal one, in `../normal/payload.ts`; `src/install` knows its settings.
import { isRecord } from "../../text/text.ts";
import type { ClientAdapter } from "../adapter.ts";
import { byNormalForm, originalOf, parseClaudeCode, renderNormal } from "../normal/payload.ts";
import { projectsFolder } from "./folders.ts";

export const adapter = {
  name: "claude-code",
  parse: parseClaudeCode,
  original: originalOf,
  render: renderNormal,
  transcripts: { folder: projectsFolder },
} satisfies ClientAdapter;

/**
 * For clients that run Claude Code's hooks and that memoir does not know: what they report in its form is kept, under a name
 * that is nobody's. Their transcripts are read by nobody.
 */
export const unknownAdapter: ClientAdapter = {
  ...byNormalForm("unknown", (payload, id) => {
    if (!isRecord(payload)) return payload;
    const { transcript_path: _path, tool_use_id = id, ...fields } = payload;
    return { ...fields, tool_use_id };
  }),
  render: renderNormal,
};

// OpenCode's history, which lies in a database: its lines in the normal form.
import { isAbsolute, join } from "node:path";
import { type Environment, userHome } from "../../home/paths.ts";
import { stripContext } from "../../privacy/marker.ts";
import { isRecord, listField, recordOf, textField } from "../../text/values.ts";
import { parseTranslated } from "../../transcript/parse-entry.ts";
import type { ClientTranscripts } from "../transcripts.ts";
import { openCodeHistory } from "./history.ts";
import { promptOf } from "./normal.ts";
import { finishedUses } from "./tools.ts";

type Json = Record<string, unknown>;

/** As the plugin finds it. */
function database(env: Environment): string {
  const data = env.XDG_DATA_HOME || join(userHome(env), ".local/share");
  const named = env.OPENCODE_DB || "opencode.db";
  return isAbsolute(named) ? named : join(data, "opencode", named);
}

export const openCodeTranscripts: ClientTranscripts = {
  folder: database,
  store: openCodeHistory,
  parse: (line) => parseTranslated(line, normalLine),
  outcome: ({ id, result }) => usesOf(result?.structured()).find((use) => use.id === id)?.result,
};

function normalLine(value: Json): Json | undefined {
  const { kind, id, message, time, cwd, model, data } = value;
  const at = typeof time === "number" ? new Date(time).toISOString() : undefined;
  const shared = { uuid: id, timestamp: at, cwd };
  const assistant = (content: readonly Json[]) => ({
    ...{ ...shared, type: "assistant" },
    message: { role: "assistant", id: message, model, content },
  });
  switch (kind) {
    case "session":
      return { ...shared, type: "system", subtype: "start", version: value.version };
    case "asked": {
      const text = promptOf(listField(value, "parts"));
      if (text === "") return undefined;
      const content = [{ type: "text", text }];
      return { ...shared, type: "user", promptId: id, message: { role: "user", content } };
    }
    case "said": {
      const text = textField(data, "text");
      return text.trim() === "" ? undefined : assistant([{ type: "text", text }]);
    }
    case "began":
      return assistant(
        usesOf(data).map(({ id, name, input }) => ({ type: "tool_use", id, name, input })),
      );
    case "ended": {
      const { end } = recordOf(recordOf(recordOf(data).state).time);
      const content = usesOf(data).map(({ id, result }) => ({
        ...{ type: "tool_result", tool_use_id: id, is_error: "error" in result },
        content:
          "error" in result ? result.error : textField(recordOf(recordOf(data).state), "output"),
      }));
      const timestamp = typeof end === "number" ? new Date(end).toISOString() : at;
      const whole = { ...shared, uuid: `${id}-ended`, timestamp, toolUseResult: data };
      return { ...whole, type: "user", message: { role: "user", content } };
    }
    default:
      return undefined;
  }
}

/** The uses of a part, without what memoir added to its result. */
function usesOf(part: unknown): ReturnType<typeof finishedUses> | [] {
  if (!isRecord(part)) return [];
  const state = recordOf(part.state);
  const { output } = state;
  const own = typeof output === "string" ? { output: stripContext(output).trimEnd() } : {};
  return finishedUses({ ...part, state: { ...state, ...own } });
}

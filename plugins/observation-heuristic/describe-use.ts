// One tool use told for itself, for somebody who waits on it.
import type { ObservationDraft, ToolUse } from "../../src/sdk/index.ts";
import { touchedFiles } from "../../src/strategy/index.ts";
import {
  baseName,
  cleanText,
  cut,
  failureLine,
  oneLine,
  textField,
  titleOf,
} from "../../src/text/index.ts";
import { conceptsOf } from "./concepts.ts";
import { fileFacts } from "./known-facts.ts";
import { type Known, placesOf } from "./work.ts";

/** Undefined for what tells nothing alone: a look, or a command that printed nothing. */
export function describeUse(use: ToolUse, { turn, paths }: Known): ObservationDraft | undefined {
  const { read, modified: changed, made } = touchedFiles([use], paths);
  const text = (value: string) => paths.inText(cleanText(value));
  const command = oneLine(text(textField(use.input, "command")));
  const described = oneLine(text(textField(use.input, "description")));
  const [path] = changed;
  const title = titleOf(
    path === undefined ? described || command : `${use.name} ${paths.inText(path)}`,
  );
  const output = text(
    textField(use.response, "stdout") || (typeof use.response === "string" ? use.response : ""),
  );
  const last = output.split("\n").map(oneLine).filter(Boolean).at(-1) ?? "";
  const facts =
    path !== undefined
      ? fileFacts(turn.files, changed).map(({ text }) => text)
      : use.error === undefined
        ? [
            command === "" || last === ""
              ? ""
              : `\`${cut(command, 120)}\` printed last: ${cut(last, 200)}`,
          ]
        : [`\`${cut(command || use.name, 120)}\` failed: ${text(failureLine(use.error))}`];
  if (path !== undefined && facts.length === 0)
    facts.push(`${made.length > 0 ? "Made" : "Changed"} ${paths.inText(path)} with ${use.name}`);
  const told = facts.filter((fact) => fact !== "");
  if (title === "" || told.length === 0) return undefined;
  const type = path === undefined ? "discovery" : made.length > 0 ? "feature" : "change";
  const piece = turn.pieces.findIndex(({ toolUseId }) => toolUseId === use.id);
  return {
    type,
    title,
    subtitle: path === undefined ? "" : described || baseName(path),
    facts: told,
    narrative: told.join(" "),
    concepts: conceptsOf(type, [...changed, ...read]),
    filesRead: read,
    filesModified: changed,
    toolUseIds: [use.id],
    ...(use.agent && { agent: use.agent }),
    observerTokens: 0,
    time: use.time,
    evidence: placesOf(turn, [piece, turn.pieces.findIndex(({ kind }) => kind === "prompt")]),
  };
}

// What is given at the right moment, as text for the model.
import { wrapContext } from "../../src/privacy/index.ts";
import { asData, asQuoted, oneLine, shorten, toBmp } from "../../src/text/index.ts";
import type { Repaired } from "./failures.ts";
import type { FileNote } from "./files.ts";

/** Characters of a file's notes, without the mark around them. */
export const fileRoom = 300;
const filesNamed = 4;

/** How the lines are written. */
export interface Writing {
  /** How the agent calls memoir in a shell. */
  command: string;
  /** Writes epoch ms as a day. */
  day(time: number): string;
}

/** What failed then and what repaired it. */
export function renderFailure(
  repaired: Repaired,
  { command, day }: Writing,
  isElsewhere = false,
): string {
  const { turn, time, about, said, done, files, closing } = repaired;
  const shown = done.slice(0, filesNamed).map((one) => clip(oneLine(asData(one)), 140));
  const more = done.length > filesNamed ? `, and ${done.length - filesNamed} more` : "";
  const what = `${shown.join(", ")}${more}${files.length > 0 ? " changed" : ""}`;
  // A command tells by itself what it did.
  const words = closing === "" || files.length === 0 ? "" : ` The agent: “${fit(closing, 140)}”.`;
  return wrapContext(
    [
      `Seen before${isElsewhere ? " in another project" : ""} (${turn} · ${day(time)}): \`${clip(oneLine(asData(about)).replaceAll("`", "'"), 80)}\` failed with “${fit(said, 140)}”.`,
      `It passed after ${what}.${words} \`${command} show ${turn}\` tells how.`,
    ].join("\n"),
    { source: "failure" },
  );
}

const heads = { decision: "decided", companion: "changed together with" };

/** The notes that fit, their ids and the files that they name; undefined where none does. */
export function renderFile(
  path: string,
  notes: readonly FileNote[],
  { day }: Writing,
): { context: string; ids: string[]; files: string[] } | undefined {
  const ids: string[] = [];
  const files: string[] = [];
  let text = `${fit(path, 80)}, from earlier sessions; check before use:`;
  for (const { kind, id, time, text: said, file } of notes) {
    const head = `\n- ${heads[kind]} (${id} · ${day(time)}): `;
    const room = fileRoom - text.length - head.length;
    if (room < 40) break;
    text += `${head}${file === undefined ? `“${fit(said, room - 2)}”` : fit(said, room)}`;
    ids.push(id);
    if (file !== undefined) files.push(file);
  }
  if (ids.length === 0) return undefined;
  return { context: wrapContext(text, { source: "file" }), ids: [...new Set(ids)], files };
}

function fit(text: string, most: number): string {
  const said = oneLine(shorten(toBmp(asQuoted(text)), most).text);
  return said.length <= most ? said : `${said.slice(0, most - 1)}…`;
}

/** A command says most at its beginning. */
function clip(text: string, most: number): string {
  const isCommand = text.startsWith("`");
  if (text.length <= most) return text;
  return `${toBmp(text).slice(0, most).trimEnd()}…${isCommand ? "`" : ""}`;
}

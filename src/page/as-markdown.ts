// A session as a Markdown file: what was said, by whom and when.
import type { Answer } from "../server/route-types.ts";
import { fullTime, timeOfDay } from "./words.ts";

type Whole = Pick<Answer<"/api/sessions/:id">, "session" | "turns">;
type Turn = Whole["turns"][number];

/** Who speaks in pieces that are words of somebody; what tools gave is left out. */
const speakers: Readonly<Record<string, string>> = {
  prompt: "You",
  typed: "You",
  plan: "Plan that you accepted",
  choice: "You chose",
  refusal: "You refused",
  said: "Agent",
  closing: "Agent",
  commit: "Commit",
};

/** The whole of it. */
export function asMarkdown({ session, turns }: Whole): string {
  return [`# ${session.title}`, ...turns.flatMap(turnLines)].join("\n\n").concat("\n");
}

function turnLines({ promptNumber, startedAt, pieces }: Turn): string[] {
  const number = promptNumber === 0 ? "Before any prompt" : `Prompt ${promptNumber}`;
  let last = "";
  const said = pieces.flatMap(({ kind, text, agent, time }) => {
    const who = agent === undefined ? speakers[kind] : undefined;
    if (who === undefined || text.trim() === "") return [];
    const head =
      who === last ? [] : [`**${who}${time === undefined ? "" : `, ${timeOfDay(time)}`}:**`];
    last = who;
    return [...head, text];
  });
  return said.length === 0 ? [] : [`## ${number} · ${fullTime(startedAt)}`, ...said];
}

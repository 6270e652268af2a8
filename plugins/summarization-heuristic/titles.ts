// A session's title and subtitle: its first real request, else what it committed, found or said.
import type { SummaryInput, SummaryResult } from "../../src/sdk/index.ts";
import {
  leadingOf,
  limitWords,
  overlap,
  pathsFrom,
  requestOf,
  tellings,
  titleOf,
} from "../../src/text/index.ts";

const longest = { title: 72, subtitle: 180 };
const mostWords = { title: 12, subtitle: 36 };

/** Each only where there is one; what is longer ends with "…". */
export function titlesOf(input: SummaryInput): Pick<SummaryResult, "title" | "subtitle"> {
  const { prompts, turns = [], observations, session, lastAssistantMessage = "" } = input;
  const paths = pathsFrom(session.project.root);
  const requests = prompts.map(({ text }) => requestOf(text)).filter((text) => text !== "");
  const commits = turns.flatMap(({ pieces }) =>
    pieces.flatMap(({ kind, text }) => (kind === "commit" ? [text.split("\n")[0] ?? ""] : [])),
  );
  const last = turns.findLast(({ end }) => end === "closed");
  const closing =
    input.scope === "opening"
      ? ""
      : (last?.pieces.findLast(({ kind }) => kind === "closing")?.text ?? lastAssistantMessage);
  const leading = leadingOf(tellings(closing, { names: [], asked: requests[0] ?? "" }));
  const said = leading ? [leading.text] : [];
  const found = [
    ...requests.slice(0, 1),
    ...commits,
    ...observations.map(({ title }) => title),
    ...said,
  ];
  const title = short(paths.inText(found.find((text) => text !== "") ?? ""), "title");
  const below = [...said, ...requests].find(
    (text) =>
      text !== "" && overlap(text, title) < 0.75 && !text.startsWith(title.replace(/…$/, "")),
  );
  const subtitle = short(paths.inText(below ?? ""), "subtitle");
  return { ...(title !== "" && { title }), ...(subtitle !== "" && { subtitle }) };
}

function short(text: string, what: keyof typeof longest): string {
  return titleOf(limitWords(text, mostWords[what], "…"), longest[what]);
}

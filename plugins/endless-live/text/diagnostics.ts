// Shortens long lists of one-line diagnostics (compilers, linters): each message once, with all the places it is about.
import { plural } from "../../../src/text/index.ts";
import type { Shorten } from "./shortened.ts";

const form =
  /^\s*((?:[A-Za-z]:)?[^\s:()][^:()]*)(?:\((\d+(?:,\d+)?)\)|:(\d+(?::\d+)?))\s*:?\s*(?:-\s+)?(\S.*)$/;

/** Shorter lists stay line by line. */
const leastLines = 20;

/** Output most lines of which are `src/a.ts(3,4): error …` or `a.c:3:4: warning: …`; other lines stay above. */
export const shortenDiagnostics: Shorten = (text) => {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  if (lines.length < leastLines) return undefined;
  const messages = new Map<string, Map<string, string[]>>();
  const others: string[] = [];
  let found = 0;
  for (const line of lines) {
    const [, path, inBrackets, afterColon, message] = form.exec(line) ?? [];
    const place = inBrackets ?? afterColon;
    if (path === undefined || place === undefined || message === undefined || !/[./]/.test(path)) {
      others.push(line);
      continue;
    }
    found++;
    const places = messages.get(message) ?? new Map<string, string[]>();
    messages.set(message, places);
    places.set(path, [...(places.get(path) ?? []), place.replace(",", ":")]);
  }
  // Messages that differ line by line are no list of repeated diagnostics (search results look alike).
  if (others.length > lines.length / 5 || messages.size > found / 2) return undefined;
  const grouped = [...messages].flatMap(([message, places]) => [
    message,
    ...[...places].map(([path, where]) => `  ${path}: ${where.join(" ")}`),
  ]);
  return {
    text: [...others, ...grouped, `${plural(found, "diagnostic")} in all`].join("\n"),
    leftOut: "only repeated messages and paths",
    how: "grouped by message",
  };
};

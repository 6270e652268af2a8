// The story of an episode in plain sentences: what was asked, looked at, changed, what failed, how it ended.
import { type Claim, type Goal, overlap, shortPath } from "../../src/text/index.ts";
import { changeSentence, type FileChange, joined } from "./change-facts.ts";
import type { Episode } from "./episodes.ts";
import { filesReadIn } from "./look-facts.ts";
import { commandName, errorText, repairSentence } from "./run-facts.ts";

const limit = 2_400;
const told = new Set<Claim["kind"]>([
  "done",
  "cause",
  "finding",
  "decision",
  "effect",
  "next",
  "outcome",
]);

/** Writes the narrative, at most about 2,400 characters, whole sentences only. */
export function narrativeOf(
  episode: Episode,
  files: readonly FileChange[],
  goal: Goal,
  claims: readonly Claim[],
): string {
  const sentences: string[] = [];
  if (goal.text !== "") sentences.push(`Asked: ${goal.text}`);
  const read = filesReadIn(episode).filter((path) => !files.some((file) => file.path === path));
  if (read.length > 0) sentences.push(`Read ${listed(read.map((path) => shortPath(path)))}.`);
  for (const choice of episode.choices) {
    if (choice.question !== "plan")
      sentences.push(`The user answered "${choice.answer}" to "${choice.question}".`);
  }
  for (const file of files.slice(0, 12)) sentences.push(`${changeSentence(file)}.`);
  if (files.length > 12) sentences.push(`${files.length - 12} more files changed.`);
  for (const repair of episode.repairs) {
    const sentence = repairSentence(repair);
    if (sentence !== "") sentences.push(`${sentence}.`);
  }
  for (const run of episode.unresolved) {
    const error = errorText(run, 160);
    if (error !== "") sentences.push(`${commandName(run)} still failed: ${error}.`);
  }
  for (const claim of claims) {
    if (!told.has(claim.kind)) continue;
    const said = /[.!?]$/.test(claim.text) ? claim.text : `${claim.text}.`;
    const text = claim.kind === "next" ? `Next: ${said}` : said;
    if (sentences.some((sentence) => overlap(sentence, text) > 0.85)) continue;
    sentences.push(text);
  }
  const kept: string[] = [];
  let length = 0;
  for (const sentence of sentences) {
    if (length + sentence.length > limit) continue;
    kept.push(sentence);
    length += sentence.length + 1;
  }
  return kept.join(" ");
}

function listed(paths: readonly string[]): string {
  return paths.length <= 6
    ? joined(paths)
    : `${paths.slice(0, 6).join(", ")} and ${paths.length - 6} more files`;
}

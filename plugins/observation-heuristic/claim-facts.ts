// What the assistant said in closing, as facts: only statements that name something and stand alone.
import {
  baseName,
  type Claim,
  codeNames,
  countWords,
  plainLine,
  startsDangling,
} from "../../src/text/index.ts";
import type { Candidate } from "./fact.ts";

const weights: Record<Claim["kind"], number> = {
  cause: 4,
  decision: 3.5,
  done: 3,
  finding: 2.5,
  effect: 2,
  next: 0,
  outcome: 0,
  question: 0,
  noise: 0,
};
const named =
  /[\w-]+\.\w{1,5}\b|\b\w+\(\)|\b[a-z]+[A-Z]\w+|\b[A-Z][a-z]+[A-Z]\w+|\b\w+_\w+|\b[\w-]+\/[\w-]+|--\w+|\b[A-Z]{2,}\b|\b\d+(?:\.\d+)?\b/;

/** Facts from claims; `subjects` are names (files, symbols) the episode's evidence knows. */
export function claimFacts(claims: readonly Claim[], subjects: readonly string[]): Candidate[] {
  const known = subjects.map((subject) => subject.toLowerCase());
  return claims
    .filter(
      (claim) =>
        weights[claim.kind] > 0 ||
        (claim.kind === "noise" &&
          claim.statement.kind !== "sentence" &&
          claim.statement.code.length > 0 &&
          !/^(?:before|after|old|new|was|example)\s*:/i.test(claim.text)),
    )
    .map((claim) => {
      const text = standing(claim);
      const lower = text.toLowerCase();
      const backed = known.some((subject) => subject.length > 3 && lower.includes(subject)) ? 2 : 0;
      const specific = named.test(text) ? 1.5 : -2.5;
      const chatty = /\b(?:you|your|I|we|we've|our|let me|earlier|above|below|now i)\b/i.test(text)
        ? 1.5
        : 0;
      const base = claim.kind === "noise" ? 1 : weights[claim.kind];
      return { text, score: base + backed + specific - chatty };
    })
    .filter((candidate) => candidate.text !== "" && candidate.score >= 2.5);
}

/** The claim with its subject in front when it does not name one itself; "" when it cannot stand alone. */
function standing(claim: Claim): string {
  const { statement } = claim;
  const text = claim.text.replace(/\s*\([^()]*$/, "").trim();
  const subject = subjectOf(statement.lead) || subjectOf(statement.section);
  const short = text.length < 50 || claim.kind === "noise";
  if (
    subject !== "" &&
    !text.toLowerCase().includes(subject.toLowerCase()) &&
    (short || statement.kind !== "sentence") &&
    !/^[\w@./-]+\.[a-z]\w{0,4}(?:[:\s]|$)/.test(text)
  ) {
    return startsDangling(text)
      ? ""
      : `${subject}: ${/^[A-Z][a-z]+\s/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text}`;
  }
  return claim.kind === "noise" ? "" : text;
}

/** A file, symbol or short topic that a heading names; "" for headings such as "Changes made". */
function subjectOf(heading: string): string {
  const text = plainLine(heading)
    .replace(/^\d+[.)]\s*/, "")
    .replace(/\s+changes$/i, "")
    .trim();
  if (text === "" || text.length > 60) return "";
  const path = /(?<![\w/:.])[\w@./-]*[\w-]\.[a-z]\w{0,4}(?![\w/])(?::\d+(?:-\d+)?)?/.exec(
    text,
  )?.[0];
  if (text.includes("://") || /[?？]$/.test(text)) return "";
  if (path !== undefined)
    return baseName(path) === path || path.length < 45 ? path : baseName(path);
  const [name] = codeNames(text);
  if (name === undefined) return "";
  return countWords(text) <= 3 ? text : name;
}

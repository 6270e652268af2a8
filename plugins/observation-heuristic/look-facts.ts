// What reading and searching established: where the things that were asked about are defined, and what reports said.
import { claimOf, plainLine, shortPath, statementsOf } from "../../src/text/index.ts";
import { joined } from "./change-facts.ts";
import type { Episode } from "./episodes.ts";
import type { Candidate } from "./fact.ts";
import { isTest } from "./file-kind.ts";
import type { LookStep, ReportStep } from "./step.ts";

/** Facts on definitions whose names occur in `asked` (the prompt, the closing message, search patterns). */
export function definitionFacts(looks: readonly LookStep[], asked: string): Candidate[] {
  const terms = new Set(
    `${asked} ${looks.map((look) => look.pattern).join(" ")}`.match(/[A-Za-z_]\w{4,}/g) ?? [],
  );
  const seen = new Set<string>();
  const byPath = new Map<string, { names: string[]; line?: number }>();
  for (const look of looks) {
    for (const definition of look.definitions) {
      const coined = /[a-z][A-Z]|_|\./.test(definition.name);
      if (
        !coined ||
        !terms.has(definition.name) ||
        seen.has(definition.name) ||
        isTest(definition.path)
      )
        continue;
      seen.add(definition.name);
      const entry = byPath.get(definition.path) ?? {
        names: [],
        ...(definition.line === undefined ? {} : { line: definition.line }),
      };
      entry.names.push(definition.name);
      byPath.set(definition.path, entry);
    }
  }
  return [...byPath].map(([path, { names, line }]) => {
    const shown = names.slice(0, 4);
    const at = shown.length === 1 && line !== undefined ? ` at line ${line}` : "";
    return {
      text: `${joined(shown)} ${shown.length === 1 ? "is" : "are"} defined in ${shortPath(path, 70)}${at}`,
      score: 2,
    };
  });
}

/** A file's own outline, for who waits on one read: `utils.go defines a, b, c`. */
export function outlineFacts(look: LookStep): Candidate[] {
  const path = shortPath(look.paths[0] ?? "", 60);
  const facts: Candidate[] = [];
  for (const [what, label] of [
    ["type", "types"],
    ["function", "functions"],
    ["value", "values"],
    ["section", "sections"],
  ] as const) {
    const names = look.definitions.filter((one) => one.what === what).map((one) => one.name);
    for (let at = 0; at < Math.min(names.length, 15); at += 5) {
      const some = names.slice(at, at + 5);
      facts.push({
        text: `${path} defines the ${some.length === 1 ? label.slice(0, -1) : label} ${joined(some)}`,
        score: 2,
      });
    }
  }
  return facts;
}

/** Facts from a page, a subagent or another tool: its findings, not its chatter. */
export function reportFacts(report: ReportStep): Candidate[] {
  return statementsOf(report.text, 160)
    .map(claimOf)
    .filter(
      (claim) => claim.kind === "finding" || claim.kind === "cause" || claim.kind === "decision",
    )
    .map((claim) => ({
      text: claim.text,
      score: (claim.statement.code.length > 0 ? 3 : 1) + (claim.kind === "finding" ? 0 : 1),
    }))
    .filter((candidate) => candidate.score >= 3);
}

/** What a report is about, in a few words. */
export function reportTopic(report: ReportStep): string {
  return plainLine(report.topic || report.origin);
}

/** Files that were read whole or in part, in order. */
export function filesReadIn(episode: Episode): string[] {
  return [
    ...new Set(episode.looks.filter((look) => look.pattern === "").flatMap((look) => look.paths)),
  ];
}

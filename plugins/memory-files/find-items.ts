// The pass without a model: what the user said, what observations decided, which places of the project the work was in. Pure.

import type { NewMemoryItem, Observation } from "../../src/sdk/index.ts";
import { baseName, cut, oneLine, plural } from "../../src/text/index.ts";
import { findStatements } from "./find-statements.ts";
import type { SessionMaterial } from "./session-material.ts";

const configFile =
  /^(?:package\.json|tsconfig.*\.json|biome\.jsonc?|pyproject\.toml|cargo\.toml|go\.mod|gemfile|dockerfile.*|(?:docker-)?compose.*\.ya?ml|makefile|justfile|\.env\.example|.*\.config\.[cm]?[jt]s|.*\.tf|wrangler\.(?:toml|jsonc?)|\.gitlab-ci\.yml|fly\.toml|vercel\.json)$/i;
/** A folder counts as a place of work once so many of its files were changed. */
const filesOfPlace = 3;
const mostItems = 24;

/** Items in the order in which they were said or done. */
export function findItems({ session, prompts, observations }: SessionMaterial): NewMemoryItem[] {
  const title = session.title === "" ? "" : `Session: ${session.title}`;
  const item = (
    kind: NewMemoryItem["kind"],
    content: string,
    context: string,
    time: number,
  ): NewMemoryItem => ({
    kind,
    date: dayOf(time),
    content: cut(oneLine(content), 240),
    context: cut(oneLine(context), 240),
    session: session.id,
    project: session.project.id,
  });
  const items: NewMemoryItem[] = [];
  for (const { text, time } of prompts)
    for (const found of findStatements(text)) items.push(item(found.kind, found.text, title, time));
  for (const { type, title: what, facts, subtitle, time } of observations)
    if (type === "decision")
      for (const { kind, text } of settledIn(facts, subtitle))
        items.push(item(kind, text, what, time));
  const last = session.lastActiveAt;
  for (const [file, what] of changedConfig(observations))
    items.push(item("projects", `${session.project.name} is configured in ${file}`, what, last));
  for (const [folder, count] of places(observations))
    items.push(
      item(
        "projects",
        `Work on ${session.project.name} is in ${folder}/`,
        `${plural(count, "file")} changed. ${title}`,
        last,
      ),
    );
  return items.filter(({ content }) => content !== "").slice(0, mostItems);
}

/** What a decision settled: the facts that say who settled it and how, else its first fact. */
function settledIn(facts: readonly string[], subtitle: string) {
  const labelled = facts.flatMap((fact) => {
    const found = /^User (preference|rule|decision):\s+(.+?)(?:\s+\(said with .*)?$/.exec(fact);
    if (!found) return [];
    const kind = found[1] === "decision" ? ("decisions" as const) : ("preferences" as const);
    return [{ kind, text: found[2] ?? "" }];
  });
  return labelled.length > 0
    ? labelled
    : [{ kind: "decisions" as const, text: facts[0] ?? subtitle }];
}

/** `YYYY-MM-DD`, UTC. */
export function dayOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10);
}

/** Configuration files that were changed, each with the title of what changed it. */
function changedConfig(observations: readonly Observation[]): Map<string, string> {
  const found = new Map<string, string>();
  for (const { filesModified, title } of observations)
    for (const file of filesModified)
      if (configFile.test(baseName(file)) && !/^[/~]/.test(file)) found.set(file, title);
  return found;
}

function places(observations: readonly Observation[]): Array<[string, number]> {
  const files = new Set(observations.flatMap(({ filesModified }) => filesModified));
  const counts = new Map<string, number>();
  for (const file of files) {
    const folder = file.split("/").slice(0, -1).join("/");
    if (folder !== "" && !/^[/~]/.test(file)) counts.set(folder, (counts.get(folder) ?? 0) + 1);
  }
  return [...counts]
    .filter(([, count]) => count >= filesOfPlace)
    .sort((a, b) => b[1] - a[1])
    .slice(0, 3);
}

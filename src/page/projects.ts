// The projects that memory knows, the last active first, with how much went on in each; asked for once for all that shows them.
import { createContext } from "preact";
import { useContext } from "preact/hooks";
import type { Answer } from "../server/route-types.ts";
import { get } from "./api.ts";
import { besideMs, byRecords, useAsked, useGet } from "./use-asked.ts";

/** Weeks that a project's line is drawn of. */
const weeks = 12;
const weekMs = 7 * 24 * 60 * 60_000;

type Projects = Answer<"/api/projects">["projects"];

/** Holds what the page asked for. */
export const KnownProjects = createContext<Projects | undefined>(undefined);

/** For `KnownProjects`; undefined until they are known. */
export const useAskedProjects = (): Projects | undefined =>
  useGet("/api/projects", {}, { ...byRecords, everyMs: 10_000 }).answer?.projects;

/** All of them; undefined until they are known. */
export const useProjects = (): Projects | undefined => useContext(KnownProjects);

/** Sessions a week by project, up to the newest there is. */
export function useActivity(newest: number | undefined): Map<string, number[]> {
  // A stored moment may have fractions of a millisecond, which the route refuses.
  const until = Math.floor(newest ?? 0) + 1;
  const since = Math.max(0, until - weeks * weekMs);
  const { answer } = useAsked(
    `activity ${newest}`,
    async (signal) =>
      newest === undefined
        ? undefined
        : get("/api/overview", { query: { since, until, by: "day" } }, signal),
    { delayMs: besideMs },
  );
  const found = new Map<string, number[]>();
  for (const { project, key, sessions } of answer?.days ?? []) {
    const counts = found.get(project) ?? Array.from({ length: weeks }, () => 0);
    const week = Math.floor((Date.parse(key) - since) / weekMs);
    const at = Math.min(weeks - 1, Math.max(0, week));
    counts[at] = (counts[at] ?? 0) + sessions;
    found.set(project, counts);
  }
  return found;
}

/** The one that an address chooses. */
export const projectOf = ({ searchParams }: URL) => searchParams.get("project") ?? "";

/** The address with other choices; an empty one takes a choice away. */
export function withChoices(address: URL, choices: Record<string, string>): string {
  const next = new URLSearchParams(address.searchParams);
  for (const [name, value] of Object.entries(choices))
    if (value === "") next.delete(name);
    else next.set(name, value);
  return `${address.pathname}${next.size > 0 ? `?${next}` : ""}`;
}

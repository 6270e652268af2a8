// How common each word is in a project's memory: a word of every second observation tells them not apart.

import type { Observation } from "../../src/sdk/index.ts";
import { baseName, dropOldest } from "../../src/text/index.ts";
import { stemsOf } from "./terms.ts";

/** Gives a stem's share of its weight: 1 for a rare one, near 0 for one that is everywhere. */
export type Rarity = (stem: string) => number;

/** Below this many observations nothing can be said about what is common. */
const fewest = 8;
/** Shares of the observations between which a word goes from rare to common. */
const rareShare = 0.04;
const commonShare = 0.2;
const commonWeight = 0.1;

/** What an observation is compared by: its words, and its files' names without their folders. */
export function wordsOf(
  one: Pick<Observation, "title" | "subtitle" | "facts">,
  files: readonly string[],
) {
  const names = files.map(baseName);
  return {
    head: stemsOf([one.title, one.subtitle, ...names].join(" ")),
    facts: stemsOf(one.facts.join(" ")),
  };
}

/** Counts the words of the observations that are given. */
export function rarityOf(observations: readonly Observation[]): Rarity {
  const total = observations.length;
  if (total < fewest) return () => 1;
  const counts = new Map<string, number>();
  for (const one of observations) {
    const { head, facts } = wordsOf(one, [...one.filesModified, ...one.filesRead]);
    for (const stem of new Set([...head, ...facts])) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  }
  return (stem) => {
    const count = counts.get(stem) ?? 0;
    const share = count / total;
    if (count <= 2 || share <= rareShare) return 1;
    if (share >= commonShare) return commonWeight;
    const way = Math.log(share / rareShare) / Math.log(commonShare / rareShare);
    return 1 - way * (1 - commonWeight);
  };
}

/** Rarities by project, counted anew after a while. */
export interface Vocabulary {
  of(project: string): Promise<Rarity>;
}

const believedMs = 5 * 60_000;
const maxProjects = 50;

/** `list` gives a project's newest observations; `now` is epoch ms. */
export function createVocabulary(
  list: (project: string) => Promise<Observation[]>,
  now: () => number,
): Vocabulary {
  const known = new Map<string, { rarity: Rarity; at: number }>();
  return {
    async of(project) {
      const entry = known.get(project);
      if (entry && Math.abs(now() - entry.at) < believedMs) return entry.rarity;
      const rarity = rarityOf(await list(project));
      known.delete(project);
      known.set(project, { rarity, at: now() });
      dropOldest(known, maxProjects);
      return rarity;
    },
  };
}

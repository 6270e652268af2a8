// All made-up users. Five, by the hash of their names, are set aside: only reported, never looked at.
import { createHash } from "node:crypto";
import { arabicSite } from "./cases/arabic-site.ts";
import { chineseApi } from "./cases/chinese-api.ts";
import { docsWriter } from "./cases/docs-writer.ts";
import { frenchDocs } from "./cases/french-docs.ts";
import { germanShop } from "./cases/german-shop.ts";
import { incidentPaste } from "./cases/incident-paste.ts";
import { interrupted } from "./cases/interrupted.ts";
import { japaneseMobile } from "./cases/japanese-mobile.ts";
import { migration } from "./cases/migration.ts";
import { mixedLanguages } from "./cases/mixed-languages.ts";
import { monorepo } from "./cases/monorepo.ts";
import { notebook } from "./cases/notebook.ts";
import { operations } from "./cases/operations.ts";
import { planningOnly } from "./cases/planning-only.ts";
import { questionsOnly } from "./cases/questions-only.ts";
import { refactoring } from "./cases/refactoring.ts";
import { refusals } from "./cases/refusals.ts";
import { reviewOnly } from "./cases/review-only.ts";
import { spanishData } from "./cases/spanish-data.ts";
import { terse } from "./cases/terse.ts";
import { voiceTyped } from "./cases/voice-typed.ts";
import type { Person } from "./script.ts";

/** Everybody. */
export const people: readonly Person[] = [
  arabicSite,
  chineseApi,
  docsWriter,
  frenchDocs,
  germanShop,
  incidentPaste,
  interrupted,
  japaneseMobile,
  migration,
  mixedLanguages,
  monorepo,
  notebook,
  operations,
  planningOnly,
  questionsOnly,
  refactoring,
  refusals,
  reviewOnly,
  spanishData,
  terse,
  voiceTyped,
];

const setAside = 5;
const hash = (name: string) => createHash("sha256").update(name).digest("hex");
const aside = new Set(
  people
    .map(({ name }) => name)
    .sort((one, other) => hash(one).localeCompare(hash(other)))
    .slice(0, setAside),
);

/** True for the five that are set aside. */
export function isAsidePerson({ name }: Person): boolean {
  return aside.has(name);
}

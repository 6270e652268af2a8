// Which sentences of a text are worth telling first: signals that need no language. Nothing is cut, nothing is invented.
import { cut } from "../text.ts";

import { codeNames } from "./code-names.ts";
import { isFiller } from "./fillers.ts";
import { meaningOf, overlap } from "./meaning.ts";
import { type Statement, statementsOf } from "./statements.ts";

/** What a text is measured against. */
export interface Backing {
  /** Names that the work is known by: files, symbols, commands. */
  names: readonly string[];
  /** What was asked: a sentence that only repeats it tells nothing. */
  asked: string;
}

/** A sentence with what it is worth. */
export interface Telling {
  text: string;
  /** 0: nothing backs it. */
  worth: number;
  statement: Statement;
}

/** Told whole up to here; a longer one is shortened with "…". */
const longest = 400;
/** A sentence of which more than this share stands in the request only repeats it. */
const repeated = 0.65;
/** An entry of fewer plain words says little without what introduces its list. */
const shortEntry = 5;
/** Two sentences that share more than this say the same. */
const same = 0.75;

/** The text's statements in their order, each with its worth. Questions and lead-ins have none. */
export function tellings(markdown: string, { names, asked }: Backing): Telling[] {
  const known = [...new Set(names.map((name) => name.toLowerCase()))].filter(
    (name) => name.length > 3,
  );
  const askedWords = meaningOf(asked);
  const statements = statementsOf(markdown);
  return statements.map((statement, at) => {
    const { code, kind } = statement;
    const text = standing(statement);
    const lower = text.toLowerCase();
    const shared = known.filter((name) => lower.includes(name)).length;
    const hasCode = code.length > 0 || codeNames(text).length > 0;
    const signals =
      Math.min(shared, 2) * 2 +
      (hasCode ? 1.5 : 0) +
      (/\d/.test(text) ? 1 : 0) +
      (at === 0 ? 1.5 : 0) +
      (at === statements.length - 1 && kind === "sentence" ? 0.5 : 0) +
      (meaningOf(text).size >= 8 ? 1 : 0);
    const worth = signals - (isAnnouncement(text) ? 3 : 0);
    const repeats = sharedWith(text, askedWords) > repeated;
    return {
      text,
      statement,
      worth: isBare(statement.text, kind) || repeats ? 0 : Math.max(0, worth),
    };
  });
}

function sharedWith(text: string, asked: ReadonlySet<string>): number {
  const words = [...meaningOf(text)];
  return words.filter((word) => asked.has(word)).length / Math.max(1, words.length);
}

/** The `most` best with at least `least` worth, none said twice, in the order of the text. */
export function bestOf(all: readonly Telling[], most: number, least = 2): Telling[] {
  const chosen: Telling[] = [];
  const ranked = [...all].sort((left, right) => right.worth - left.worth);
  for (const one of ranked) {
    if (chosen.length >= most || one.worth < least) break;
    if (!chosen.some((other) => overlap(other.text, one.text) > same)) chosen.push(one);
  }
  return all.filter((one) => chosen.includes(one));
}

/** A list's item with what its list is about in front, where it names nothing itself or says little alone. */
function standing({ text, kind, lead, section }: Statement): string {
  const titles = [lead, section].map((one) => one.replace(/^\d+[.)]\s*/, ""));
  const subject = titles.find((one) => one !== "" && one.length < 70 && codeNames(one).length > 0);
  const introduces = lead.length < 120 && meaningOf(lead).size > 1;
  const introduced = isShort(text) && introduces ? titles[0] : "";
  const front = (codeNames(text).length === 0 ? subject : "") || introduced;
  return cut((kind === "sentence" || !front ? text : `${front}: ${text}`).toWellFormed(), longest);
}

/** Names of code and places do not count. */
function isShort(text: string): boolean {
  return plainWords(text) < shortEntry;
}

function plainWords(text: string): number {
  return [...meaningOf(text)].filter(
    (word) => !/[\d./_]/.test(word) && !codeNames(word).includes(word),
  ).length;
}

/** Fragments, labels, places, quotations, questions and lead-ins: nothing to tell alone. */
function isBare(text: string, kind: Statement["kind"]): boolean {
  if (/[?？؟]["')\]]*$|[:：]$/.test(text) || isFiller(text)) return true;
  const own = text.replace(/["“„«「][^"“”„«»「」]*["”“»」]/g, "");
  const isBegun = /^["“„«「]/.test(own);
  if (isBegun || (own !== text && !/\p{L}{3}/u.test(own))) return true;
  const words = meaningOf(text).size;
  const isLabelled = /^[^:：]{1,30}[:：]\s/u.test(text);
  return (
    words < (kind === "sentence" ? 3 : 4) ||
    ((kind !== "sentence" || isLabelled) && plainWords(text) < 2)
  );
}

/** The first sentence that says something: not a cheer, not a label; it is what a message comes to. */
export function leadingOf(all: readonly Telling[]): Telling | undefined {
  return all.find(({ text, worth, statement }) => {
    if (worth === 0) return false;
    const names = statement.code.length > 0 || codeNames(text).length > 0 || /\d/.test(text);
    return names || (!/[!！]["')\]]*$/.test(text) && meaningOf(text).size >= 4);
  });
}

// Sentences that say what the speaker is about to do: by language, with an example each, which is its test.

/** Such a sentence is told last: what came of it is said elsewhere. */
export const announcements: ReadonlyArray<{ language: string; pattern: RegExp; example: string }> =
  [
    {
      language: "en",
      pattern:
        /^(?:now |next,? |ok(?:ay)?,? |first,? )?(?:let me|let's|i'll|i will|i need to|i'm going to|i should)\b/i,
      example: "Now let me look at the tests",
    },
    {
      language: "en",
      pattern: /^(?:[^,.]{0,80}, )?here(?:'s| is| are)\b/i,
      example: "Based on the docs, here's what you need to know",
    },
    {
      language: "de",
      pattern: /^(?:jetzt |als nächstes )?(?:ich werde|ich schaue|lass mich|ich muss)(?!\p{L})/iu,
      example: "Ich schaue mir die Tests an",
    },
    {
      language: "de",
      pattern: /^(?:[^,.]{0,80}, )?hier (?:ist|sind|kommt)(?!\p{L})/iu,
      example: "Hier ist die Zusammenfassung der Änderungen",
    },
    {
      language: "fr",
      pattern: /^(?:maintenant,? )?(?:je vais|laissez-moi|laisse-moi)(?!\p{L})/iu,
      example: "Je vais lire les tests",
    },
    {
      language: "fr",
      pattern: /^voici(?!\p{L})/iu,
      example: "Voici le résumé des changements",
    },
    {
      language: "es",
      pattern: /^(?:ahora )?(?:voy a|déjame|permíteme)(?!\p{L})/iu,
      example: "Ahora voy a leer las pruebas",
    },
    {
      language: "zh",
      pattern: /^(?:现在|接下来)?(?:让我|我来|我将|我会)/u,
      example: "让我看一下测试",
    },
  ];

/** True for "Let me look at …" and its like. */
export function isAnnouncement(text: string): boolean {
  return announcements.some(({ pattern }) => pattern.test(text));
}

// What a user wants, read from a prompt: greetings, politeness, pasted output and client notes taken away.

import { words } from "../text.ts";
import { fitCharacters } from "./fit.ts";
import { cleanText, startCapital, withoutClientMarkup } from "./plain.ts";
import { sentencesOf, statementsOf } from "./statements.ts";
import { isImperative } from "./verbs.ts";

/** What a prompt wants. */
export interface Goal {
  /** The request as one or two plain sentences; "" when there is none. */
  text: string;
  /** The sentence that asks for something in the imperative; "" when none does. */
  ask: string;
  /** `request`: something is to be done; `question`: something is to be told; `report`: how things are. */
  kind: "request" | "question" | "report";
}

/** A prompt that asks for nothing by itself ("continue", "yes", "2"). */
export const noGoal: Goal = { text: "", ask: "", kind: "report" };

const notAsked =
  /^\s*(?:<task-notification>|This session is being continued from a previous conversation|Caveat: The messages below|\[Request interrupted|Base directory for this skill|\[private\]|Stop hook feedback)/;
const greeting =
  /^(?:(?:ok(?:ay)?|hm+|hmm+|and|now|also|so|please|hi|hey|hello|thanks?(?: you)?|great|perfect|sure|right|ah+|oh+|uh+|um+|well|yes|yeah|yep|no|nope|actually|btw|by the way|then|just|alright|cool|nice|sorry|awesome|good|excellent|bitte|hallo|hola|bonjour)(?:\s*[,.!:;–-]+\s*|\s+(?=\p{L})))+/iu;
const politeness =
  /^(?:(?:can|could|would|will) (?:you|we|u)(?: (?:please|also|maybe|just|now|perhaps|kindly|again))*|please|let's|lets|let us|i(?:'d| would) (?:like|love|want)(?: you| us)? to|i(?:'d| would) (?:like|love)(?= (?:a|an|the|some)\b)|i want(?: you| us)? to|i need(?: you| us)? to|we (?:need|want|have|ought) to|we should|you should|help me(?: to)?|go ahead and|(?:do you mind|would you mind)|kannst du(?: bitte)?|könntest du(?: bitte)?|peux-tu|pouvez-vous|puedes|podrías)\s+/i;
const looking =
  /^(?:take a (?:quick )?look(?: at)?|have a look(?: at)?|check|double[- ]check|look at)(?:\s+(?:this|the following|these))?\s*[:.]\s*/i;
const trivialWords = new Set(
  "yes yeah yep y no nope n ok okay k sure thanks thank you please continue go on ahead proceed do it that this them all both and next done great perfect good nice cool right exactly correct again retry try more the a one two three option works looks lgtm fine agreed approve approved ship exit quit stop wait hello hi hey resume keep going with now just until are is finished remaining tasks implementation everything sounds seems".split(
    " ",
  ),
);
const logLine =
  /^\s*(?:[+-](?:\s{2,}|\t)|\/\/|\/\*|[{}]\s*$|if (?:err|\()|\$|❯|%|>{1,3}\s|\+{3}|-{3}|@@|diff --git|\s*at\s\S+\s?\(|\[?\d{2,4}[-:]\d\d[-:]|(?:error|warn(?:ing)?|info|debug|trace|fatal|FAIL|ERR!?)[\s:[]|npm (?:ERR|warn)|\S+\.\w{1,4}:\d+(?::\d+)?[:\s]|\s*\d+\s*[|│]|\[[^\]]*\]\s*(?:\d|[A-Z]{3,}))/;

/** Reads the request out of a prompt. Pasted logs, diffs and commands are passed over while there is prose. */
export function goalOf(prompt: string, sentences = 2): Goal {
  if (notAsked.test(prompt)) return noGoal;
  const head = prompt
    .slice(0, 8_000)
    .replace(/^\s*\/[\w:-]+(?:\s+|$)/, "")
    .replace(/\[(?:Image|Pasted text)[^\]]*\]|"{3}|'{3}/g, " ");
  const cleaned = cleanText(withoutClientMarkup(head));
  const lines = cleaned.split("\n").filter((line) => !logLine.test(line));
  const found: string[] = [];
  for (const statement of statementsOf(lines.join("\n"), 40)) {
    const intro =
      found.length === 0 && statement.lead !== "" && statement.kind === "item"
        ? statement.lead
        : "";
    for (const piece of intro === "" ? [statement.text] : [intro, statement.text]) {
      const text = stripPoliteness(piece);
      if (!isTrivial(text) && isProse(text)) found.push(startCapital(withoutPasted(text)));
      if (found.length >= sentences) break;
    }
    if (found.length >= sentences) break;
  }
  if (found.length === 0) {
    const lead = sentencesOf(lines.join(" ").replace(/\s+/g, " ").trim())[0] ?? "";
    const text = stripPoliteness(lead.slice(0, 300));
    if (isTrivial(text) || !isProse(text)) return noGoal;
    found.push(startCapital(text));
  }
  const said = found.map(closed);
  const ask = said.find((sentence) => isImperative(sentence)) ?? "";
  return { text: said.join(" "), ask, kind: ask === "" ? kindOf(said[0] ?? "") : "request" };
}

function kindOf(text: string): Goal["kind"] {
  const asks =
    /\?$/.test(text) ||
    /^(?:how|what|why|where|when|which|who|is|are|does|do|did|should|has|have)\b/i.test(text);
  return asks ? "question" : "report";
}

/** Takes greetings and polite wrappers off the front of a request. */
export function stripPoliteness(text: string): string {
  let rest = text.trim();
  for (let round = 0; round < 4; round++) {
    const before = rest;
    rest = rest
      .replace(greeting, "")
      .replace(politeness, "")
      .replace(looking, "")
      .replace(/^(?:check|verify) (?=(?:In|The|When|[A-Z]\w*[A-Z]\w*) )/, "")
      .trim();
    if (rest === before) break;
  }
  return rest;
}

/** True for words that ask for nothing by themselves. */
export function isTrivial(text: string): boolean {
  const words = text.toLowerCase().match(/[\p{L}\p{N}']+/gu) ?? [];
  const telling = words.filter((word) => !trivialWords.has(word) && !/^\d+$/.test(word));
  return telling.length < 2 && !/[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af]{4}/.test(text);
}

/** True for text a person wrote, false for code, logs and walls without words. */
function isProse(text: string): boolean {
  if (text === "" || text.length > 900) return false;
  const all = words(text);
  const spoken = all.filter((word) =>
    /^["'(]?[\p{L}\p{M}、。「」]+(?:['-]\p{L}+)*["')]?[.,!?;:…。、！？]*$/u.test(word),
  ).length;
  return spoken / all.length >= 0.55;
}

/** What stands before a colon when a pasted message follows it. */
function withoutPasted(text: string): string {
  const colon =
    /^(.{12,140}?(?:error|errors|message|output|failure|failures|log|logs|this|following|[a-z]{4,})[^:]{0,30}):\s+\S/i.exec(
      text,
    );
  return colon?.[1] !== undefined && text.length > 180 ? colon[1] : text;
}

function closed(text: string): string {
  const whole = text.length > 320 ? (fitCharacters(text, 40, 320) ?? text) : text;
  const asked = isImperative(whole)
    ? whole.replace(/(?:,? please)?[?.!:,\s]*$/i, "")
    : whole.replace(/[:,\s]+$/, "");
  return /[.!?。！？]$/.test(asked) ? asked : `${asked}.`;
}

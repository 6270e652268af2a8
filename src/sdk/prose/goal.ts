// What a user wants, read from a prompt: greetings, politeness, pasted output and client notes taken away.
import { cleanText, withoutClientMarkup } from "./plain.ts";
import { sentencesOf, statementsOf } from "./statements.ts";

export interface Goal {
  /** The request as one or two plain sentences; "" when there is none. */
  text: string;
  /** It starts with a question word or ends in a question mark. */
  question: boolean;
}

/** A prompt that asks for nothing by itself ("continue", "yes", "2"). */
export const noGoal: Goal = { text: "", question: false };

const notAsked =
  /^\s*(?:This session is being continued from a previous conversation|Caveat: The messages below|\[Request interrupted|Base directory for this skill|\[private\]|Stop hook feedback)/;
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
  /^(?:\$|❯|%|>{1,3}\s|\+{3}|-{3}|@@|diff --git|\s*at\s\S+\s?\(|\[?\d{2,4}[-:]\d\d[-:]|(?:error|warn(?:ing)?|info|debug|trace|fatal|FAIL|ERR!?)[\s:[]|npm (?:ERR|warn)|\S+\.\w{1,4}:\d+(?::\d+)?[:\s]|\s*\d+\s*[|│]|\[[^\]]*\]\s*(?:\d|[A-Z]{3,}))/;

/** Reads the request out of a prompt. Pasted logs, diffs and commands are passed over while there is prose. */
export function goalOf(prompt: string, sentences = 2): Goal {
  if (notAsked.test(prompt)) return noGoal;
  const head = prompt
    .slice(0, 8_000)
    .replace(/^\s*\/[\w:-]+(?:\s+|$)/, "")
    .replace(/\[(?:Image|Pasted text)[^\]]*\]/g, " ");
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
      if (!isTrivial(text) && isProse(text)) found.push(capitalised(text));
      if (found.length >= sentences) break;
    }
    if (found.length >= sentences) break;
  }
  if (found.length === 0) {
    const lead = sentencesOf(cleaned.replace(/\s+/g, " ").trim())[0] ?? "";
    const text = stripPoliteness(lead.slice(0, 300));
    if (isTrivial(text) || !isProse(text)) return noGoal;
    found.push(capitalised(text));
  }
  const first = found[0] ?? "";
  const question =
    /\?$/.test(first) ||
    /^(?:how|what|why|where|when|which|who|is|are|does|do|did|should|has|have)\b/i.test(first);
  return { text: found.map(closed).join(" "), question };
}

/** Takes greetings and polite wrappers off the front of a request. */
export function stripPoliteness(text: string): string {
  let rest = text.trim();
  for (let round = 0; round < 4; round++) {
    const before = rest;
    rest = rest.replace(greeting, "").replace(politeness, "").replace(looking, "").trim();
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
  const letters = text.match(/[\p{L}\s,.'?!]/gu)?.length ?? 0;
  return text.length > 0 && letters / text.length > 0.72 && text.length < 900;
}

function capitalised(text: string): string {
  return /^[a-z][a-z']*(?:\s|$)/.test(text) ? text.charAt(0).toUpperCase() + text.slice(1) : text;
}

function closed(text: string): string {
  return /[.!?。！？:]$/.test(text) ? text : `${text}.`;
}

// Whether a sentence is somebody else's by what it says: it names a source or a speaker, is printed, carries a heading, hides characters,
// or is a quotation. Pure.

/** How far it reaches: the sentence alone, the rest of its line, or of its paragraph. */
export type Reach = "sentence" | "line" | "paragraph";

/** Stands for a character that nobody sees; it survives cleaning, so that its line is known by it. */
export const unseen = "\ufdd3";
/** Nobody sees these. Emoji, scripts that join letters, and text from right to left need some of them. */
const ignorable =
  /(\p{RGI_Emoji}|\p{Extended_Pictographic}[\u200d\ufe0e\ufe0f]*|[#*\d]\ufe0f\u20e3|(?<=[\p{sc=Arab}\p{sc=Deva}\p{sc=Beng}\p{sc=Guru}\p{sc=Gujr}\p{sc=Orya}\p{sc=Taml}\p{sc=Telu}\p{sc=Knda}\p{sc=Mlym}\p{sc=Sinh}\p{sc=Khmr}\p{sc=Mymr}])[\u200c\u200d]|(?<=\p{sc=Han})[\u{e0100}-\u{e01ef}])|[[\p{Default_Ignorable_Code_Point}\p{Bidi_Control}\p{Zl}\p{Zp}\p{Cc}\u2800\ufff9-\ufffb]--[\n\r\t]]/gv;
const rightToLeft = /[\p{sc=Arab}\p{sc=Hebr}]/u;

/** The text with a mark for each character that hides. */
export function withUnseenMarked(text: string): string {
  const isRightToLeft = rightToLeft.test(text);
  return text
    .replaceAll(unseen, "")
    .replace(ignorable, (found, needed?: string) =>
      needed !== undefined || (isRightToLeft && /[\u200e\u200f\u061c]/.test(found))
        ? found
        : unseen,
    );
}

/** Begins or goes on like output: a level, a time, a prompt, a diff, a stack, markup. */
export const outputLine =
  /^\s*(?:[+-]{1,3}\s{2,}|\+\s|=>\s|@@|diff --git|\$\s|❯|>{1,3}\s|[{}[\]<]|at\s\S+\s?\(|File "|\[?\d{2,4}[-:/]\d\d[-:/T ]|\[?(?:error|warn(?:ing)?|info|debug|trace|fatal|FAIL|ERR!?)[\]\s:[]|npm (?:ERR|warn)|\S+\.\w{1,4}[:(]\d+|\d+\s*[|│]|\/\/|\/\*|#!)/i;

/** Inside a line: a heading, a bullet, a label in bold; at its beginning a line that a diff adds. */
const documentMark =
  /(?:^|[\s.:!?…])#{1,6}\s+\p{Lu}|[.:!?…)]\s+#{1,6}\s+\p{L}|\S\s+[•▪●]\s|^\s*\*\*[^*]{1,60}:\s*\*\*|^\s*\*\*[^*]{1,60}\*\*\s*:|^\s*\+\p{L}/u;

/** True for a line that is written like a document, behind its first characters. */
export function hasDocumentMark(line: string): boolean {
  return documentMark.test(line);
}

/** Verbs of people and documents that say something, by language; nobody uses them as nouns. */
const reporting = words(
  `says say said stated told tells wrote writes claimed recommends recommend recommended suggests suggest suggested commented
  insists insisted argues argued mentions mentioned announced explains explained answered replied thinks advises advised believes
  sagt sagte sagen meint meinte schreibt schrieb behauptet empfiehlt erklärt steht
  dit disait disent écrit affirme recommande explique
  dice dijo dicen escribe escribió afirma recomienda explica pone
  diz disse escreve scrive disse говорит сказал сказала пишет написал написала`,
);
/** They say something only before "that", a colon or a quotation. */
const alsoNouns = words(
  "states state reads read claims claim notes comments prints puts requires require",
);
/** Right before a verb these make it the user's own word. */
const speakingSelf = words(
  "i i've we we've you ich wir du ihr je j'ai nous on vous yo nosotros я мы",
);
const joining = words("as and but so like well also then");
/** Anywhere before a verb these make it no report: a rule, a wish or a question speaks of what is said. */
const noReport = words(
  `always never from use must should shall may can will would please don't do not want prefer like let let's make ensure show what
  whatever how if when whether immer nie niemals ab bitte was wie toujours jamais siempre nunca lo ahora agora maintenant désormais jetzt`,
);
/** Behind these alone and a colon a text is quoted; others are as often what a rule is about. */
const sources =
  "readme|change ?log|wiki|manual|hand ?book|release notes|output|summary|session notes|transcript|documentation|docs|handbuch|anleitung|zusammenfassung|resumen|résumé|documentación|documentazione";
const otherSources =
  "guide(?:line)?s?|policy|spec|specification|rfc|ticket|issue|pull request|pr|description|e-?mail|message|comment|blog|post|article|web ?page|page|website|tutorial|answer|log|linter|compiler|notes|conversation|review|richtlinie|seite|kommentar|guía|página";
const bareSource = new RegExp(
  `^(?:(?!(?:the|to|for|in|on|update|add|write|fix|edit|change) )[\\p{L}\\d'’]+ ){0,2}(?:${sources}|pr description|stack overflow|top answer)(?: (?:v?\\d\\S*|(?:of|from) .*))?$`,
  "iu",
);
/** "the wiki", "from our style guide", "the second comment on the ticket": what it is comes last. */
const namedSource = new RegExp(
  `^(?:(?:and |but |so )?(?:from|quot(?:e|ed|ing)(?: from)?|in|see) )?(?:(?:the|this|that|our|my|your|their|an?|der|die|das|dem|unser\\w*|la|le|el|nuestr\\w*|notre) |l['’]) ?(?:[\\p{L}\\d.#'’-]+ ){0,3}?(?:${sources}|${otherSources})(?: (?:#?\\d\\S*|(?:of|in|from|on|above|below|von|de|du) ?.*))?$`,
  "iu",
);
/** `Issue #88`, `RFC 9457`, `JIRA-4412`. */
const numbered = /^(?:issue|ticket|pr|pull request|rfc|commit|bug) #?\d+$|^[A-Z]{2,10}-\d+$/i;
/** Words that make a topic of such a noun: "for the docs". */
const topics =
  /^(?:for|about|on|regarding|re|when|wherever|in|inside|all|every|für|bei|pour|para)\b/i;
/** A clause of its own quotes nothing: "the output is wrong: …". */
const clause = /\b(?:is|are|was|were|isn't|aren't|has|have|ist|sind|est|sont|es|son)\b/i;
const rolesSaying =
  /^(?:the |our |my |another )?(?:assistant|user|human|system|ai|agent|subagent|bot|model|llm|claude(?: code)?|chat ?gpt|gpt\S*|gemini|copilot|codex|cursor|grok|reviewer(?: \d+)?|customer|client|vendor|colleague|boss|cto|ceo|manager|kunde|chef|kollege|kollegin|client[ea])$/i;
const path =
  /(?:^|\s)["'(]?(?:https?:\/\/\S+|[\w@.~-]*\/[\w@./~-]+|[\w-]+\.(?:md|mdx|txt|rst|adoc|html?|pdf|docx?|ya?ml|json|toml|[cm]?[jt]sx?|py|go|rs|java|c|h|cpp|rb|sh|css))(?::\d+)*[)"']?$/i;
const document = /\.(?:md|mdx|txt|rst|adoc|html?|pdf|docx?)$|^https?:/i;
/** First and last name. */
const fullName = /^\p{Lu}\p{Ll}+ \p{Lu}[\p{Ll}'’-]+$/u;
const madeBy = /\b(?:by|von|par|por) (?:\p{Lu}|(?:claude|codex|copilot|gemini|gpt|an? |the )\S*)/iu;
/** A text that is given to be worked on. */
const material =
  /^(?:please )?(?:translate|rephrase|reword|proofread|paraphrase|übersetze?|traduis|traduce|(?:fix|correct|check|improve) (?:the |my |this )?(?:grammar|spelling|wording|english|sentence|text|translation))(?:\P{L}|$)/iu;
const opening =
  /(?:^|[,;:：]\s|\bthat )(?:and |but |so |well |as )?(?:according to|as per|per (?:the|our)|in the words of|laut|gemäß|selon|d['’]après|según|secondo|согласно|по словам)\s|^[^,.:]{0,20}\bi (?:\w+ )?(?:read|saw|heard|learned) (?:on|in|from|at|that|somewhere)\b/iu;
const trailing =
  /(?:,|\(|\s-)\s*(?:(?:according to|source:|quot(?:ed|ing) |says |said )|(?:as )?[^,()]{1,50} (?:says|said|states|puts it|wrote|writes|reads)\)?[.!]?$)/i;
/** Dense scripts have no blanks: what says it stands at the beginning of the sentence, and it was not the user. */
const dense =
  /^(?!我|私|저|나)[^。！？]{0,30}?(?:写着|写道|(?:里|中|上)?说(?!明)|表示|规定|根据|据说|によると|によれば|こうあります|と書いて|と言って|에 따르면|라고 말|라고 쓰)|^根据|^据/u;
/** "… reads as follows." makes the rest theirs, "… is what the audit listed" what stands before it. */
const follows = /\b(?:as follows|the following)[.:]?$|\b(?:wie folgt|comme suit)[.:]?$/i;
const back =
  /^(?:(?:these|those|this|that|they|it) (?:is|are|was|were|comes?|came) (?:from|what|copied|quoted|taken)|(?:is|are|was|were) what)\b/i;

/** True for what stands before a colon where it names who speaks, or what is quoted. */
export function isSpeaker(label: string): boolean {
  return labelReach(label, true) !== undefined;
}

/** Undefined for the user's own; quotations in the sentence are "…" in their marks. */
export function attributionOf(sentence: string): Reach | undefined {
  const labels = [...sentence.matchAll(/[:：](?:\s+|$)|\s[-–—]\s/gu)];
  for (const { index, 0: mark } of labels) {
    const isColon = /[:：]/.test(mark);
    const label = lastClause(sentence.slice(0, index));
    const rest = sentence.slice(index + mark.length);
    const reach = rest === "" ? undefined : labelReach(label, isColon);
    if (reach) return /^["“„«‹「『'`]/.test(rest) ? "sentence" : reach;
  }
  if (follows.test(sentence)) return "paragraph";
  const isTold = clausesOf(sentence).some(isReported);
  return isTold || opening.test(sentence) || trailing.test(sentence) || dense.test(sentence)
    ? "sentence"
    : undefined;
}

/** True for a sentence that says of what stands before it that it is somebody else's. */
export function namesWhatIsBefore(sentence: string): boolean {
  return back.test(sentence);
}

function labelReach(label: string, isColon: boolean): Reach | undefined {
  const bare = label.replace(/\s*\([^()]*\)\s*$/, "").trim();
  if (bare === "" || bare.split(/\s+/).length > 9) return undefined;
  if (isReported(`${bare}:`) || madeBy.test(bare)) return "paragraph";
  if (path.test(bare)) {
    const isTopic = topics.test(bare) && !document.test(bare);
    const isPath = bare.split(/\s+/).length <= 3 && !clause.test(bare);
    return isPath && !isTopic && (isColon || document.test(bare)) ? "line" : undefined;
  }
  if (clause.test(bare)) return undefined;
  if (namedSource.test(bare) && (isColon || /^(?:from|quot)/i.test(bare))) return "paragraph";
  if (!isColon) return undefined;
  if (rolesSaying.test(bare) || material.test(bare) || bareSource.test(bare)) return "paragraph";
  return numbered.test(bare) || fullName.test(bare) ? "sentence" : undefined;
}

/** A third person and, before anything else, that they say something. */
function isReported(clause: string): boolean {
  const said = clause.toLowerCase().match(/[\p{L}\p{N}_./@#$-]+(?:['’]\p{L}+)*|[:："“„«]/gu) ?? [];
  const at = said.findIndex((word, place) => {
    const isSaying = /^(?:that|to|as|[:："“„«])$/.test(said[place + 1] ?? "");
    return reporting.has(word) || (alsoNouns.has(word) && isSaying);
  });
  const subject = said.slice(0, Math.max(0, at));
  return (
    subject.some((word) => !joining.has(word)) &&
    subject.length < 10 &&
    !subject.some((word) => noReport.has(word)) &&
    !subject.slice(-2).some((word) => speakingSelf.has(word))
  );
}

/** Where a report may begin: at the sentence's beginning, behind its first words, behind "that". */
function clausesOf(sentence: string): string[] {
  const [first = "", second = ""] = sentence.split(/[,;]\s|\s[-–—]\s/, 2);
  const isFront = first.split(/\s+/).length <= 4;
  const inner = /\bthat (.+)$/i.exec(sentence)?.[1];
  return [first, ...(isFront ? [second] : []), ...(inner === undefined ? [] : [inner])];
}

function lastClause(text: string): string {
  return (
    text
      .split(/[,;:：]\s/)
      .at(-1)
      ?.trim() ?? ""
  );
}

function words(text: string): ReadonlySet<string> {
  return new Set(text.split(/\s+/));
}

// Quotations and code spans of a text, each behind a mark of one character run: what stands around them can be read alone. Pure.

const edge = "\ufdd0";
const placeholder = /\ufdd0(\d+)\ufdd0/g;
/** What stands before an opening straight mark, and after a closing one. */
const before =
  /[\s([{—–\-:=,>/*_~|\\.;!?。！？、，：；\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;
const after =
  /[\s)\]}—–\-:;,.!?。！？、，：；<>/*_~|\\\p{sc=Han}\p{sc=Hiragana}\p{sc=Katakana}\p{sc=Hangul}]/u;
/** The marks that close what these open. */
const closing: Readonly<Record<string, string>> = {
  "“": "”",
  "„": "“”",
  "«": "»",
  "‹": "›",
  "「": "」",
  "『": "』",
};

/** A text whose quotations are placeholders, and what they stand for. */
interface Masked {
  text: string;
  quotations: readonly string[];
}

/**
 * Puts each quotation behind a placeholder on one line. One that is not closed goes to the text's end; a single straight
 * mark or a back-tick without its partner in the paragraph is none.
 */
export function masked(raw: string): Masked {
  const text = raw.replaceAll(edge, "");
  const quotations: string[] = [];
  let out = "";
  for (let at = 0; at < text.length; ) {
    const end = quotationEnd(text, at);
    if (end > at) {
      out += `${edge}${quotations.push(text.slice(at, end)) - 1}${edge}`;
      at = end;
    } else out += text[at++];
  }
  return { text: out, quotations };
}

/** "read \"total\"": the object of such a verb, where it is a single word, is a name, and nobody's statement. */
const namedObject = new RegExp(`\\b(read|state|claim|require) ${edge}(\\d+)${edge}`, "giu");

/** The text with the quotations that only name such an object back, without their marks. */
export function withNamedObjects(text: string, quotations: readonly string[]): string {
  return text.replace(namedObject, (found, verb: string, index: string) => {
    const quotation = quotations[Number(index)] ?? "";
    return /\s/.test(quotation) ? found : `${verb} ${quotation.slice(1, -1)}`;
  });
}

/** The text with its quotations back; of one of more than `most` characters only its marks, with "…" between them. */
export function unmasked(text: string, quotations: readonly string[], most: number): string {
  return text.replace(placeholder, (_, index: string) => {
    const quotation = quotations[Number(index)] ?? "";
    if (quotation.length - 2 <= most) return quotation;
    return `${quotation[0] ?? ""}…${closing[quotation[0] ?? ""]?.[0] ?? quotation[0] ?? ""}`;
  });
}

/** Where the quotation ends that begins here; `at` where none does. */
function quotationEnd(text: string, at: number): number {
  const mark = text[at] ?? "";
  const closers = closing[mark];
  if (closers !== undefined) return endOfPair(text, at, mark, closers);
  if (mark === "`") return endOfCode(text, at);
  if (mark !== '"' && mark !== "'") return at;
  const previous = text[at - 1] ?? " ";
  // Right behind a word it is one only with its partner; behind a number it says inches.
  const isGlued = mark === '"' && /\p{L}/u.test(previous) && !before.test(previous);
  if (!(isGlued || before.test(previous)) || /^\s?$/.test(text[at + 1] ?? "")) return at;
  if (previous === "\\") return endOfEscaped(text, at, mark);
  const last = mark === '"' && !isGlued ? text.length : paragraphEnd(text, at);
  for (let to = at + 1; to < last; to++) {
    const closes = text[to] === mark && !/[\s\\]/.test(text[to - 1] ?? "");
    if (closes && (to + 1 === text.length || after.test(text[to + 1] ?? ""))) return to + 1;
  }
  return mark === '"' && !isGlued ? text.length : at;
}

/** Of marks behind a backslash the next such one closes. */
function endOfEscaped(text: string, at: number, mark: string): number {
  const end = text.indexOf(`\\${mark}`, at + 1);
  return end < 0 ? text.length : end + 2;
}

function endOfPair(text: string, at: number, open: string, closers: string): number {
  let depth = 0;
  for (let to = at; to < text.length; to++) {
    if (text[to] === open) depth++;
    else if (closers.includes(text[to] ?? "") && --depth === 0) return to + 1;
  }
  return text.length;
}

function endOfCode(text: string, at: number): number {
  const run = /^`+/.exec(text.slice(at, at + 40))?.[0] ?? "`";
  const last = run.length < 3 ? paragraphEnd(text, at) : text.length;
  for (let to = at + run.length; to < last; to++) {
    if (text[to] !== "`") continue;
    const next = /^`+/.exec(text.slice(to, to + 40))?.[0].length ?? 1;
    if (next === run.length) return to + next;
    to += next - 1;
  }
  // As TeX has them: two of these, and two straight ones.
  const tex = run === "``" ? text.slice(at, last).indexOf("''") : -1;
  if (tex > 0) return at + tex + 2;
  return run.length < 3 ? at : text.length;
}

function paragraphEnd(text: string, at: number): number {
  const end = text.indexOf("\n\n", at);
  return end < 0 ? text.length : end;
}

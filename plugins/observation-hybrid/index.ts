// Built-in plugin `hybrid`: observations and summaries by a model that answers in small XML blocks.

import { ofSummaryTexts, summaryTextNames, summaryTexts } from "../../src/sdk/index.ts";
import type { AnswerFormat, RawAnswer, RawObservation } from "../../src/strategy/index.ts";
import {
  emptyAnswer,
  modelStrategy,
  observationTypes,
  rawObservation,
  saysNothing,
  unescapeMarkup,
} from "../../src/strategy/index.ts";

import { nameWords } from "../../src/text/index.ts";

// Finds tags in text that only resembles XML: one pass, linear, never throws.

/** A tag at `start` (its `<`) up to `end` (after its `>`). */
interface Tag {
  /** Lower case, `_` for dashes and camel case, without a namespace. */
  name: string;
  kind: "open" | "close" | "empty";
  attributes: string;
  start: number;
  end: number;
}

/** The tag of a summary's text. */
export function tagOf(name: string): string {
  return nameWords(name, "_");
}

const tag = /<(\/?)\s{0,4}([a-z][\w:.-]{0,40})((?:\s[^<>]{0,300})?)(\/?)>/gi;

/** Every tag whose name is one of `names`; all others are text. */
export function findTags(text: string, names: ReadonlySet<string>): Tag[] {
  const found: Tag[] = [];
  for (const match of text.matchAll(tag)) {
    const [whole, slash, written = "", attributes = "", empty] = match;
    const name = normalName(written);
    if (!names.has(name)) continue;
    const isEmpty = empty === "/" || attributes.trimEnd().endsWith("/");
    found.push({
      name,
      kind: slash === "/" ? "close" : isEmpty ? "empty" : "open",
      attributes,
      start: match.index,
      end: match.index + whole.length,
    });
  }
  return found;
}

function normalName(written: string): string {
  return written
    .slice(written.lastIndexOf(":") + 1)
    .replace(/([a-z])([A-Z])/g, "$1_$2")
    .replaceAll("-", "_")
    .toLowerCase();
}

/** The value of an attribute, quoted or not; empty when it is not there. */
export function attribute(attributes: string, name: string): string {
  const found = new RegExp(`\\b${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'/]+))`, "i").exec(
    attributes,
  );
  return found?.[1] ?? found?.[2] ?? found?.[3] ?? "";
}

/** CDATA sections as ordinary escaped text, comments and processing instructions gone. What is never closed only loses its beginning. */
export function plainMarkup(text: string): string {
  if (!text.includes("<!") && !text.includes("<?")) return text;
  const asText = (inner: string) => inner.replaceAll("&", "&amp;").replaceAll("<", "&lt;");
  const sections = between(text, "<![CDATA[", "]]>", asText);
  return between(sections, "<!--", "-->", () => " ").replace(/<\?[^<>]{0,200}\?>/g, " ");
}

/** Each stretch between `open` and `close` replaced by what `put` makes of it. Linear. */
function between(
  text: string,
  open: string,
  close: string,
  put: (inner: string) => string,
): string {
  const parts: string[] = [];
  let from = 0;
  for (;;) {
    const start = text.indexOf(open, from);
    if (start === -1) break;
    const end = text.indexOf(close, start + open.length);
    if (end === -1) return parts.join("") + text.slice(from).replaceAll(open, " ");
    parts.push(text.slice(from, start), put(text.slice(start + open.length, end)));
    from = end + close.length;
  }
  return parts.join("") + text.slice(from);
}

// Takes a model's answer apart into blocks and their fields, whatever it forgot to open or to close.

/** A block: its fields by name, each with all its texts in order. */
interface Block {
  kind: "observation" | "summary";
  fields: Map<string, string[]>;
  /** What stands in the block outside of any field. */
  loose: string;
}

/** Blocks in order, and whether a `nothing` tag was there. */
interface Blocks {
  blocks: Block[];
  nothing: boolean;
}

const blockNames = new Set(["observation", "summary"]);
const nothingNames = new Set([
  "nothing",
  "skip",
  "none",
  "no_observation",
  "no_observations",
  "no_summary",
  "skip_summary",
]);
/** Fields that hold text, and fields that hold a list of those. */
const leaves = new Set([
  ..."type title subtitle fact narrative concept file text uses use".split(" "),
  ...summaryTextNames.map(tagOf),
]);
const lists = new Set("facts concepts files files_read files_edited files_modified".split(" "));
const known = new Set([...blockNames, ...nothingNames, ...leaves, ...lists]);

/**
 * Reads all blocks. A field ends at its closing tag where that comes before the block ends and before a field of the
 * same name begins; else at the next tag. So a `<title>` inside a narrative is text, and a forgotten `</title>` costs
 * nothing. With `cut`, the text of what stands open at the very end is left out.
 */
export function readBlocks(answer: string, cut: boolean): Blocks {
  const text = plainMarkup(answer);
  const tags = findTags(text, known);
  const ends = closings(tags);
  const blocks: Block[] = [];
  let nothing = false;
  let block: Block | undefined;
  let list = "";
  let at = 0;
  /** Where the text that no field took begins. */
  let from = 0;

  const finish = () => {
    if (block) blocks.push(block);
    block = undefined;
    list = "";
  };
  const loose = (until: number) => {
    const piece = text.slice(from, until);
    if (!block || piece.trim() === "") return;
    if (list === "") block.loose += piece;
    else addAll(block, list, piece);
  };

  while (at < tags.length) {
    const tag = tags[at];
    if (!tag) break;
    at++;
    if (blockNames.has(tag.name)) {
      loose(tag.start);
      finish();
      if (tag.kind === "open") block = newBlock(tag);
    } else if (!block) {
      if (nothingNames.has(tag.name) && tag.kind !== "close") nothing = true;
    } else if (lists.has(tag.name)) {
      loose(tag.start);
      list = tag.kind === "open" ? tag.name : "";
    } else if (leaves.has(tag.name) && tag.kind === "open") {
      loose(tag.start);
      const close = ends.get(tag);
      const next = close ?? tags[at];
      const isOpenAtEnd = next === undefined;
      if (!(isOpenAtEnd && cut))
        add(block, fieldName(tag.name, list), text.slice(tag.end, next?.start ?? text.length));
      if (close) at = tags.indexOf(close, at) + 1;
      from = close?.end ?? next?.start ?? text.length;
      continue;
    } else loose(tag.start);
    from = tag.end;
  }
  if (!cut) loose(text.length);
  finish();
  return { blocks, nothing };
}

/** For each opening field tag, the closing tag that ends it. One pass from the end. */
function closings(tags: readonly Tag[]): Map<Tag, Tag> {
  const ends = new Map<Tag, Tag>();
  const nearest = new Map<string, Tag>();
  for (const tag of tags.toReversed()) {
    if (blockNames.has(tag.name) && tag.kind === "close") nearest.clear();
    if (!leaves.has(tag.name)) continue;
    if (tag.kind === "close") nearest.set(tag.name, tag);
    else if (tag.kind === "open") {
      const close = nearest.get(tag.name);
      if (close) ends.set(tag, close);
      nearest.delete(tag.name);
    }
  }
  return ends;
}

function newBlock(tag: Tag): Block {
  const kind = tag.name === "summary" ? "summary" : "observation";
  const fields = new Map<string, string[]>();
  const type = attribute(tag.attributes, "type");
  if (type !== "") fields.set("type", [type]);
  return { kind, fields, loose: "" };
}

/** `file` inside `files_read` is another list than files. */
function fieldName(name: string, list: string): string {
  return name === "file" && list.startsWith("files_") ? list : name;
}

function add(block: Block, name: string, raw: string): void {
  const value = unescapeMarkup(raw).trim();
  if (value === "") return;
  const values = block.fields.get(name);
  if (values) values.push(value);
  else block.fields.set(name, [value]);
}

/** Items of a list that came without tags: one a line, with or without bullets; short ones also by commas. */
function addAll(block: Block, list: string, raw: string): void {
  const separator = list === "facts" ? /\n/ : /[\n,]/;
  const name =
    list === "facts" ? "fact" : list === "concepts" ? "concept" : fieldName("file", list);
  for (const item of raw.split(separator))
    add(block, name, item.replace(/^\s*(?:[-*•]|\d{1,2}[.)])\s+/, ""));
}

// An XML answer as raw observations and summary, with what was wrong with it in words.

/** Longer answers than this are no answers; what comes after is not looked at. */
const longestAnswer = 400_000;

/** Never throws. `cut`: the model had no room to end its answer. */
export function readAnswer(text: string, cut: boolean): RawAnswer {
  const { blocks, nothing } = readBlocks(text.slice(0, longestAnswer), cut);
  const answer = emptyAnswer();
  answer.nothing = nothing || saysNothing(text);
  for (const block of blocks) {
    if (block.kind === "observation") {
      const observation = observationOf(block);
      if (observation) answer.observations.push(observation);
      else answer.problem ??= "an <observation> block was empty";
    } else if (isEmpty(block)) answer.problem ??= "the <summary> block was empty";
    else Object.assign(answer, summaryOf(block));
  }
  if (blocks.length === 0 && !answer.nothing)
    answer.problem = "no <observation> or <summary> block was found in it";
  return answer;
}

const fileLists = ["files_read", "files_edited", "files_modified"];
const first = ({ fields }: Block, name: string): string => fields.get(name)?.[0] ?? "";
const all = ({ fields }: Block, name: string): string[] => fields.get(name) ?? [];

function isEmpty({ fields, loose }: Block): boolean {
  return fields.size === 0 && loose.trim() === "";
}

function observationOf(block: Block): RawObservation | undefined {
  if (isEmpty(block)) return undefined;
  // The old form: one sentence, in a `text` field or straight in the block.
  const sentence = first(block, "text") || block.loose.trim();
  return rawObservation(
    (name) => first(block, name) || (name === "narrative" ? sentence : ""),
    // A list is written as `facts`, `fact` inside; files also as those read and those changed.
    (name) =>
      [name, name.slice(0, -1), ...(name === "files" ? fileLists : [])].flatMap((one) =>
        all(block, one),
      ),
  );
}

function summaryOf(block: Block): Pick<RawAnswer, "summary" | "title" | "subtitle"> {
  const title = first(block, "title");
  const subtitle = first(block, "subtitle");
  return {
    summary: {
      ...ofSummaryTexts((name) => first(block, tagOf(name))),
      completed: first(block, "completed") || first(block, "text") || block.loose.trim(),
      filesRead: [...all(block, "files_read"), ...all(block, "file")],
      filesEdited: [...all(block, "files_edited"), ...all(block, "files_modified")],
    },
    ...(title !== "" && { title }),
    ...(subtitle !== "" && { subtitle }),
  };
}

// The XML form: how the model is asked to answer.

const instructions = {
  observe: `HOW TO ANSWER
Answer with one block for each note and nothing around the blocks. Write "<" as &lt; inside a field.
<observation>
  <type>one of the types</type>
  <title>3 to 8 words</title>
  <subtitle>at most 24 words</subtitle>
  <facts>
    <fact>50 to 150 characters, understandable alone</fact>
    <fact>another one</fact>
  </facts>
  <narrative>the whole story</narrative>
  <concepts>
    <concept>broad-category</concept>
    <concept>another-one</concept>
  </concepts>
  <files>
    <file>path/from/the/project/root.ts</file>
  </files>
  <uses>1, 3</uses>
</observation>
When nothing is worth a note, answer <nothing/> and only that.`,
  summarize: `HOW TO ANSWER
Answer with one block (title and subtitle only where they are asked for):
<summary>
  <title>the session in 3 to 8 words</title>
  <subtitle>at most 20 words</subtitle>
${summaryTextNames.map((name) => `  <${tagOf(name)}>${summaryTexts[name]}</${tagOf(name)}>`).join("\n")}
</summary>`,
};

/** Small XML blocks, read by a parser that forgives. */
export const xmlFormat: AnswerFormat = {
  types: observationTypes,
  instructions,
  reminders: {
    observe: "Answer with <observation> blocks, or with <nothing/>.",
    summarize: "Answer with one <summary> block.",
  },
  read: readAnswer,
};

export default modelStrategy({
  name: "hybrid",
  description: "Asks the model for observations and summaries; it answers in small XML blocks.",
  format: xmlFormat,
});

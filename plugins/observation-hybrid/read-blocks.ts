// Takes a model's answer apart into blocks and their fields, whatever it forgot to open or to close.
import { summaryTextNames } from "../../src/sdk/index.ts";
import { unescapeMarkup } from "../../src/strategy/index.ts";
import { attribute, findTags, plainMarkup, type Tag, tagOf } from "./tags.ts";

/** A block: its fields by name, each with all its texts in order. */
export interface Block {
  kind: "observation" | "summary";
  fields: Map<string, string[]>;
  /** What stands in the block outside of any field. */
  loose: string;
}

/** Blocks in order, and whether a `nothing` tag was there. */
export interface Blocks {
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

/** `file` inside `files_read` is told apart from other files. */
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

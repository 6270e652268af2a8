// Reduces results that are lists of content blocks: those of MCP tools, and a subagent's answer.
import * as v from "valibot";
import { plural } from "../../../src/text/index.ts";
import { lookAgain } from "../look/look.ts";
import type { Policy } from "../policy.ts";
import type { Reduced, Reducer } from "../reducer.ts";
import { type Arrived, isReduced, recallLine, reduceText } from "../reducer.ts";
import { shortenDiff } from "../text/diff.ts";
import { shortenJson } from "../text/json.ts";
import { fitListing } from "../text/listing.ts";
import { shortenAnswer, shortenGeneric } from "../text/log.ts";
import { firstOf, type Shorten } from "../text/rows.ts";
import { longestChosen, query } from "./bash.ts";

// Shortens the field `filenames` of a result: one line a folder in place of one a file.

/** Names that come back because they were asked for, and from how many bits on one was. */
const [mostAsked, leastAskedBits] = [15, 3];
/** Fewer names are never worth it. */
const leastNames = 20;

/** The same response with grouped names; the client joins them by line ends. */
export function reduceNames(
  arrived: Arrived,
  response: { filenames: string[] },
  policy: Policy,
): Reduced | undefined {
  const { filenames } = response;
  const before = filenames.join("\n");
  if (filenames.length < leastNames || isReduced(before)) return undefined;
  const { lines, unnamed, how } = fitListing(
    filenames,
    policy.listingCharacters,
    policy.entriesPerFolder,
  );
  const leftOut =
    unnamed > 0
      ? `${unnamed} of ${plural(filenames.length, "name")}`
      : "only repeated folder names";
  const bits = arrived.asked?.bitsOf(filenames) ?? [];
  const wanted = [...filenames.keys()]
    .filter((at) => (bits[at] ?? 0) >= leastAskedBits)
    .sort((one, other) => (bits[other] ?? 0) - (bits[one] ?? 0))
    .flatMap((at) => filenames[at] ?? []);
  const asked = wanted.length > 0 ? ["… asked for:", ...wanted.slice(0, mostAsked)] : [];
  const names = [...lines, ...asked, recallLine(arrived, leftOut)];
  return { response: { ...response, filenames: names }, before, after: names.join("\n"), how };
}

// Reduces a fetched page: the client's own model has answered from it already, so only very long answers are cut.

const Response = v.looseObject({ result: v.string() });
const shorten = firstOf(shortenJson, shortenAnswer);

export const reduceWebFetch: Reducer = (arrived, _, policy) => {
  const parsed = v.safeParse(Response, arrived.response);
  if (!parsed.success) return undefined;
  const response = parsed.output;
  const withResult = (result: string) => ({ ...response, result });
  return reduceText(arrived, response.result, withResult, shorten, policy);
};

const Text = v.looseObject({ type: v.literal("text"), text: v.string() });
const Blocks = v.array(v.looseObject({ type: v.string() }));

interface ReducedBlocks {
  blocks: unknown[];
  before: string;
  after: string;
  how: string;
}

/** Shortens each text block that can be; blocks of other kinds stay as they are. One line at the end speaks for all. */
function reduceBlocks(
  arrived: Arrived,
  blocks: readonly unknown[],
  shorten: Shorten,
  policy: Policy,
): ReducedBlocks | undefined {
  const texts = blocks.map((block) => {
    const text = v.safeParse(Text, block);
    return text.success ? text.output : undefined;
  });
  if (texts.some((block) => block && isReduced(block.text))) return undefined;
  const shortened = texts.map((block, at) => {
    const firstLine = firstLineOf(blocks, at);
    const origin = { command: "", firstLine, asked: arrived.asked };
    const short = block && shorten(block.text, policy, origin);
    return short && lookAgain(block.text, short, origin);
  });
  const last = shortened.findLastIndex((short) => short !== undefined);
  const final = shortened[last];
  if (!final) return undefined;
  const line = recallLine(
    arrived,
    shortened.flatMap((short) => short?.leftOut ?? []).join(" and "),
  );
  const reduced = texts.map((block, at) => {
    const short = shortened[at];
    if (!block || !short) return block;
    return { ...block, text: at === last ? `${short.text}\n${line}` : short.text };
  });
  return {
    blocks: blocks.map((block, at) => reduced[at] ?? block),
    before: texts.flatMap((block) => block?.text ?? []).join("\n"),
    after: reduced.flatMap((block) => block?.text ?? []).join("\n"),
    how: final.how,
  };
}

/** Recalled, the blocks stand below each other, those that are no text as indented JSON. */
function firstLineOf(blocks: readonly unknown[], at: number): number {
  return blocks.slice(0, at).reduce<number>((line, block) => {
    const text = v.safeParse(Text, block);
    const shown = text.success ? text.output.text : JSON.stringify(block, null, 2);
    return line + shown.split("\n").length;
  }, 1);
}

const shortenMcp = firstOf(shortenJson, shortenDiff, shortenGeneric);

/** An MCP tool's result: a list of content blocks, or one text. */
export const reduceMcp: Reducer = (arrived, _, policy) => {
  const { response, input } = arrived;
  const texts = Object.values(input).filter((value) => typeof value === "string");
  const size = JSON.stringify(response)?.length ?? 0;
  if (size <= longestChosen && texts.some((text) => query.test(text))) return undefined;
  if (typeof response === "string")
    return reduceText(arrived, response, (text) => text, shortenMcp, policy);
  const blocks = v.safeParse(Blocks, response);
  const reduced = blocks.success && reduceBlocks(arrived, blocks.output, shortenMcp, policy);
  if (!reduced) return undefined;
  const { blocks: list, ...rest } = reduced;
  return { response: list, ...rest };
};

const Answer = v.looseObject({ status: v.optional(v.literal("completed")), content: Blocks });

/** A subagent's answer: mostly left alone, since it is a summary already. */
export const reduceAgent: Reducer = (arrived, _, policy) => {
  const answer = v.safeParse(Answer, arrived.response);
  const reduced =
    answer.success && reduceBlocks(arrived, answer.output.content, shortenAnswer, policy);
  if (!answer.success || !reduced) return undefined;
  const { blocks: content, ...texts } = reduced;
  return { response: { ...answer.output, content }, ...texts };
};

// An XML answer as raw observations and summary, with what was wrong with it in words.
import { ofSummaryTexts } from "../../src/sdk/index.ts";
import {
  emptyAnswer,
  type RawAnswer,
  type RawObservation,
  saysNothing,
} from "../../src/strategy/index.ts";
import { type Block, readBlocks } from "./read-blocks.ts";
import { tagOf } from "./tags.ts";

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

const first = ({ fields }: Block, name: string): string => fields.get(name)?.[0] ?? "";
const all = ({ fields }: Block, name: string): string[] => fields.get(name) ?? [];

function isEmpty({ fields, loose }: Block): boolean {
  return fields.size === 0 && loose.trim() === "";
}

function observationOf(block: Block): RawObservation | undefined {
  if (isEmpty(block)) return undefined;
  // The old form: one sentence, in a `text` field or straight in the block.
  const sentence = first(block, "text") || block.loose.trim();
  const narrative = first(block, "narrative") || sentence;
  if (narrative === "" && all(block, "fact").length === 0 && first(block, "title") === "")
    return undefined;
  return {
    type: first(block, "type"),
    title: first(block, "title"),
    subtitle: first(block, "subtitle"),
    facts: all(block, "fact"),
    narrative,
    concepts: all(block, "concept"),
    files: ["file", "files_read", "files_edited", "files_modified"].flatMap((name) =>
      all(block, name),
    ),
    uses: [...all(block, "uses"), ...all(block, "use")].flatMap((text) =>
      (text.match(/\d{1,4}/g) ?? []).map(Number),
    ),
  };
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

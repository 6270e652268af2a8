// The messages a strategy sends: the first of a session, a continuation, and the two requests for a summary. Pure.
import type { Observation, Summary } from "../sdk/model.ts";
import { plural } from "../text/text.ts";
import type { Fence } from "./fence.ts";
import { forModel } from "./model-text.ts";
import type { SessionNotes } from "./session-notes.ts";

const promptLimit = 2_000;
const messageLimit = 4_000;
/** Of all observations in a summary request. */
const observationsLimit = 12_000;
/** Of a turn's, or a session's, evidence beside prompts, tool uses and closing words. */
export const evidenceLimit = 6_000;

/** What an observation request is made from. */
export interface ObserveMessage {
  project: string;
  session: string;
  /** YYYY-MM-DD. */
  date: string;
  prompt: { number: number; text: string } | undefined;
  notes: SessionNotes;
  fence: Fence;
  /** Escaped tool uses and turns. */
  turns: string;
  uses: readonly string[];
  /** Escaped evidence of the turn, as `turnEvidence` gives it. */
  evidence: string;
  /** What the assistant and its subagents said at the end. */
  closing: readonly string[];
  /** How to answer, in one or two lines. */
  reminder: string;
  /** Someone waits for an answer about a single tool use. */
  waiting: boolean;
}

/** The request for observations: with an introduction when it is the session's first, else with a dozen lines of continuation. */
export function observeMessage(message: ObserveMessage): string {
  const { fence, turns, uses, evidence, closing, waiting } = message;
  const material = [
    tagged("before", turns === "" ? "" : `\n${turns}\n`),
    ...uses,
    evidence,
    ...closing.map((text) => tagged("closing-words", forModel(text, messageLimit / 2))),
  ].filter((text) => text !== "");
  return [
    ...(message.notes.isNew ? introduction(message) : continuation(message)),
    "",
    `MATERIAL (${plural(uses.length, "tool use")}, quoted)`,
    fence.around(material.join("\n")),
    "",
    waiting
      ? "The agent waits for this note and will see it instead of the tool's output: say what the output tells, also where it is routine, in one note."
      : "Which of this will a later session want to know?",
    message.reminder,
  ].join("\n");
}

function introduction({ project, session, date, prompt, fence }: ObserveMessage): string[] {
  return [
    "A NEW SESSION BEGINS",
    `Project: ${forModel(project, 200)}`,
    `Session: ${forModel(session, 100)}`,
    `Date: ${date}`,
    "What the user wants, quoted:",
    fence.around(forModel(prompt?.text ?? "(not known)", promptLimit)),
  ];
}

function continuation({ project, date, prompt, notes, fence }: ObserveMessage): string[] {
  const noted = notes.titles.map((title) => `- ${forModel(title, 120)}`);
  return [
    `THE SESSION GOES ON (project ${forModel(project, 200)}, ${date})`,
    ...(prompt === undefined
      ? []
      : [
          `Prompt ${prompt.number} of the user, quoted:`,
          fence.around(forModel(prompt.text, promptLimit)),
        ]),
    ...(noted.length === 0 ? [] : ["Earlier notes, by title:", fence.around(noted.join("\n"))]),
    "Go on taking notes as before.",
  ];
}

/** What a summary request is made from. */
export interface SummaryMessage {
  scope: "prompt" | "session";
  project: string;
  date: string;
  /** Texts of the prompts, in order. */
  prompts: readonly string[];
  observations: readonly Observation[];
  summaries: readonly Summary[];
  files: { read: readonly string[]; modified: readonly string[] };
  /** Escaped evidence of the turns, as `turnEvidence` gives it. */
  evidence: string;
  lastAssistantMessage: string | undefined;
  /** Ask for the session's title and subtitle, too. */
  wantsTitle: boolean;
  fence: Fence;
  reminder: string;
}

/** The request for a prompt's or a session's summary. */
export function summaryMessage(message: SummaryMessage): string {
  const { scope, fence, project, date, reminder, wantsTitle } = message;
  const isSession = scope === "session";
  return [
    isSession
      ? `THE SESSION HAS ENDED (project ${forModel(project, 200)}, ${date})`
      : `THE AGENT HAS ANSWERED A PROMPT (project ${forModel(project, 200)}, ${date})`,
    isSession
      ? "Sum up the whole session from its prompts, notes and earlier summaries."
      : "Sum up what came of this prompt. What the agent said last tells how far it got.",
    "",
    "MATERIAL (quoted)",
    fence.around(summaryMaterial(message)),
    "",
    "Say briefly what was asked, investigated, learned and completed, and what remains to be done: meaning, not mechanics. Claim nothing as completed that the material does not show. Leave a field empty rather than fill it.",
    ...(wantsTitle
      ? [
          "Also give the session a title of 3 to 6 words and a subtitle of at most 20 words that say what it is about.",
        ]
      : []),
    reminder,
  ].join("\n");
}

function summaryMaterial(message: SummaryMessage): string {
  const { prompts, observations, summaries, files, lastAssistantMessage } = message;
  const each = Math.max(160, Math.floor(messageLimit / Math.max(1, prompts.length)));
  const shownPrompts = spread(prompts, 25).map((text) =>
    tagged("prompt", forModel(text, Math.min(each, promptLimit))),
  );
  const perNote = Math.max(120, Math.floor(observationsLimit / Math.max(1, observations.length)));
  const notes = observations
    .slice(-80)
    .map(({ type, title, facts }) =>
      tagged("note", forModel(`${type}: ${title}. ${facts.join(" ")}`, perNote)),
    );
  const earlier = summaries
    .slice(-25)
    .map(({ request, completed, learned, nextSteps }) =>
      tagged(
        "summary",
        forModel(
          [request, completed, learned, nextSteps && `Next: ${nextSteps}`]
            .filter(Boolean)
            .join(" "),
          500,
        ),
      ),
    );
  return [
    ...shownPrompts,
    ...notes,
    ...earlier,
    message.evidence,
    tagged("files-changed", forModel(files.modified.slice(0, 50).join("\n"), 2_000)),
    tagged("files-read", forModel(files.read.slice(0, 50).join("\n"), 2_000)),
    tagged("closing-words", forModel(lastAssistantMessage ?? "", messageLimit)),
  ]
    .filter((text) => text !== "")
    .join("\n");
}

/** At most `most` items: the first, and the newest. */
function spread<Item>(items: readonly Item[], most: number): Item[] {
  return items.length <= most ? [...items] : [...items.slice(0, 1), ...items.slice(1 - most)];
}

function tagged(name: string, text: string): string {
  return text.trim() === "" ? "" : `<${name}>${text}</${name}>`;
}

/** What is said to a model whose answer could not be read, before it may try once more. */
export function retryMessage(problem: string, reminder: string): string {
  return `Your answer could not be used: ${problem}. Answer the same request once more, complete and in the form asked for, with nothing around it.\n${reminder}`;
}

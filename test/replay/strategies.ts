// `bun run replay --strategy hybrid|structured|commands`: recorded sessions through a prompt strategy with a scripted model, and what that takes.
import process from "node:process";
import commands from "../../plugins/observation-commands/index.ts";
import hybrid from "../../plugins/observation-hybrid/index.ts";
import structured from "../../plugins/observation-structured/index.ts";
import type { AnyPlugin } from "../../src/sdk/plugin.ts";
import type { Completion, CompletionRequest } from "../../src/sdk/provider.ts";
import type { ObservationBatch, SummaryInput } from "../../src/sdk/work.ts";
import { estimateTokens } from "../../src/text/text.ts";
import { openRoom } from "../support/plugin-room.ts";
import { readSessions } from "../support/transcript-events.ts";
import { captured } from "./capture.ts";
import { withContexts } from "./contexts.ts";
import { type Break, breaksOf } from "./rules.ts";

const strategies: Readonly<Record<string, AnyPlugin>> = { hybrid, structured, commands };

/** How batches are made: as the worker makes them, or one request for each tool use. */
const manners = { batched: {}, "one by one": { maxToolUses: 1 } };

interface Figures {
  toolUses: number;
  prompts: number;
  observe: number;
  summarize: number;
  tokensIn: number;
  tokensOut: number;
  observations: number;
  longest: number;
  breaks: Break[];
}

/** Prints a table for each strategy asked for. Exits with 1 when an observation broke a rule. */
export async function replayStrategies(root: string, names: readonly string[]): Promise<void> {
  const sessions: Session[] = [];
  for (const { path, session } of await readSessions(root))
    sessions.push(await withContexts((await captured(session)).session, path, root));
  console.log(
    "Tokens are estimates (4 characters a token); the scripted model writes one note for every six tool uses.",
  );
  console.log(
    "strategy    manner      prompts  tool uses  observe  summarize  requests/100 uses  tokens in  tokens out  notes  tokens/note  longest request",
  );
  for (const name of names) {
    const plugin = strategies[name];
    if (!plugin)
      throw new Error(
        `there is no strategy ${name}; there is ${Object.keys(strategies).join(", ")}`,
      );
    for (const [manner, config] of Object.entries(manners)) {
      const figures = await replay(plugin, config, sessions);
      print(name, manner, figures);
      for (const { rule, text } of figures.breaks.slice(0, 10))
        console.log(`  ${rule}: ${text.slice(0, 140)}`);
      if (figures.breaks.length > 0) process.exitCode = 1;
    }
  }
}

type Session = Awaited<ReturnType<typeof captured>>["session"];

async function replay(
  plugin: AnyPlugin,
  config: object,
  sessions: readonly Session[],
): Promise<Figures> {
  const figures: Figures = {
    toolUses: 0,
    prompts: 0,
    observe: 0,
    summarize: 0,
    tokensIn: 0,
    tokensOut: 0,
    observations: 0,
    longest: 0,
    breaks: [],
  };
  const complete = async (request: CompletionRequest): Promise<Completion> => {
    const content = request.messages.map((message) => message.content).join("\n");
    const input = estimateTokens(request.system + content);
    const text = answerTo(plugin.name, request, content);
    if (request.purpose === "observe") figures.observe++;
    else figures.summarize++;
    figures.longest = Math.max(figures.longest, input);
    figures.tokensIn += input;
    figures.tokensOut += estimateTokens(text);
    const usage = { input, output: estimateTokens(text), cacheRead: 0, cacheWrite: 0 };
    return { text, model: "scripted", usage, stopReason: "end" };
  };
  const { hooks } = await openRoom(plugin, {
    complete,
    config,
    storage: { observations: async () => [] },
  });
  for (const session of sessions) {
    const place = session.cwd === "" ? "/nowhere" : session.cwd;
    const own = {
      id: session.id,
      client: "claude-code",
      project: { id: place, name: place.split("/").at(-1) ?? "", root: place },
    };
    for (const prompt of session.prompts) {
      figures.prompts++;
      figures.toolUses += prompt.toolUses.length;
      const batch: ObservationBatch = {
        key: `${session.id}:${prompt.number}`,
        session: own,
        prompt: { number: prompt.number, text: prompt.text },
        toolUses: prompt.toolUses,
        lastAssistantMessage: prompt.lastAssistantMessage,
        agentMessages: prompt.agentMessages,
        waiting: false,
      };
      const given = prompt.toolUses.length > 0 ? await hooks.first("observe", batch) : undefined;
      figures.observations += given?.result.observations.length ?? 0;
      figures.breaks.push(...(given?.result.observations ?? []).flatMap(breaksOf));
      const input: SummaryInput = {
        key: batch.key,
        scope: "prompt",
        session: own,
        prompts: [
          {
            session: own.id,
            client: own.client,
            project: place,
            promptNumber: prompt.number,
            text: prompt.text,
            time: prompt.time,
          },
        ],
        toolUses: prompt.toolUses,
        observations: [],
        summaries: [],
        lastAssistantMessage: prompt.lastAssistantMessage,
      };
      await hooks.first("summarize", input);
    }
  }
  return figures;
}

/** A note for every sixth tool use that the request shows, of usual length; each names what it rests on. */
function answerTo(strategy: string, request: CompletionRequest, content: string): string {
  const form = forms[strategy];
  if (!form) return "";
  if (request.purpose !== "observe") return form.summary;
  const uses = (content.match(/^<use n="/gm) ?? []).length;
  const count = Math.max(1, Math.round(uses / 6));
  const words = content.match(/[a-z]{5,12}/g) ?? ["memory"];
  return Array.from({ length: count }, (_, i) => {
    const topic = (at: number) =>
      words[(i * 37 + at * 11 + content.length) % words.length] ?? "memory";
    const title = `The ${topic(1)} of ${topic(2)} and ${topic(3)}`;
    const fact = (at: number) =>
      `The part that is called ${topic(at)} reads ${topic(at + 1)} before it writes ${topic(at + 2)} (${at})`;
    return form.note(
      title,
      [fact(4), fact(7), fact(10), fact(13)],
      `How ${topic(5)} works in detail. `.repeat(24),
      [1 + ((i * 6) % uses)],
    );
  }).join("\n");
}

interface Form {
  note(title: string, facts: string[], narrative: string, uses: number[]): string;
  summary: string;
}

const forms: Readonly<Record<string, Form>> = {
  hybrid: {
    note: (title, facts, narrative, uses) =>
      `<observation><type>discovery</type><title>${title}</title><subtitle>What it means for later work on the project</subtitle><facts>${facts.map((fact) => `<fact>${fact}</fact>`).join("")}</facts><narrative>${narrative}</narrative><concepts><concept>architecture</concept><concept>data-flow</concept></concepts><uses>${uses.join(",")}</uses></observation>`,
    summary:
      "<summary><request>It was asked for</request><completed>It was done as it was asked for.</completed></summary>",
  },
  structured: {
    note: (title, facts, narrative, uses) =>
      JSON.stringify({
        observations: [
          {
            type: "discovery",
            title,
            subtitle: "What it means for later work on the project",
            facts,
            narrative,
            concepts: ["architecture", "data-flow"],
            files: [],
            uses,
          },
        ],
      }),
    summary: JSON.stringify({
      title: "",
      subtitle: "",
      request: "It was asked for",
      investigated: "",
      learned: "",
      completed: "It was done.",
      nextSteps: "",
      notes: "",
    }),
  },
  commands: {
    note: (title, facts, narrative, uses) =>
      `memoir store-memory --type discovery --title "${title}" --subtitle "What it means for later work on the project" --facts '${JSON.stringify(facts)}' --narrative "${narrative}" --concepts '["architecture","data-flow"]' --uses "${uses.join(",")}"`,
    summary: 'memoir store-overview --content "It was done as it was asked for."',
  },
};

function print(name: string, manner: string, figures: Figures): void {
  const { toolUses, prompts, observe, summarize, tokensIn, tokensOut, observations, longest } =
    figures;
  const cells = [
    prompts,
    toolUses,
    observe,
    summarize,
    ((observe / toolUses) * 100).toFixed(1),
    tokensIn,
    tokensOut,
    observations,
    Math.round((tokensIn + tokensOut) / Math.max(1, observations)),
    longest,
  ];
  const widths = [9, 11, 9, 11, 19, 11, 12, 7, 13, 17];
  console.log(
    name.padEnd(12) +
      manner.padEnd(10) +
      cells.map((cell, at) => String(cell).padStart(widths[at] ?? 10)).join(""),
  );
}

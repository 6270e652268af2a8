// Endless Mode at arrival: large results are made smaller before they enter the context, so the prompt cache is never touched.
import { type ClientEvents, definePlugin, memoirCommand, type Reply } from "../../src/sdk/index.ts";
import { createLearnt, type Learnt } from "../../src/strategy/index.ts";
import { isRecord, recordOf } from "../../src/text/index.ts";
import { decide, isReducible, kindOf, weight } from "./decide.ts";
import { isOwnCall } from "./own-call.ts";
import { type Policy, PolicySchema, threshold } from "./policy.ts";
import type { Arrived } from "./reducer.ts";
import { isMemorable, remember, rereadOf } from "./remember.ts";
import { createSeen, type SeenByAgent } from "./seen.ts";

interface State {
  /** How the agent's shell calls memoir. */
  command: string;
  seen: SeenByAgent;
  learnt: Learnt;
}

/** Tools that hand a prompt to another agent. */
const agents = new Set(["Task", "Agent"]);

type ToolUse = ClientEvents["PostToolUse"];

/** The tool use as reducers see it; undefined for an input that is no object. */
function arrivedFrom(event: ToolUse, input: unknown, response: unknown, command: string): Arrived {
  return {
    id: event.toolUseId,
    tool: event.toolName,
    input: recordOf(input),
    response,
    recall: `${command} recall ${event.toolUseId}`,
  };
}

export default definePlugin<Policy, State>({
  name: "live",
  description: "Makes large tool results smaller as they arrive; the whole stays one command away.",
  sdk: 1,
  slot: "endless-mode",
  config: PolicySchema,
  start: async (ctx) => ({
    command: await memoirCommand(ctx.home),
    seen: createSeen(),
    learnt: createLearnt(
      () => ctx.endless.figures(),
      () => ctx.now(),
    ),
  }),
  hooks: {
    SessionStart: (event, ctx) => ctx.state.seen.forget(event.session),
    PostCompact: (event, ctx) => ctx.state.seen.forget(event.session, event.agent?.id ?? ""),
    UserPromptSubmit: (event, ctx) => ctx.state.seen.addPrompt(event.session, event.prompt),
    PreToolUse: (event, ctx) => {
      const { session, toolName, toolInput } = event;
      if (!agents.has(toolName) || !isRecord(toolInput)) return;
      if (typeof toolInput.prompt === "string") ctx.state.seen.addPrompt(session, toolInput.prompt);
    },
    PostToolUseFailure: (event, ctx) => {
      const { session, agent, toolName, toolInput } = event;
      if (!isMemorable(toolName) || !isRecord(toolInput)) return;
      if (typeof toolInput.file_path === "string")
        ctx.state.seen.of(session, agent?.id).addFailure(toolInput.file_path);
    },
    PostToolUse: async (event, ctx): Promise<Reply | undefined> => {
      const { config, endless, state } = ctx;
      const { toolName: tool, toolUseId, session } = event;
      if (event.recovered) return undefined;
      const memorable = isMemorable(tool);
      const over = isReducible(tool, config) ? threshold(tool, config) : undefined;
      const large = over !== undefined && weight(event.toolResponse, over) > over;
      if (!memorable && !large) return undefined;
      const seen = state.seen.of(session, event.agent?.id);
      // A small read is told by the event itself, which spares the way to the original.
      const original = large
        ? await endless.original(toolUseId)
        : { input: event.toolInput, response: event.toolResponse };
      if (!original) return undefined;
      const arrived = arrivedFrom(event, original.input, original.response, state.command);
      const place = { session, ...(event.project && { project: event.project.id }) };

      const earlier = rereadOf(arrived, seen);
      if (earlier !== undefined)
        await endless.note({
          kind: "reread",
          ...place,
          tool,
          toolUseId: earlier,
          characters: weight(original.response, Number.POSITIVE_INFINITY),
        });

      const reduced = isOwnCall(arrived) ? undefined : decide(arrived, seen, config);
      const kind = reduced ? kindOf(reduced) : "";
      const loss = reduced && config.learn ? await state.learnt.loss(tool, kind) : undefined;
      if (reduced && loss !== undefined)
        await endless.note({ kind: "declined", ...place, tool, toolUseId, reason: loss });
      const kept =
        reduced !== undefined &&
        loss === undefined &&
        !ctx.signal.aborted &&
        (await endless.keep({
          ...place,
          ...(event.agent && { agent: event.agent.id }),
          toolUseId,
          tool,
          part: "output",
          value: original.response,
          before: reduced.before,
          after: reduced.after,
          kind,
        }));
      remember(arrived, kept ? reduced : undefined, seen);
      return kept ? { updatedToolOutput: reduced.response } : undefined;
    },
  },
});

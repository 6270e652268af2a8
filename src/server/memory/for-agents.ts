// Memory as agents are told of it: without what the user hid. For their tools, and for commands that they run in their shells.
import { withoutHidden } from "../../runtime/hooks/ask-storage.ts";
import type { Asked } from "./records.ts";

/** The runtime whose storage gives nothing hidden. */
export function forAgents<Runtime extends Asked>(runtime: Runtime): Runtime {
  const { first } = withoutHidden(runtime.hooks);
  return { ...runtime, hooks: { ...runtime.hooks, first } };
}

/** Whether an agent asks: `memoir` in its shell says for which session. */
export function isAgents(request: Request): boolean {
  return request.headers.has("memoir-session");
}

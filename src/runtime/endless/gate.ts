// Lets a strategy of Endless Mode see a hook's input only where it is switched on: one test for all strategies, built in or not.
import { field } from "../../text/values.ts";
import { chosenFor, type EndlessSwitch, isHeldOut } from "./switch.ts";

/** True when a strategy, by any of its names, may see this input. What belongs to no session, none may see. */
export type EndlessGate = (names: readonly string[], input: unknown) => boolean;

/** `projectOf` gives the project of a session whose input names none. */
export function createGate(
  config: EndlessSwitch,
  projectOf: (session: string) => string | undefined,
): EndlessGate {
  const anyProject = Object.keys(config.projects).length > 0;
  return (names, input) => {
    const session = sessionOf(input);
    if (session === undefined || isHeldOut(session, config.holdOut)) return false;
    // Looked up only where it can matter.
    const byProject = anyProject && !Object.hasOwn(config.sessions, session);
    const project = byProject ? (projectIn(input) ?? projectOf(session)) : undefined;
    const { strategies } = chosenFor(config, session, project);
    return strategies.some((strategy) => names.includes(strategy));
  };
}

// An input is a client event, a request or an answer of a model, a notice (they name session and project), or a batch of
// work, also inside an extraction (its session is an object).

function sessionOf(input: unknown): string | undefined {
  const session = field(work(input), "session");
  return text(session) ?? text(field(session, "id"));
}

function projectIn(input: unknown): string | undefined {
  const own = field(work(input), "project");
  const session = field(field(work(input), "session"), "project");
  return text(own) ?? text(field(own, "id")) ?? text(field(session, "id"));
}

function work(input: unknown): unknown {
  return field(input, "batch") ?? input;
}

function text(value: unknown): string | undefined {
  return typeof value === "string" && value !== "" ? value : undefined;
}

// Compiles a subscription's filter to one test of the input, so that an uninterested handler is never called.

import type { HookFilter } from "../../sdk/handlers.ts";
import { field } from "../../text/values.ts";

type Test = (input: unknown) => boolean;

/** A test of any hook's input, or undefined when the filter lets everything pass. `projects`: no others are let pass. */
export function compileFilter(
  filter: HookFilter | undefined,
  projects?: readonly string[],
): Test | undefined {
  const tests: Test[] = projects ? [oneOf(projects, projectNames)] : [];
  if (!filter && tests.length === 0) return undefined;
  if (filter?.event) tests.push(oneOf(filter.event, eventNames));
  if (filter?.tool) tests.push(anyMatches(filter.tool.map(namePattern), toolNames));
  if (filter?.client) tests.push(oneOf(filter.client, clientNames));
  if (filter?.project) tests.push(oneOf(filter.project, projectNames));
  if (tests.length === 0) return undefined;
  return (input) => tests.every((test) => test(input));
}

function oneOf(wanted: readonly string[], read: (input: unknown) => string[]): Test {
  const set = new Set(wanted);
  return (input) => read(input).some((name) => set.has(name));
}

function anyMatches(tests: Array<(name: string) => boolean>, read: (input: unknown) => string[]) {
  return (input: unknown) => read(input).some((name) => tests.some((test) => test(name)));
}

/** `mcp__*` matches any ending; anything else matches itself. */
function namePattern(pattern: string): (name: string) => boolean {
  if (!pattern.endsWith("*")) return (name) => name === pattern;
  const beginning = pattern.slice(0, -1);
  return (name) => name.startsWith(beginning);
}

// The readers below know the few shapes a hook's input has: a client event, a batch of work (also inside an
// extraction), a notice or query that names its project.

function strings(...values: unknown[]): string[] {
  return values.filter((value) => typeof value === "string");
}

function list(value: unknown): unknown[] {
  return Array.isArray(value) ? value : [];
}

function eventNames(input: unknown): string[] {
  return strings(field(input, "name"));
}

function toolNames(input: unknown): string[] {
  const work = field(input, "batch") ?? input;
  return strings(
    field(work, "toolName"),
    ...list(field(work, "toolCalls")).map((call) => field(call, "toolName")),
    ...list(field(work, "toolUses")).map((use) => field(use, "name")),
  );
}

function clientNames(input: unknown): string[] {
  const work = field(input, "batch") ?? input;
  return strings(field(work, "client"), field(field(work, "session"), "client"));
}

function projectNames(input: unknown): string[] {
  const work = field(input, "batch") ?? input;
  const own = field(work, "project");
  const session = field(field(work, "session"), "project");
  return strings(
    own,
    field(own, "id"),
    field(own, "name"),
    field(session, "id"),
    field(session, "name"),
  );
}

// Hooks without plugins: tests answer each hook themselves and read what was asked.
import type { Answer, Hooks } from "../../src/runtime/ports.ts";
import type { HookInput, HookName, HookOutput } from "../../src/sdk/hooks.ts";
import type { NewObservation, NewSummary, Records, SessionUpdate } from "../../src/sdk/model.ts";
import type { PutRequest, PutResult } from "../../src/sdk/storage.ts";

type Responder<Name extends HookName> = (
  input: HookInput<Name>,
) => HookOutput<Name> | undefined | Promise<HookOutput<Name> | undefined>;

/** One responder a hook; a hook without one has no subscriber. */
export type Responders = { [Name in HookName]?: Responder<Name> };

export interface FakeHooks extends Hooks {
  calls: Array<{ [Name in HookName]: { name: Name; input: HookInput<Name> } }[HookName]>;
  /** Inputs of one hook, in order. */
  inputs<Name extends HookName>(name: Name): Array<HookInput<Name>>;
  /** Replaces responders. */
  respond(responders: Responders): void;
}

/** Every answer comes from a plugin called `fake`, or from `storage` for storage hooks. */
export function fakeHooks(responders: Responders = {}, storage = "storage"): FakeHooks {
  const current: Responders = { ...responders };
  const calls: FakeHooks["calls"] = [];
  const plugin = (name: HookName) => (name.startsWith("storage.") ? storage : "fake");

  async function ask<Name extends HookName>(
    name: Name,
    input: HookInput<Name>,
  ): Promise<Answer<HookOutput<Name>> | undefined> {
    calls.push({ name, input } as (typeof calls)[number]);
    const result = await (current[name] as Responder<Name> | undefined)?.(input);
    return result === undefined ? undefined : { plugin: plugin(name), result };
  }

  return {
    calls,
    inputs: <Name extends HookName>(name: Name) =>
      calls.filter((call) => call.name === name).map((call) => call.input as HookInput<Name>),
    respond: (more) => Object.assign(current, more),
    parallel: async (name, input) => {
      await ask(name, input).catch(() => undefined);
    },
    sequence: async (name, input) => {
      const answer = await ask(name, input).catch(() => undefined);
      return answer ? [answer] : [];
    },
    reduce: async (name, input) => {
      const answer = await ask(name, input).catch(() => undefined);
      return { value: answer ? answer.result : (input as never), failed: [] };
    },
    first: ask,
    subscriptions: (name) =>
      (Object.keys(current) as HookName[])
        .filter((hook) => name === undefined || hook === name)
        .map((hook) => ({
          plugin: plugin(hook),
          hook,
          kind: "first",
          order: "normal",
          deadlineMs: 1,
          calls: 0,
          failures: 0,
          p50: null,
          p99: null,
        })),
  };
}

/** A storage that keeps what it is given in memory and knows its keys. */
export function memoryStorage() {
  const puts = new Map<string, PutResult>();
  const observations: Array<NewObservation & { id: string }> = [];
  const summaries: Array<NewSummary & { id: string }> = [];
  const prompts: Array<NonNullable<Records["prompts"]>[number] & { id: string }> = [];
  const turns: Array<NonNullable<Records["turns"]>[number] & { id: string }> = [];
  const sessions = new Map<string, SessionUpdate>();

  function put({ key, records }: PutRequest): PutResult {
    const known = puts.get(key);
    if (known) return { ...known, written: false };
    const add = <New>(
      kept: Array<New & { id: string }>,
      letter: string,
      added: readonly New[] = [],
    ) =>
      added.map((record) => {
        const id = `${letter}${kept.length + 1}`;
        kept.push({ ...record, id });
        return id;
      });
    const result: PutResult = {
      written: true,
      observations: add(observations, "o", records.observations),
      summaries: add(summaries, "s", records.summaries),
      turns: add(turns, "t", records.turns),
    };
    add(prompts, "p", records.prompts);
    for (const session of records.sessions ?? [])
      sessions.set(session.id, { ...sessions.get(session.id), ...session });
    puts.set(key, result);
    return result;
  }

  const page = <Kept extends { session: string }>(
    kept: readonly Kept[],
    query: { session?: string; limit?: number; offset?: number },
  ) =>
    kept
      .filter(({ session }) => session.startsWith(query.session ?? ""))
      .reverse()
      .slice(query.offset ?? 0, (query.offset ?? 0) + (query.limit ?? 50));

  const responders = {
    "storage.put": put,
    "storage.observations": (query) => page(observations, query),
    "storage.summaries": (query) => page(summaries, query),
    "storage.prompts": (query) => page(prompts, query),
    "storage.turns": (query) => page(turns, query),
  } satisfies Responders;
  return { puts, observations, summaries, prompts, turns, sessions, responders };
}

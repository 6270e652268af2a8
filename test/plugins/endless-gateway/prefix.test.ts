// Over long generated sessions: what went out once goes out again byte for byte, nothing is lost, and every request stays well-formed.
import { afterEach, describe, expect, test } from "bun:test";
import { stripContext } from "../../../src/privacy/marker.ts";
import { observation } from "../../support/records.ts";
import { type OpenStrategy, openStrategy } from "./open-strategy.ts";
import {
  type Block,
  type Body,
  type ClientOptions,
  type Message,
  randomFrom,
  simulatedClient,
} from "./simulated-client.ts";

const fetchTool = "mcp__memoir__get";
let strategy: OpenStrategy;
afterEach(() => strategy.stop());

const blocks = ({ content }: Message): Block[] =>
  typeof content === "string" ? [{ type: "text", text: content }] : content;
/** As the API sees it: the breakpoint is no part of what is cached. */
const plain = (message: Message): string =>
  JSON.stringify([message.role, blocks(message).map(({ cache_control: _, ...rest }) => rest)]);

interface Exchange {
  asked: Body;
  out: Body;
  /** Batches counted up to and with it. */
  batches: number;
}

interface Run extends ClientOptions {
  turns?: number;
  restartEvery?: number;
  forget?: boolean;
}

/** Drives a session, with usage that makes batches pay, and observations that arrive late. */
async function drive({
  turns = 40,
  restartEvery = 7,
  forget = false,
  ...options
}: Run): Promise<Exchange[]> {
  const client = simulatedClient(options);
  const random = randomFrom(options.seed + 1);
  const exchanges: Exchange[] = [];
  const waiting: string[] = [];
  let observed = 0;
  for (let turn = 0; turn < turns; turn++) {
    const { body } = client.next();
    const source = JSON.stringify(body);
    const out = await strategy.send(body as never);
    expect(JSON.stringify(body)).toBe(source);
    // A client that is told to try again sends the very same.
    if (random(5) === 0) expect(await strategy.send(structuredClone(body) as never)).toEqual(out);
    const batches = strategy.endless.notes.filter(({ kind }) => kind === "retired").length;
    exchanges.push({ asked: body, out: structuredClone(out) as Body, batches });
    waiting.push(...[...client.uses.keys()].slice(observed));
    observed = client.uses.size;
    while (waiting.length > 0 && random(3) > 0) {
      const use = waiting.shift() ?? "";
      const id = `o${use}`;
      strategy.observations.push(observation(id, { toolUseIds: [use], title: `About ${use}` }));
    }
    strategy.clock.now += random(20) === 0 ? 400_000 : 20_000;
    if (turn % restartEvery === restartEvery - 1) await strategy.restart(forget);
  }
  return exchanges;
}

/** Messages of the later request that differ from the earlier one's, up to the earlier one's last; undefined when the history is another. */
function broken(before: Exchange, after: Exchange): number | undefined {
  const same = before.asked.messages.every(
    (message, at) =>
      at === before.asked.messages.length - 1 ||
      plain(message) === plain(after.asked.messages[at] ?? message),
  );
  if (!same || after.asked.messages.length < before.asked.messages.length) return undefined;
  // The client's own last message may change; where it did not, what went out of it must not either.
  const end = before.asked.messages.length - 1;
  const isSame =
    plain(before.asked.messages[end] as Message) === plain(after.asked.messages[end] as Message);
  const known = isSame ? before.out.messages : before.out.messages.slice(0, -1);
  return known.filter(
    (message, at) => plain(message) !== plain(after.out.messages[at] ?? { role: "", content: "" }),
  ).length;
}

function breaks(exchanges: readonly Exchange[]): { unexplained: number; compared: number } {
  let unexplained = 0;
  let compared = 0;
  for (const [at, after] of exchanges.entries()) {
    const before = exchanges[at - 1];
    const count = before && broken(before, after);
    if (count === undefined) continue;
    compared += 1;
    if (count > 0 && after.batches === before?.batches) unexplained += 1;
  }
  return { unexplained, compared };
}

const kinds: Array<[name: string, options: Omit<ClientOptions, "seed">]> = [
  ["with memoir's tool", { fetchTool, notes: "system" }],
  ["without memoir's tool", { notes: "reminder" }],
  ["that thinks", { fetchTool, notes: "system", thinking: true }],
  ["that compacts and goes back", { fetchTool, notes: "reminder", edits: true }],
  [
    "with the tool of a plugin",
    { fetchTool: "mcp__plugin_memoir_memoir__get", edits: true, thinking: true },
  ],
];
const seeds = [1, 2, 3];

describe.each(kinds)("a session %s", (_name, options) => {
  test.each(seeds)(
    "keeps its prefix over restarts, loses nothing, stays well-formed (seed %i)",
    async (seed) => {
      strategy = await openStrategy();
      const exchanges = await drive({ seed, ...options });
      const { unexplained, compared } = breaks(exchanges);
      expect(unexplained).toBe(0);
      expect(compared).toBeGreaterThan(20);
      const { keeps } = strategy.endless;
      expect(keeps.some(({ part }) => part === "input")).toBe(true);
      const kept = new Map(keeps.map((keep) => [`${keep.toolUseId} ${keep.part}`, keep.value]));
      // Each holds what those before it held.
      for (const { asked, out } of exchanges.filter((_, at) => at % 5 === 4)) {
        const { messages: from, ...restFrom } = asked;
        const { messages: to, ...restTo } = out;
        expect(JSON.stringify(restTo)).toBe(JSON.stringify(restFrom));
        expect(to.filter(isOwn).length % 2).toBe(0);
        const own = to.filter((message) => !isOwn(message)).map(withoutOwnText);
        expect(own.length).toBe(from.length);
        for (const [at, message] of from.entries())
          compare(message, own[at], kept, {
            isLast: at > lastAssistant(from),
            isOpenTurn: at > lastPrompt(from),
          });
        wellFormed(to);
      }
    },
  );
});

const lastAssistant = (messages: Message[]) =>
  messages.findLastIndex(({ role }) => role === "assistant");
const lastPrompt = (messages: Message[]) =>
  messages.findLastIndex(
    (message) =>
      message.role === "user" && blocks(message).every(({ type }) => type !== "tool_result"),
  );

function isOwn(message: Message): boolean {
  return blocks(message).some(({ id, tool_use_id }) =>
    /^toolu_memoir_/.test(String(id ?? tool_use_id)),
  );
}

function withoutOwnText(message: Message): Message {
  return {
    ...message,
    content: blocks(message).filter(
      ({ type, text }) => type !== "text" || text === "" || stripContext(String(text)) !== "",
    ),
  };
}

/** Everything is as it was, or was kept; what the model is to answer is always as it was, and so is what stands beside thinking in the open turn. */
function compare(
  from: Message,
  to: Message | undefined,
  kept: Map<string, unknown>,
  { isLast, isOpenTurn }: { isLast: boolean; isOpenTurn: boolean },
): void {
  if (!to) throw new Error("a message is missing");
  expect(to.role).toBe(from.role);
  const [before, after] = [blocks(from), blocks(to)];
  expect(after.length).toBe(before.length);
  const signed = before.some(({ type }) => type === "thinking");
  for (const [at, block] of before.entries()) {
    const now = after[at] as Block;
    if (JSON.stringify(now) === JSON.stringify(block)) continue;
    expect(isLast || (signed && isOpenTurn)).toBe(false);
    expect(block.is_error).toBeUndefined();
    expect(Object.keys(now)).toEqual(Object.keys(block));
    expect(now.cache_control).toEqual(block.cache_control);
    if (block.type === "tool_use") {
      expect(kept.get(`${block.id} input`)).toEqual(block.input);
      expect(JSON.stringify(now.input)).toContain(`memoir recall ${block.id}]`);
    } else {
      expect(block.type).toBe("tool_result");
      expect(kept.get(`${block.tool_use_id} output`)).toEqual(block.content);
      expect(JSON.stringify(now.content)).toContain(`memoir recall ${block.tool_use_id}]`);
      expect(JSON.stringify(block.content)).not.toContain("image");
    }
  }
}

/** Every tool use is answered by the next message of the user, once, and no id stands twice. */
function wellFormed(messages: Message[]): void {
  const ids = messages.flatMap(blocks).flatMap(({ id }) => (typeof id === "string" ? [id] : []));
  expect(new Set(ids).size).toBe(ids.length);
  for (const [at, message] of messages.entries()) {
    const wanted = blocks(message).flatMap(({ type, id }) => (type === "tool_use" ? [id] : []));
    if (wanted.length === 0) continue;
    const next = messages[at + 1] as Message;
    expect(next.role).toBe("user");
    const given = blocks(next).flatMap(({ type, tool_use_id }) =>
      type === "tool_result" ? [tool_use_id] : [],
    );
    expect(given).toEqual(wanted);
    expect(
      blocks(next)
        .slice(0, given.length)
        .every(({ type }) => type === "tool_result"),
    ).toBe(true);
  }
}

test("batches leave, rarely, and each is counted with its sum", async () => {
  strategy = await openStrategy();
  await drive({ seed: 9, turns: 120, fetchTool });
  const retired = strategy.endless.notes.filter(({ kind }) => kind === "retired");
  expect(retired.length).toBeGreaterThan(0);
  expect(retired.length).toBeLessThan(12);
  for (const { reason, characters } of retired) {
    expect(reason).toMatch(/\d+ tokens/);
    expect(characters).toBeGreaterThan(16_000 - 1);
  }
});

test("observations are put in once each", async () => {
  strategy = await openStrategy();
  const exchanges = await drive({ seed: 11, fetchTool });
  const last = JSON.stringify(exchanges.at(-1)?.out);
  const told = [...last.matchAll(/\(bugfix, (\w+)\)/g)].map(([, id]) => id);
  expect(told.length).toBeGreaterThan(5);
  expect(new Set(told).size).toBe(told.length);
});

test("without what is on disk the prefix does not hold: the book is what holds it", async () => {
  strategy = await openStrategy();
  const { unexplained } = breaks(await drive({ seed: 1, fetchTool, forget: true }));
  expect(unexplained).toBeGreaterThan(0);
});

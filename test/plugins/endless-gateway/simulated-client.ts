// A client in a long session, by a seed: prompts, tool uses of all kinds, thinking, notes, failures, compaction, rewinding.

export interface Block {
  type: string;
  [key: string]: unknown;
}
export interface Message {
  role: string;
  content: string | Block[];
}
export type Body = Record<string, unknown> & { messages: Message[] };

/** A small generator of pseudo-random numbers (mulberry32); `random(n)` is a whole number below n. */
export function randomFrom(seed: number): (below: number) => number {
  let state = seed >>> 0;
  return (below) => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) % below;
  };
}

export interface SimulatedClient {
  /** The next request; `compacted` tells that its history begins anew. */
  next(): { body: Body; compacted: boolean };
  /** Ids of the tool uses so far, with what was said and answered. */
  uses: Map<string, { input: Record<string, unknown>; content: unknown }>;
}

export interface ClientOptions {
  seed: number;
  /** Whether the request offers memoir's fetch. */
  fetchTool?: string;
  /** Notes as system messages, or as reminders in the user's. */
  notes?: "system" | "reminder";
  thinking?: boolean;
  /** Whether it may compact and rewind. */
  edits?: boolean;
}

/** Begins with a prompt. */
export function simulatedClient(options: ClientOptions): SimulatedClient {
  const random = randomFrom(options.seed);
  const chance = (percent: number) => random(100) < percent;
  const words = (length: number) =>
    Array.from({ length: Math.ceil(length / 8) }, () =>
      random(36 ** 4)
        .toString(36)
        .padEnd(7, "ä"),
    ).join(" ");
  const uses: SimulatedClient["uses"] = new Map();
  let history: Message[] = [];
  let serial = 0;
  let started = false;

  const note = (): Message | undefined => {
    if (!chance(25)) return undefined;
    const text = `note ${words(80)}`;
    if (options.notes === "system") return { role: "system", content: text };
    return undefined;
  };
  const reminder = (): Block[] =>
    options.notes === "reminder" && chance(25)
      ? [{ type: "text", text: `<system-reminder>${words(60)}</system-reminder>` }]
      : [];
  const prompt = (): void => {
    const text = words(40 + random(400));
    history.push({ role: "user", content: chance(50) ? text : [{ type: "text", text }] });
    const added = note();
    if (added) history.push(added);
  };

  function step(): void {
    const thinks: Block[] =
      options.thinking && chance(50)
        ? [{ type: "thinking", thinking: words(200), signature: btoa(String(random(1e9))) }]
        : [];
    if (chance(12)) {
      history.push({ role: "assistant", content: [...thinks, { type: "text", text: words(100) }] });
      prompt();
      return;
    }
    const count = chance(25) ? 2 + random(2) : 1;
    const calls: Block[] = [];
    const results: Block[] = [];
    for (let at = 0; at < count; at++) {
      const id = `toolu_${options.seed}_${serial++}`;
      const large = chance(50);
      const input = large
        ? { file_path: `/p/${id}`, content: words(1_100 + random(6_000)) }
        : { command: words(20 + random(200)) };
      const text = words(chance(40) ? 3_000 + random(12_000) : random(600));
      const content: unknown = chance(10)
        ? [{ type: "image", source: { type: "base64", data: "AAAA" } }]
        : chance(50)
          ? text
          : [{ type: "text", text }];
      uses.set(id, { input, content });
      calls.push({ type: "tool_use", id, name: large ? "Write" : "Bash", input });
      results.push({
        tool_use_id: id,
        type: "tool_result",
        content,
        ...(chance(8) && { is_error: true }),
      });
    }
    const said: Block[] = chance(40) ? [{ type: "text", text: words(60) }] : [];
    history.push({ role: "assistant", content: [...thinks, ...said, ...calls] });
    history.push({ role: "user", content: [...results, ...reminder()] });
    const added = note();
    if (added) history.push(added);
  }

  return {
    uses,
    next() {
      let compacted = false;
      if (!started) prompt();
      else if (options.edits && chance(4)) {
        history = [{ role: "user", content: [{ type: "text", text: `Summary: ${words(500)}` }] }];
        compacted = true;
      } else if (options.edits && chance(5)) {
        // The person goes back to an earlier prompt and says something else.
        const cut = history.findLastIndex(
          ({ role, content }, at) =>
            at < history.length - 4 &&
            role === "user" &&
            (typeof content === "string" || content[0]?.type === "text"),
        );
        if (cut > 0) {
          history = history.slice(0, cut);
          prompt();
          compacted = true;
        } else step();
      } else step();
      started = true;
      return { body: bodyOf(structuredClone(history), options), compacted };
    },
  };
}

/** The breakpoint stands on the last block of the last message, and only there. */
function bodyOf(messages: Message[], { fetchTool, thinking }: ClientOptions): Body {
  const last = messages.at(-1);
  if (last) {
    const blocks =
      typeof last.content === "string" ? [{ type: "text", text: last.content }] : last.content;
    const end = blocks.at(-1);
    if (end) blocks[blocks.length - 1] = { ...end, cache_control: { type: "ephemeral" } };
    last.content = blocks;
  }
  return {
    model: "claude-x",
    max_tokens: 32_000,
    system: [{ type: "text", text: "You are an agent.", cache_control: { type: "ephemeral" } }],
    tools: [{ name: "Bash" }, ...(fetchTool === undefined ? [] : [{ name: fetchTool }])],
    ...(thinking && { thinking: { type: "adaptive" } }),
    messages,
    metadata: { user_id: "u" },
    stream: true,
  };
}

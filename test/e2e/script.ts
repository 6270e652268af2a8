// What the scripted model says: turns made of text, thinking and tool uses.

export type Block =
  | { type: "text"; text: string }
  | { type: "thinking"; thinking: string; signature: string }
  | { type: "tool_use"; id: string; name: string; input: Record<string, unknown> };

/** One answer of the model. */
export interface Turn {
  content: Block[];
  /** Runs after the client's request arrived and before it is answered: the place to kill or stop something in mid-session. */
  before?: () => Promise<void> | void;
  /** The API's answer is this error instead. */
  error?: { status: number; type: string };
}

/** A turn, or one that is made up when the client asks. */
export type Said = Turn | (() => Turn | Promise<Turn>);

const unique = () => crypto.randomUUID().replaceAll("-", "").slice(0, 22);

/** A tool use; its id is unique, as the real API's are. */
export function use(
  name: string,
  input: Record<string, unknown>,
): Extract<Block, { type: "tool_use" }> {
  return { type: "tool_use", id: `toolu_01${unique()}`, name, input };
}

/** Thinking before the answer. */
export function think(thinking: string): Block {
  return { type: "thinking", thinking, signature: btoa(thinking).repeat(2) };
}

/** A turn of text (strings) and blocks, in order. */
export function turn(...parts: Array<string | Block>): Turn {
  return {
    content: parts.map((part) => (typeof part === "string" ? { type: "text", text: part } : part)),
  };
}

/** The API fails for once, in its own form. */
export function failing(status: number, type: string): Turn {
  return { content: [], error: { status, type } };
}

/** The same turn with something done before the client gets it. */
export function after(before: () => Promise<void> | void, said: Said): Said {
  if (typeof said !== "function") return { ...said, before };
  return async () => {
    await before();
    return said();
  };
}

/** Ids of all tool uses in these turns; those that are made up later are not known. */
export function toolUseIds(turns: readonly Said[]): string[] {
  return turns
    .flatMap((said) => (typeof said === "function" ? [] : said.content))
    .flatMap((block) => (block.type === "tool_use" ? [block.id] : []));
}

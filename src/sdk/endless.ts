// Endless Mode as a strategy sees it: the whole original of what passes by, a place that keeps what is taken out, and the books.
import type { Settled, TokenUsage } from "./work.ts";

/** Which half of a tool use. */
export type ToolPart = "input" | "output";

/** A tool use as the client sent it, unshortened. */
export interface ToolOriginal {
  input: unknown;
  /** In the tool's own shape; a string or a content list where it comes from a request or a transcript. */
  response: unknown;
}

/** Something that is about to be taken out of a session's context. */
export interface KeepRequest {
  session: string;
  /** `Project.id`, where it is known. */
  project?: string;
  /** The subagent's id inside a subagent. */
  agent?: string;
  toolUseId: string;
  tool: string;
  part: ToolPart;
  /** What is taken out, whole: JSON. */
  value: unknown;
  /**
   * The other half of the tool use, where it is at hand: capture plugins may judge an output by the input that it came
   * from. Never kept.
   */
  otherHalf?: unknown;
  /** The text that the model would have read; its length is what the books count. */
  before: string;
  /** The text that stands there instead. */
  after: string;
  /** Of which kind it is, in the strategy's words: whether it pays is judged by kind, and anew for another one. */
  kind?: string;
}

/** What was kept, exactly as it was. */
export interface Kept {
  session: string;
  toolUseId: string;
  tool: string;
  part: ToolPart;
  value: unknown;
  /** Epoch ms. */
  keptAt: number;
}

/** What a strategy decided about a session and has to repeat to the byte, after a restart too; null as its value takes it back. */
export interface Decision {
  /** What it is about, in the strategy's words; the last one under a key counts. */
  key: string;
  value: unknown;
  /** It goes when this tool use is forgotten, or one of the records whose words it has (then also with anything of its session). */
  toolUseId?: string;
  records?: readonly string[];
}

/** What a strategy did, beyond keeping: one line in the books. */
export interface EndlessNote {
  /**
   * `injected`: text was put in. `waited`, `timed-out`: a tool use was waited for. `rewrote`: a transcript was
   * rewritten. `retired`: old results left a running session's requests. `reread`: the agent fetched again what had
   * been reduced; it counts in `ToolFigures` once the agent used it. `declined`: something was left whole although it was
   * large, `reason` says why. `ran`: a tool ran for `ms`. `unshared`: a session began without the cache that all users share.
   */
  kind:
    | "injected"
    | "waited"
    | "timed-out"
    | "rewrote"
    | "retired"
    | "reread"
    | "declined"
    | "ran"
    | "unshared";
  session: string;
  project?: string;
  /** The subagent's id inside a subagent. */
  agent?: string;
  tool?: string;
  toolUseId?: string;
  /** Characters put in (`injected`, `reread`) or taken out. */
  characters?: number;
  ms?: number;
  reason?: string;
}

/** How keeping out one `KeepRequest.kind` of a tool has paid so far; the kind is empty where none was named. */
export interface ToolFigures {
  tool: string;
  kind: string;
  reduced: number;
  charactersOut: number;
  /** How often an agent recalled it, or looked at the same again and then used what only that look showed. */
  fetchedBack: number;
  charactersBack: number;
  /** There are enough cases to say whether it `profits`: false once too much was fetched back; `why` says it with figures. */
  judged: boolean;
  profits: boolean;
  why: string;
}

/** What the host offers Endless Mode's strategies. Everything is booked under the plugin's name. */
export interface EndlessClient {
  /**
   * The tool use whose PostToolUse is being answered now, whole. Undefined for any other, and where capture plugins
   * (redaction, say) change any of it: such a thing is neither reduced nor kept.
   */
  original(toolUseId: string): Promise<ToolOriginal | undefined>;
  /**
   * Keeps what is taken out and books it. Resolves with true once it is on disk; with false when redaction would
   * change it or its tool use's id cannot stand in a shell's command, and then it must stay where it is. Keeping the
   * same again changes nothing.
   */
  keep(request: KeepRequest): Promise<boolean>;
  /** What was kept; undefined when nothing is there (any more). */
  kept(toolUseId: string, part: ToolPart): Promise<Kept | undefined>;
  note(note: EndlessNote): Promise<void>;
  /** Resolves with true once they are on disk: all, or none. They stay until the session is silent for `endless.keepDays`. */
  decide(session: string, decisions: readonly Decision[]): Promise<boolean>;
  /** What was decided about a session, or about these tool uses in any; the oldest first. Undefined where it cannot be read. */
  decided(of: { session: string } | { toolUseIds: string[] }): Promise<Decision[] | undefined>;
  /** How this strategy fares, by tool and kind, over the last 30 days: in the project where that says enough, else in all. */
  figures(project?: string): Promise<ToolFigures[]>;
  /** Has the tool use observed at once and waits for its end; undefined after `timeoutMs`. */
  settled(toolUseId: string, timeoutMs: number): Promise<Settled | undefined>;
}

/** Slot `endless-mode`: a client's request to its model, on its way through the gateway. `project` is a `Project.id`. */
export interface ModelRequest {
  client: string;
  session: string;
  /** The subagent's id inside a subagent. */
  agent?: string;
  project?: string;
  /** The body of the Messages API as the client sent it. What a strategy does not change must stay as it is, key by key. */
  body: Readonly<Record<string, unknown>>;
  /** The API refused a shortened request of another session in the last 30 days: what it may not take is better left whole. */
  wasRefused?: true;
}

/** Notified after a model's answer went through the gateway. */
export interface ModelResponse extends Omit<ModelRequest, "body" | "wasRefused"> {
  model: string;
  status: number;
  /** The API refused what strategies had made of the request, and took it as the client wrote it: this is that answer. */
  refused?: true;
  /** Absent when the answer had none. */
  usage?: TokenUsage;
  /** From the request's arrival to the answer's first byte. */
  firstByteMs: number;
}

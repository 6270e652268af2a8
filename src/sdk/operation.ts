// What a plugin brings beside its slot and hooks: operations, which are commands, routes and tools at once; raw routes; panels of the page.
import type { GenericSchema } from "valibot";
import type { PluginContext } from "./context.ts";

/** One value that an operation takes. A query string, a command line and an agent's JSON each have their own form of it. */
export interface Input {
  /** What it is for, without a full stop: for the help and the API document. */
  says: string;
  /**
   * A text where nothing is said; `filled` is one that is not empty, a `phrasing` a long one, `count` a whole number from 1 on, `time`
   * epoch ms (people write `2h`, `yesterday`, an ISO date), `stdin` a text that a command reads from its stdin.
   */
  is?: "filled" | "phrasing" | "count" | "time" | "switch" | "stdin";
  /** The highest count. */
  most?: number;
  choices?: readonly string[];
  /** Several of the choices, or several phrasings. */
  many?: true;
  /** A plugin's operation is refused without it. */
  required?: true;
  /** A command takes it as a word behind its name, in the order of `takes`, not as an option. */
  isWord?: true;
  /** How its option is typed; a plugin's is `--<name>` where nothing is said. */
  typed?: string;
  /** What it is where it is not given. */
  default?: string | number;
}

/** What a route or a command gets of it. */
export type ValueOf<One> = One extends { is: "time" | "count" }
  ? number
  : One extends { is: "switch" }
    ? boolean
    : One extends { choices: ReadonlyArray<infer Word> }
      ? One extends { many: true }
        ? Word[]
        : Word
      : One extends { many: true }
        ? string[]
        : string;

/** By their names in a request. */
export type Inputs = Readonly<Record<string, Input>>;

/** What `run` is given: what is required or has a default is there. */
export type ValuesOf<Takes> = {
  [Name in keyof Takes as Takes[Name] extends { required: true } | { default: unknown }
    ? Name
    : never]: ValueOf<Takes[Name]>;
} & {
  [Name in keyof Takes as Takes[Name] extends { required: true } | { default: unknown }
    ? never
    : Name]?: ValueOf<Takes[Name]>;
};

/** The doors through which an operation is called. */
export type Door = "command" | "route" | "tool" | "panel";

/** Who calls an operation, as far as that is known. */
export interface OperationCaller {
  door: Door;
  /** The folder that it is called in, absolute. */
  cwd?: string;
  /** The agent's session, as its client calls it. */
  session?: string;
}

/** What an operation, a route and a panel are given. */
export type CallContext<Config = unknown, State = unknown> = PluginContext<Config> & {
  /** What the plugin's `start` returned. */
  state: State;
  /** Aborted when the call's deadline has passed. */
  signal: AbortSignal;
};

/** Something that people, programs and agents may ask of a plugin, declared once. */
export interface Operation<Takes = Inputs, Config = unknown, State = unknown> {
  /** From a verb on, in less than 60 characters; for an agent's tool, when to use it. */
  does: string;
  /** What its command's help says beside that. */
  more?: string;
  /** How it is typed, without `$`, for the help; made from what it takes where there are none. */
  examples?: readonly string[];
  takes?: Takes;
  /**
   * `command`: `memoir <plugin> <operation>`; `route`: `/plugins/<plugin>/<operation>`; `tool`: an agent's tool
   * `<plugin>_<operation>`; `panel`: the plugin's own panels may ask it.
   */
  for: readonly Door[];
  /** It adds or deletes something: its route is a POST, and an agent's client may ask the user first. */
  changes?: "adds" | "deletes";
  /** What it answers, for the API document; `memoir plugin test` checks it. */
  answers?: GenericSchema;
  /** Milliseconds that one call may take; 30,000 by default. */
  deadlineMs?: number;
  /**
   * Gives a cloneable value: JSON to a route, a panel and `--json`. A command and a tool show its `text` where it has one. Throw a
   * `MemoirError("usage", …)` for what the caller did wrong.
   */
  run(
    input: ValuesOf<Takes>,
    ctx: CallContext<Config, State> & { caller: OperationCaller },
  ): unknown;
}

/** Types an operation as it is written, its input by what it takes; returns it unchanged. */
export function operation<const Takes extends Inputs>(declared: Loose<Takes>): Loose<Takes> {
  return declared;
}

// biome-ignore lint/suspicious/noExplicitAny: config and state are the plugin's, around which the operation is not typed yet
type Loose<Takes> = Operation<Takes, any, any>;

/** A view in memoir's page: a document in a sandboxed frame. It asks the plugin's operations with `await memoir.ask(name, input)`. */
export interface Panel<Config = unknown, State = unknown> {
  title: string;
  /** The document, or what gives it: HTML with its own `<style>` and `<script>`; it loads nothing from elsewhere. */
  html: string | ((ctx: CallContext<Config, State>) => string | Promise<string>);
  /** Default 10,000. */
  deadlineMs?: number;
}

/** Answers a request below `/plugins/<name>/` that no operation answers; its body may be a stream. */
export type Routes<Config = unknown, State = unknown> = (
  request: Request,
  ctx: CallContext<Config, State>,
) => Response | Promise<Response>;

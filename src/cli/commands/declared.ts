// How a command is declared: as plain data, from which the command line, its help and the shells' completions come; and the types of what its work gets.
import type { Input, Inputs } from "../../sdk/operation.ts";

/** What an option is for, and what else there is to it. A switch has no value. */
export interface OptionData extends Input {
  required?: true;
  hidden?: true;
  /** Names of options that it cannot be typed with. */
  conflicts?: readonly string[];
}

/** Words behind a command: `<id>`, `[id]`, `<id...>` or `[id...]`, what they are, and which there are. */
type ArgumentData = readonly [
  usage: string,
  says: string,
  more?: { default?: string; choices?: readonly string[] },
];

/** What does a command's work: a function of its arguments, its options and the terminal that gives the exit code. */
type Work = (...given: never[]) => Promise<number>;
/** Loads it when the command is called: no command loads another's code. */
export type Loading = Promise<Work>;

/** One command. Every command takes `--json`; it is named only where it means something else than print JSON. */
export interface CommandData {
  /** From a verb on, in less than 60 characters. */
  does: string;
  load(): Loading;
  args?: readonly ArgumentData[];
  /** What its operation takes, by the names of a request: an option for each that says how it is typed. */
  takes?: Inputs;
  /** Its own options, by how they are typed: `-n, --limit <count>`. A text alone says what one is for. */
  options?: Readonly<Record<string, string | OptionData>>;
  /** What its help says beside that. */
  more?: string;
  /** Without `$`; the first word is `memoir`, or what is piped into it. */
  examples: readonly string[];
}

/** Commands below a word of their own. */
export interface TopicData {
  does: string;
  examples: readonly string[];
  /** What the word alone means. */
  usually: string;
  commands: Readonly<Record<string, CommandData | TopicData>>;
}

/** Commands and topics by name. */
export type Declared = Readonly<Record<string, CommandData | TopicData>>;

export function isTopic(data: CommandData | TopicData): data is TopicData {
  return "commands" in data;
}

/** All options of a command, by how they are typed: of what it takes, and its own. */
export function optionsOf({ takes = {}, options }: CommandData) {
  const typed = Object.values(takes).flatMap(
    (one): Array<[string, OptionData]> => (one.typed === undefined ? [] : [[one.typed, one]]),
  );
  return { ...Object.fromEntries(typed), ...options };
}

/** The name under which a command gets an option's value, by how it is typed. */
export function attributeOf(typed: string): string {
  const [, long = ""] = /--([\w-]+)/.exec(typed) ?? [];
  return camel(long);
}

/** `next-steps` → `nextSteps`. */
export function camel(words: string): string {
  return words.replace(/-(\w)/g, (_, letter: string) => letter.toUpperCase());
}

type Long<Typed> = Typed extends `${string}--${infer Rest}` ? Rest : never;
type Camel<Name> = Name extends `${infer First}-${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Name;
/** `-n, --limit <count>` gives `limit`, `--no-allow-tools` gives `allowTools`. */
type NameOf<Typed> =
  Long<Typed> extends `no-${infer Rest}`
    ? Camel<Rest>
    : Camel<Long<Typed> extends `${infer Name} ${string}` ? Name : Long<Typed>>;
type Single<Typed, Option> = Option extends { most: number }
  ? number
  : Option extends { choices: ReadonlyArray<infer One> }
    ? One
    : Typed extends `${string}[${string}`
      ? string | true
      : Typed extends `${string}<${string}`
        ? string
        : boolean;
type Value<Typed, Option> = Option extends { many: true }
  ? Array<Single<Typed, Option>>
  : Single<Typed, Option>;
type IsSure<Option> = Option extends { default: unknown } | { required: true } ? true : false;

type Typed<Takes> = {
  [Name in keyof Takes as Takes[Name] extends { typed: infer Typed extends string }
    ? Typed
    : never]: Takes[Name];
};
type Values<Options> = {
  -readonly [Typed in keyof Options as IsSure<Options[Typed]> extends true
    ? NameOf<Typed>
    : never]: Value<Typed, Options[Typed]>;
} & {
  -readonly [Typed in keyof Options as IsSure<Options[Typed]> extends true
    ? never
    : NameOf<Typed>]?: Value<Typed, Options[Typed]>;
};

/** The options that a command's work gets. */
export type OptionsOf<Command> = { json?: boolean } & (Command extends { takes: infer Takes }
  ? Values<Typed<Takes>>
  : unknown) &
  (Command extends { options: infer Options } ? Values<Options> : unknown);

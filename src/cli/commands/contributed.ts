// Commands that plugins bring, memoir's own features among them.
import { Buffer } from "node:buffer";
import process from "node:process";
import type { Feature, OwnOperation } from "../../features/feature.ts";
import type { Announced, AnnouncedOperation } from "../../runtime/plugins/announced.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { Input } from "../../sdk/operation.ts";
import { field } from "../../text/text.ts";
import { printable } from "../terminal/layout.ts";
import type { Terminal } from "../terminal/terminal.ts";
import {
  attributeOf,
  type CommandData,
  type Declared,
  isTopic,
  type OptionData,
  type TopicData,
} from "./declared.ts";

/** The commands of a feature below its name; none where each stands by itself. */
export function topicOf({ name, topic, topics = {}, operations }: Feature): Declared {
  if (!topic) return {};
  const commands: Record<string, CommandData | TopicData> = {};
  for (const [words, one] of Object.entries(operations)) {
    if (!isCommand(one) || one.isAlone) continue;
    const [word = "", ...rest] = words.split("-");
    const below = topics[word];
    const inner = commands[word];
    if (below)
      commands[word] = {
        ...below,
        commands: { ...(inner && isTopic(inner) && inner.commands), [rest.join("-")]: one },
      };
    else commands[words] = one;
  }
  return { [name]: { ...topic, commands } };
}

/** Those of its commands that stand by themselves. */
export function aloneOf({ operations }: Feature): Declared {
  const all: Record<string, CommandData> = {};
  for (const [name, one] of Object.entries(operations))
    if (isCommand(one) && one.isAlone) all[name] = one;
  return all;
}

const isCommand = (one: OwnOperation): one is OwnOperation & CommandData => one.load !== undefined;

/** `memoir <plugin> <operation>` for each of them; a plugin that is called as a command of memoir's own brings none. */
export function pluginTopics({ plugins, operations }: Announced, own: Declared): Declared {
  const topics = Object.entries(plugins).flatMap(([plugin, description]) => {
    const brought = operations.filter((one) => one.plugin === plugin);
    const [first] = brought;
    if (!first || Object.hasOwn(own, plugin)) return [];
    const topic: TopicData = {
      does: printable(description).replace(/\.$/, ""),
      usually: first.name,
      examples: [`memoir ${plugin} ${first.name}`],
      commands: Object.fromEntries(brought.map((one) => [one.name, commandOf(one)])),
    };
    return [[plugin, topic] as const];
  });
  return Object.fromEntries(topics);
}

/** Why a plugin's operations are no commands; undefined where they are. */
export function commandClash(plugin: string, own: Declared): string | undefined {
  return Object.hasOwn(own, plugin)
    ? `\`memoir ${plugin}\` is a command of memoir's own; give the plugin another name`
    : undefined;
}

function commandOf(operation: AnnouncedOperation): CommandData {
  const { plugin, name, does, takes, more, examples } = operation;
  const inputs = Object.entries(takes).filter(([, { is }]) => is !== "stdin");
  const words = inputs.filter(([, { isWord }]) => isWord);
  const options = inputs.filter(([, { isWord }]) => !isWord);
  return {
    does: printable(does).replace(/\.$/, ""),
    load: async () =>
      ((...given: unknown[]) => callOperation(operation, words, options, given)) as never,
    args: words.map(([input, { says, required, many, choices, default: otherwise }]) => {
      const usage = `${dashed(input)}${many ? "..." : ""}`;
      const more = {
        ...(choices && { choices }),
        ...(otherwise !== undefined && { default: String(otherwise) }),
      };
      return [required ? `<${usage}>` : `[${usage}]`, printable(says), more] as const;
    }),
    options: Object.fromEntries(options.map((one) => [typedAs(one), optionOf(one[1])])),
    ...(more && { more: printable(more) }),
    examples: examples?.map((one) => printable(one)) ?? [
      ["memoir", plugin, name, ...words.map(([input]) => `<${dashed(input)}>`)].join(" "),
    ],
  };
}

const dashed = (name: string) =>
  name
    .replace(/_/g, "-")
    .replace(/(?<=.)[A-Z]/g, (letter) => `-${letter}`)
    .toLowerCase();

function typedAs([name, { is, typed }]: readonly [string, Input]): string {
  return typed ?? `--${dashed(name)}${is === "switch" ? "" : ` <${dashed(name)}>`}`;
}

function optionOf({ says, required, typed: _typed, isWord: _isWord, ...rest }: Input): OptionData {
  return { ...rest, says: printable(says), ...(required && { required: true }) };
}

/** Asks the server, and prints what it answers: its `text`, or JSON. */
async function callOperation(
  { plugin, name, takes, deadlineMs }: AnnouncedOperation,
  words: ReadonlyArray<readonly [string, Input]>,
  options: ReadonlyArray<readonly [string, Input]>,
  given: unknown[],
): Promise<number> {
  const terminal = given.at(-1) as Terminal;
  const chosen = given.at(-2) as Record<string, unknown>;
  const input: Record<string, unknown> = {};
  for (const [at, [key]] of words.entries()) input[key] = given[at];
  for (const one of options) input[one[0]] = chosen[attributeOf(typedAs(one))];
  for (const [key, { is }] of Object.entries(takes))
    if (is === "stdin" && !process.stdin.isTTY) input[key] = await readStdin();
  const { askPlugin } = await import("../server/client.ts");
  const answer = await askPlugin(plugin, name, input, { cwd: terminal.cwd, deadlineMs });
  terminal.print(chosen.json ? JSON.stringify(answer) : textOf(answer));
  return 0;
}

/** What people read of an answer. */
function textOf(answer: unknown): string {
  const text = field(answer, "text") ?? answer;
  return printable(typeof text === "string" ? text : JSON.stringify(text, null, 2));
}

const mostStdin = 8 * 1024 * 1024;

async function readStdin(): Promise<string> {
  const parts: Uint8Array[] = [];
  let bytes = 0;
  for await (const part of process.stdin) {
    bytes += part.length;
    if (bytes > mostStdin)
      throw new MemoirError("payload_too_large", `stdin holds more than ${mostStdin} bytes.`);
    parts.push(part);
  }
  return Buffer.concat(parts).toString("utf8");
}

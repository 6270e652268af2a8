// memoir's own features are plugins: their operations are declared as every plugin's are, found by the same collection, and gone when the plugin is switched off. Beside that, each of their doors has a name and a form of its own: a command does its work itself, routes and tools stand in src/server and say whose they are.
import type { CommandData, TopicData } from "../cli/commands/declared.ts";
import { atDoor } from "../runtime/own-operation.ts";
import type { Input, Operation } from "../sdk/operation.ts";
import type { Plugin } from "../sdk/plugin.ts";

/** One input of memoir's own operations. */
export interface OwnInput extends Input {
  /** What an agent is told of it, as shortly as may be; its tool does not take it where nothing stands here. */
  agents?: string;
  /** How it narrows a question, in words before its value: `in project`. */
  narrows?: string;
}

/** An operation of memoir's own that is a command: its inputs that can be typed are options. */
export type OwnCommand = CommandData & { takes?: Readonly<Record<string, OwnInput>> };

/** One of a feature. `load` and what goes with it is its command. */
export type OwnOperation = Pick<Operation, "does" | "for"> &
  Partial<OwnCommand> & {
    /** Its command stands by itself: `memoir recall`, not `memoir endless recall`. */
    isAlone?: true;
  };

type Topic = Omit<TopicData, "commands">;

interface Declared {
  name: string;
  description: string;
  /** What its commands are listed under. */
  topic?: Topic;
  /** Words below it: `gateway` makes `gateway-on` the command `gateway on`. */
  topics?: Readonly<Record<string, Topic>>;
  operations: Readonly<Record<string, OwnOperation>>;
}

/** A feature as its doors know it, and as a plugin. */
export interface Feature extends Declared {
  plugin: Plugin;
}

/** Declares one. */
export function feature<const Of extends Declared>(declared: Of): Of & Pick<Feature, "plugin"> {
  const { name, description } = declared;
  const operations = Object.fromEntries(
    Object.entries(declared.operations).map(([one, { does, for: doors }]) => [
      one,
      { does, for: doors, run: atDoor },
    ]),
  );
  return { ...declared, plugin: { name, description, sdk: 1, hooks: {}, operations } };
}

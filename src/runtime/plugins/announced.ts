// What commands have to know of plugins without asking a server or loading one: their operations for the command line, and which plugins and features of its own are off. The server writes it when other plugins are in force, and so does a command that changes them while none runs.
import { mkdir } from "node:fs/promises";
import type { Paths } from "../../home/paths.ts";
import { atomicWrite, readFileText } from "../../home/read-file.ts";
import type { Inputs } from "../../sdk/operation.ts";
import { builtInListeners } from "../builtins.ts";
import type { Contribution, PluginInfo } from "../status-schema.ts";

/** One operation as a command. */
export interface AnnouncedOperation {
  plugin: string;
  name: string;
  does: string;
  more?: string;
  examples?: readonly string[];
  takes: Inputs;
  deadlineMs: number;
}

export interface Announced {
  /** Plugin → its description; those that bring a command. */
  plugins: Readonly<Record<string, string>>;
  operations: readonly AnnouncedOperation[];
  /** Plugins that are switched off and may bring commands. */
  off: readonly string[];
}

const nothing: Announced = { plugins: {}, operations: [], off: [] };
/** Change it when the shape of the file changes. */
const format = 1;
const fileOf = ({ cache }: Pick<Paths, "cache">) => `${cache}/commands.json`;

/** What was written last; nothing where that cannot be read. Never rejects. */
export async function readAnnounced(paths: Pick<Paths, "cache">): Promise<Announced> {
  try {
    const read = JSON.parse(await readFileText(fileOf(paths)));
    return read.format === format ? read : nothing;
  } catch {
    return nothing;
  }
}

/** Writes it down; a home that cannot be written keeps what it has. */
export async function writeAnnounced(
  paths: Pick<Paths, "cache">,
  plugins: readonly PluginInfo[],
  contributions: readonly Contribution[],
): Promise<Announced> {
  const operations = contributions.flatMap(
    ({ kind, plugin, name = "", does = "", takes = {}, deadlineMs, more, examples, ...one }) =>
      kind === "operations" && one.for?.includes("command") && !one.refused
        ? [
            {
              ...{ plugin, name, does, takes, deadlineMs },
              ...(more && { more }),
              ...(examples && { examples }),
            },
          ]
        : [],
  );
  const announced: Announced = {
    plugins: Object.fromEntries(
      plugins
        .filter(({ name }) => operations.some(({ plugin }) => plugin === name))
        .map(({ name, description }) => [name, description]),
    ),
    operations,
    off: plugins
      .filter(({ state }) => state === "disabled")
      .filter(({ name, origin }) => origin !== "built-in" || builtInListeners.includes(name))
      .map(({ name }) => name),
  };
  try {
    await mkdir(paths.cache, { recursive: true, mode: 0o700 });
    await atomicWrite(fileOf(paths), JSON.stringify({ format, ...announced }));
  } catch {
    // The commands of plugins are not in the help then, and nothing else.
  }
  return announced;
}

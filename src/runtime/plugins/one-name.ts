// May two plugins have one name? Only those of projects that have nothing to do with each other.
import { MemoirError } from "../../sdk/errors.ts";

/** A plugin that is there already, or is to come. */
export interface Named {
  name: string;
  /** Where its module is, or what config calls it. */
  reference: string;
  /** It is called for these projects only; absent: for all. */
  projects?: readonly string[] | undefined;
}

/** Throws `plugin_invalid` when another plugin that the same projects would call has this name. */
export function refuseSecond(plugin: Named, there: readonly Named[]): void {
  const other = there.find((one) => one.name === plugin.name && !areApart(one, plugin));
  if (!other) return;
  const isProjects = plugin.projects !== undefined && other.projects === undefined;
  throw new MemoirError(
    "plugin_invalid",
    isProjects
      ? `one of your own plugins is called ${plugin.name} too: ${other.reference}`
      : `two plugins are called ${plugin.name}: ${other.reference} and ${plugin.reference}`,
    { fix: "Give one of them another `name`, or name only one of them in config." },
  );
}

function areApart({ projects: a }: Named, { projects: b }: Named): boolean {
  return a !== undefined && b !== undefined && !a.some((project) => b.includes(project));
}

/** Yours before those of projects, which never take a name from you; else in their order. */
export function ownFirst<Plugin extends Pick<Named, "projects">>(
  plugins: readonly Plugin[],
): Plugin[] {
  const isOwn = ({ projects }: Plugin) => projects === undefined;
  return [...plugins.filter(isOwn), ...plugins.filter((one) => !isOwn(one))];
}

// Puts plugin files that appear, change or go in force by itself, and says so.
import type { Log } from "../../home/log.ts";
import type { Generations } from "./generations.ts";
import { type PluginWatch, type WatchTimes, watchPlugins } from "./watch.ts";

/** Watches what plugins in force are made of; `heard` is called after each change is in force. */
export function watchInForce(
  plugins: Generations,
  heard: () => Promise<void>,
  { log, ...times }: { log: Log } & WatchTimes,
): Promise<PluginWatch> {
  return watchPlugins({
    ...times,
    roots: plugins.roots,
    async changed() {
      log.info("plugin files changed");
      await plugins.reloadFiles();
      await heard();
    },
    failed: (error) => log.error("plugin files were not looked at", { error }),
    restless: (path) =>
      log.warn(
        "plugin files change all the time: changes wait. A plugin keeps its own files elsewhere, below `ctx.home`",
        { path },
      ),
  });
}

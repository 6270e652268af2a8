// Says to which project an event belongs: git remote, else git root, else working directory.
import { homedir } from "node:os";
import { isAbsolute, sep } from "node:path";
import * as v from "valibot";
import { type ClientEvent, definePlugin, type Project } from "../../src/sdk/index.ts";
import { createProjectCache, type ProjectCache } from "./cache.ts";
import { projectOf } from "./locate.ts";

const ConfigSchema = v.strictObject({
  map: v.optional(
    v.pipe(
      v.record(
        v.pipe(v.string(), v.nonEmpty()),
        v.pipe(v.string(), v.nonEmpty(), v.description("Id of the project.")),
      ),
      v.description(
        "Directories (absolute, or beginning with ~/) and the project that everything below them belongs to; the longest match wins.",
      ),
    ),
    {},
  ),
});
type Config = v.InferOutput<typeof ConfigSchema>;

/** The longest mapped directory that holds `cwd`, and the project id it was given. */
export function mappedProject(
  map: Readonly<Record<string, string>>,
  cwd: string,
  home: string,
): { prefix: string; id: string } | undefined {
  let best: { prefix: string; id: string } | undefined;
  for (const [written, id] of Object.entries(map)) {
    const prefix = written.replace(/^~(?=$|[\\/])/, home).replace(/[\\/]+$/, "");
    const inside = cwd === prefix || cwd.startsWith(prefix + sep);
    if (inside && prefix.length >= (best?.prefix.length ?? 0)) best = { prefix, id };
  }
  return best;
}

async function identify(cwd: string, config: Config, cache: ProjectCache): Promise<Project> {
  const found = await cache.find(cwd);
  const mapped = mappedProject(config.map, cwd, homedir());
  return mapped ? projectOf(mapped.id, found.root, found.branch) : found;
}

export default definePlugin<Config, ProjectCache>({
  name: "capture-project",
  description: "Names the project of every event: git remote, else git root, else directory.",
  sdk: 1,
  slot: "capture",
  config: ConfigSchema,
  start: (ctx) => createProjectCache(() => ctx.now()),
  hooks: {
    capture: async (event, ctx): Promise<ClientEvent | undefined> => {
      if (event.project || !isAbsolute(event.cwd)) return undefined;
      return { ...event, project: await identify(event.cwd, ctx.config, ctx.state) };
    },
  },
});

// A hub that is a folder: a network disk, or one that a sync program carries. Each batch is a file of its own that is never
// written again; such a program may bring files in any order, half a set, or copies under names of its own.
import { join } from "node:path";
import * as v from "valibot";
import { definePlugin, MemoirError } from "../../src/sdk/index.ts";
import { type Folder, openFolder } from "./folder.ts";

const ConfigSchema = v.strictObject({
  folder: v.optional(
    v.pipe(v.string(), v.description("The folder, absolute; `memoir sync init <folder>` sets it.")),
  ),
});

export default definePlugin<v.InferOutput<typeof ConfigSchema>, Folder>({
  name: "hub-folder",
  description: "Shares memory through a folder that something else carries, sealed.",
  sdk: 1,
  slot: "hub",
  config: ConfigSchema,
  start(ctx) {
    const { folder } = ctx.config;
    if (!folder)
      throw new MemoirError("config_invalid", "hub-folder has no folder.", {
        fix: "Run `memoir sync init <folder>`.",
      });
    return openFolder(join(folder, "memoir-hub"));
  },
  hooks: {
    "hub.push": (batch, { state }) => state.push(batch),
    "hub.pull": (asked, { state }) => state.pull(asked),
    "hub.write": (file, { state }) => state.write(file),
    "hub.files": (asked, { state }) => state.files(asked),
    "hub.remove": (asked, { state }) => state.remove(asked),
    "hub.wait": {
      deadlineMs: 60_000,
      handler: (asked, ctx) => ctx.state.wait(asked, ctx.signal),
    },
    "hub.health": (asked, { state }) => state.health(asked),
  },
});

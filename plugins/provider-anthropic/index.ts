// Asks Claude through Anthropic's Messages API.
import { definePlugin } from "../../src/sdk/index.ts";
import { type Config, ConfigSchema } from "./config.ts";

export default definePlugin<Config>({
  name: "anthropic",
  description: "Asks Claude through Anthropic's API, with a key of yours.",
  sdk: 1,
  slot: "provider",
  config: ConfigSchema,
  hooks: {
    // The library behind it is loaded with the first call.
    complete: async (request, ctx) => (await import("./complete.ts")).complete(request, ctx),
  },
});

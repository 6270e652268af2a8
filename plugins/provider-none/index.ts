// The provider of a home without one: says so to whoever asks for a model.
import { definePlugin, MemoirError } from "../../src/sdk/index.ts";

export default definePlugin({
  name: "none",
  description: "Asks no model; everything works without one.",
  sdk: 1,
  slot: "provider",
  hooks: {
    complete: () => {
      throw new MemoirError("provider_none", "no model provider is set");
    },
  },
});

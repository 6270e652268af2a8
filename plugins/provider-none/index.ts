// The provider of a home without one: says so to whoever asks for a model.
import { definePlugin, MemoirError } from "../../src/sdk/index.ts";

export default definePlugin({
  name: "none",
  description:
    "No model provider: everything works without one, and a model call says how to set one.",
  sdk: 1,
  slot: "provider",
  hooks: {
    complete: () => {
      throw new MemoirError("provider_none", "no model provider is set");
    },
  },
});

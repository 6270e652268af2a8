// Asks any server that speaks the chat completions API: OpenAI, OpenRouter, Gemini, Ollama, LM Studio, vLLM.
import { definePlugin } from "../../src/sdk/index.ts";
import { type Config, ConfigSchema } from "./config.ts";

export default definePlugin<Config>({
  name: "openai-compatible",
  description: "Asks any server that speaks OpenAI's chat completions API, also a local one.",
  sdk: 1,
  slot: "provider",
  config: ConfigSchema,
  hooks: {
    // The library behind it is loaded with the first call.
    complete: async (request, ctx) => (await import("./complete.ts")).complete(request, ctx),
  },
});

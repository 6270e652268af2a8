// Reduces prompts to what the user meant, and drops those that only the client wrote.
import { type ClientEvent, type Drop, definePlugin } from "../../src/sdk/index.ts";
import { cleanPrompt } from "./clean.ts";

export default definePlugin({
  name: "capture-clean-prompts",
  description:
    "Strips command wrappers and leading slashes from prompts; drops client notifications.",
  sdk: 1,
  slot: "capture",
  hooks: {
    capture: {
      filter: { event: ["UserPromptSubmit"] },
      handler: (event): ClientEvent | Drop | undefined => {
        if (event.name !== "UserPromptSubmit") return undefined;
        const cleaned = cleanPrompt(event.prompt);
        if ("drop" in cleaned) return cleaned;
        return cleaned.text === event.prompt ? undefined : { ...event, prompt: cleaned.text };
      },
    },
  },
});

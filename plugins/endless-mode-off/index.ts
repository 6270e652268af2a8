// Endless Mode switched off: the session's context is left as it is.
import { definePlugin } from "../../src/sdk/index.ts";

export default definePlugin({
  name: "off",
  description: "Endless Mode is off: a session's context is left as the client keeps it.",
  sdk: 1,
  slot: "endless-mode",
  hooks: {},
});

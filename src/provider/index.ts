// memoir/provider: what providers share: a key from its place, options, and an API's failures in memoir's words.
export { endProgram, startProgram } from "../host/programs.ts";
export {
  estimatedUsage,
  KeyEnvSchema,
  malformedAnswer,
  providerError,
  providerTimeout,
  providerUnreachable,
  textOf,
  timeoutOption,
  unanswered,
} from "./api.ts";
export { readKey } from "./keys.ts";

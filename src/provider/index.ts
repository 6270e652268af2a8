// memoir/provider: what providers share: a key from its place, options, and an API's failures in memoir's words.
export { estimatedUsage, textOf } from "./answers.ts";
export {
  malformedAnswer,
  providerError,
  providerTimeout,
  providerUnreachable,
  unanswered,
} from "./errors.ts";
export { readKey } from "./keys.ts";
export { KeyEnvSchema, timeoutOption } from "./options.ts";

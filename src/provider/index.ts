// memoir/provider: what providers share: a key from its place, and an API's failures in memoir's words.
export { malformedAnswer, providerError, providerTimeout, providerUnreachable } from "./errors.ts";
export { KeyEnvSchema, readKey } from "./keys.ts";

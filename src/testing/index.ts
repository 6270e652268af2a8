// memoir/testing: what an author tests a plugin with. It needs no test runner and no server, and works under Bun and Deno.
export * from "./fakes.ts";
export type { CaseOutcome, Subject, SuiteCase } from "./room.ts";
export {
  type ProviderScript,
  type ProviderServer,
  providerSecret,
  type StartProviderServer,
} from "./room.ts";
export * from "./samples.ts";
export { type TestClient, testClient } from "./slots/client.ts";
export { sampleCompletion } from "./slots/provider.ts";
export { sampleSummaryInput } from "./slots/strategies.ts";
export { putForEver } from "./storage/crash.ts";
export * from "./suites.ts";
export * from "./test-host.ts";

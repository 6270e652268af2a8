// memoir/testing: what an author tests a plugin with. It needs no test runner and no server, and works under Bun and Deno.
export * from "./fakes/endless.ts";
export * from "./fakes/scripted-model.ts";
export type { CaseOutcome, Subject, SuiteCase } from "./room.ts";
export * from "./run-suite.ts";
export * from "./samples/batch.ts";
export * from "./samples/events.ts";
export * from "./samples/hostile-texts.ts";
export * from "./samples/records.ts";
export { sampleCompletion } from "./slots/provider.ts";
export * from "./slots/provider-server.ts";
export { sampleSummaryInput } from "./slots/summarization.ts";
export { putForEver } from "./storage/crash.ts";
export * from "./suites.ts";
export * from "./test-host.ts";

// memoir/testing: what an author tests a plugin with. It needs no test runner and no server, and works under Bun and Deno.
export * from "./fakes/endless.ts";
export * from "./fakes/scripted-model.ts";
export * from "./room.ts";
export * from "./run-suite.ts";
export * from "./samples/batch.ts";
export * from "./samples/records.ts";
export * from "./suites.ts";
export * from "./test-host.ts";

// Client events for tests, as memoir/testing offers them.
export * from "../../src/testing/samples.ts";

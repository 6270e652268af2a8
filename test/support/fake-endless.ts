// Endless Mode's offer to a strategy, in memory, as memoir/testing has it.
export * from "../../src/testing/fakes.ts";

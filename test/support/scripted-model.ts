// A model that says what a test wrote down, as memoir/testing has it.
export * from "../../src/testing/fakes.ts";

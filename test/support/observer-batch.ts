// Batches for strategies, as memoir/testing offers them.
export * from "../../src/testing/samples.ts";

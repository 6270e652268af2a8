// Short ways to write down records, as memoir/testing offers them.
export * from "../../src/testing/samples.ts";

// Tools for strategies that read what people and assistants wrote: plain text, statements, claims, goals, and fitting into limits.
export * from "./backing.ts";
export * from "./claims.ts";
export * from "./code-names.ts";
export * from "./fit.ts";
export * from "./goal.ts";
export * from "./headline.ts";
export * from "./paths.ts";
export * from "./plain.ts";
export { type Statement, statementsOf } from "./statements.ts";
export * from "./verbs.ts";

// A tool's arguments as JSON Schema, without what a model does not need: bounds stay checked, and their errors say which was crossed.
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import * as v from "valibot";
import { explain } from "../../runtime/config/problems.ts";

const mostIssues = 5;
const unsaid = new Set([
  "$schema",
  "minLength",
  "maxLength",
  "minItems",
  "maxItems",
  "minimum",
  "propertyNames",
]);

/** As the protocol's library takes it. */
export function smallSchema<Input extends v.GenericSchema>(input: Input) {
  const schema = toStandardJsonSchema(input);
  const standard = schema["~standard"];
  const { jsonSchema } = standard;
  return {
    ...schema,
    "~standard": {
      ...standard,
      validate: (value: unknown) => checked(input, value),
      jsonSchema: {
        ...jsonSchema,
        input: (options: Parameters<typeof jsonSchema.input>[0]) => slim(jsonSchema.input(options)),
      },
    },
  };
}

/** An agent that wrote a field wrongly is told what is wrong, and which there are; of many wrong ones the first few. */
function checked<Input extends v.GenericSchema>(input: Input, value: unknown) {
  const result = v.safeParse(input, value);
  if (result.success) return { value: result.output };
  const issues = explain(input, result.issues.slice(0, mostIssues));
  return { issues: issues.map(({ message, keys }) => ({ message, path: keys })) };
}

/** The same without the keywords that are not said, at any depth. */
function slim(schema: Record<string, unknown>): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(schema).flatMap(([name, value]) => {
      if (unsaid.has(name)) return [];
      if (name === "required" && Array.isArray(value) && value.length === 0) return [];
      if (name === "properties")
        return [[name, mapped(value as Record<string, Record<string, unknown>>)]];
      return [[name, name === "items" ? slim(value as Record<string, unknown>) : value]];
    }),
  );
}

function mapped(properties: Record<string, Record<string, unknown>>): Record<string, unknown> {
  return Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, slim(value)]));
}

// A tool's arguments as JSON Schema, without what a model does not need: bounds stay checked, and their errors say which was crossed.
import { toStandardJsonSchema } from "@valibot/to-json-schema";
import type * as v from "valibot";

const unsaid = new Set(["$schema", "minLength", "maxLength", "minItems", "maxItems", "minimum"]);

/** As the protocol's library takes it. */
export function smallSchema<Input extends v.GenericSchema>(input: Input) {
  const schema = toStandardJsonSchema(input);
  const standard = schema["~standard"];
  const { jsonSchema } = standard;
  return {
    ...schema,
    "~standard": {
      ...standard,
      jsonSchema: {
        ...jsonSchema,
        input: (options: Parameters<typeof jsonSchema.input>[0]) => slim(jsonSchema.input(options)),
      },
    },
  };
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

// What `GET /api/openapi.json` answers, as far as it has to be known here.
import * as v from "valibot";
import { optional } from "../operation.ts";

const anything = v.record(v.string(), v.unknown());

/** One method of one path. */
export const OperationSchema = v.object({
  operationId: v.string(),
  summary: optional(v.string()),
  parameters: v.array(anything),
  requestBody: optional(anything),
  responses: v.record(v.string(), anything),
});

/** An OpenAPI 3.1 document. */
export const OpenApiAnswer = v.object({
  openapi: v.string(),
  info: v.object({ title: v.string(), version: v.string(), description: v.string() }),
  security: v.array(anything),
  paths: v.record(v.string(), v.record(v.string(), OperationSchema)),
  components: v.object({
    schemas: v.record(v.string(), anything),
    securitySchemes: v.record(v.string(), anything),
  }),
});
/** The document. */
export type OpenApi = v.InferOutput<typeof OpenApiAnswer>;

// Holds what a put may hold, asked at the door of a storage.
import * as v from "valibot";
import { MemoirError } from "../sdk/errors.ts";
import { RecordsSchema } from "../sdk/model.ts";
import type { PutRequest } from "../sdk/storage.ts";

const PutSchema = v.object({
  key: v.pipe(v.string(), v.nonEmpty()),
  records: RecordsSchema,
});

/** The request, where it holds what a put may hold; else throws `record_invalid`, which names the field. */
export function parsePut(request: PutRequest): PutRequest {
  const result = v.safeParse(PutSchema, request);
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw new MemoirError("record_invalid", `${v.getDotPath(issue) ?? "put"}: ${issue.message}`);
}

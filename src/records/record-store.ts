// What an opened engine of records offers.
import type { StorageClient } from "../sdk/context.ts";

/** Records with everything that storage promises of them: filters, order, pages, search, merging, superseding. */
export interface RecordStore extends StorageClient {
  /** Calls after it fail. Safe to call twice. */
  close(): void;
}

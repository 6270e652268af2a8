// How what search needs beside the records stands.
import * as v from "valibot";
import type { MeaningState, SearchIndexState } from "../../sdk/storage.ts";
import { describes } from "./parts.ts";

/** `POST /api/reindex`, and a part of the status. */
export const IndexStateSchema = describes<SearchIndexState>()(
  v.object({
    isWhole: v.boolean(),
    indexed: v.number(),
    records: v.number(),
    madeAnewAt: v.exactOptional(v.number()),
  }),
);

/** Search by meaning, a part of the status. */
export const MeaningStateSchema = describes<MeaningState>()(
  v.object({ model: v.string(), turns: v.number(), trouble: v.exactOptional(v.string()) }),
);

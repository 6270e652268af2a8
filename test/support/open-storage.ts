// A database of records without its index, as the storage opens it.
import { openOrRecover } from "../../src/records/records-file.ts";

/** The database at `path`, migrated to the newest schema. */
export const openStorage = (path: string) => openOrRecover(path, { now: Date.now, replaced() {} });

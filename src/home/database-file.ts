// The one way to open a database file, and to set a damaged one aside: nothing that a user has is ever deleted for it.
export { clearMark, damageOfTable, markOfThis, readMark, tablesOf } from "./check-databases.ts";
export { createNoting, noteContents, noteUnreadable } from "./database/contents.ts";
export {
  closeDatabase,
  isAway,
  keepDeleted,
  type Standing,
  standingAt,
} from "./database/deleted.ts";
export {
  type DatabaseForm,
  type OpenDatabase,
  openDatabaseFile,
  schemaVersion,
} from "./database/open-file.ts";
export { beginAnew, openOrBeginAnew } from "./database/replace.ts";
export {
  type ChangedRow,
  correctRows,
  isAnswered,
  sumRows,
  sumsOf,
  takeChanged,
} from "./database/row-sums.ts";
export type { Replacement } from "./database/set-aside.ts";
export { damagedFiles, setAside } from "./database/set-aside.ts";

// Backups of memoir's own files: made while the server writes, listed, checked and kept by rule. See docs/operating.md.
export { type BackupFailure, clearFailure, noteFailure, readFailure } from "./backups/failure.ts";
export { copiedDatabases, type MakeOptions, makeBackup } from "./backups/make-backup.ts";
export {
  type KeepRule,
  keepDefaults,
  pruneBackups,
  unkeptBackups,
} from "./backups/prune-backups.ts";
export {
  type Backup,
  type BackupFile,
  type BackupManifest,
  type BackupReason,
  backupFolder,
  backupReasons,
  findBackup,
  listBackups,
  newestBackupOf,
  renewManifest,
  verifyBackup,
} from "./backups/read-backups.ts";

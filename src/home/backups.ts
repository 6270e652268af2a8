// Backups of memoir's own files: made while the server writes, listed, checked and kept by rule. See docs/operating.md.

export { copiedDatabases, type MakeOptions, makeBackup } from "./backups/make-backup.ts";
export {
  type KeepRule,
  keepDefaults,
  pruneBackups,
  unkeptBackups,
} from "./backups/prune-backups.ts";
export {
  type Backup,
  type BackupFailure,
  type BackupFile,
  type BackupManifest,
  type BackupReason,
  backupFolder,
  backupReasons,
  clearFailure,
  findBackup,
  listBackups,
  newestBackupOf,
  noteFailure,
  readFailure,
  renewManifest,
  verifyBackup,
} from "./backups/read-backups.ts";

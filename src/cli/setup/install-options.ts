// What `memoir install` can be told.
import type { Scope } from "../../install/settings-file.ts";

/** Its options. */
export interface InstallOptions {
  scope: Scope;
  dryRun?: boolean;
  yes?: boolean;
  binary?: string;
  /** False: no allow rules for the reading tools. */
  allowTools?: boolean;
  json?: boolean;
  /** Every client that is here. */
  all?: boolean;
}

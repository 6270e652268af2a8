// What `memoir install` can be told.

import type { OptionsOf } from "../commands/declared.ts";
import type { setupCommands } from "../commands/setup.ts";

/** Its options. */
export type InstallOptions = OptionsOf<(typeof setupCommands)["install"]>;

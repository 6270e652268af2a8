// Every operation of the server, in the order in which the API document names them.

import { backfillOperations } from "./backfill.ts";
import {
  controlOperations,
  healthOperations,
  pageOperations,
  statusOperations,
} from "./control.ts";
import { endlessOperations } from "./endless.ts";
import { amendOperations, memoryOperations, retentionOperations } from "./memory.ts";
import { pluginOperations } from "./plugins.ts";
import { folderOperations, projectOperations } from "./projects.ts";
import { modelOperations, statsOperations } from "./stats.ts";
import { storeMemoryOperations } from "./store-memory.ts";
import { syncOperations } from "./sync.ts";
import { transferOperations } from "./transfer.ts";

/** All of them. */
export const operations = [
  ...memoryOperations,
  ...amendOperations,
  ...projectOperations,
  ...transferOperations,
  ...syncOperations,
  ...backfillOperations,
  ...statsOperations,
  ...retentionOperations,
  ...healthOperations,
  ...pluginOperations,
  ...modelOperations,
  ...storeMemoryOperations,
  ...endlessOperations,
  ...folderOperations,
  ...statusOperations,
  ...pageOperations,
  ...controlOperations,
];

// Every operation of the server, in the order in which the API document names them.

import {
  controlOperations,
  healthOperations,
  pageOperations,
  statusOperations,
} from "./control.ts";
import { backfillOperations, endlessOperations, syncOperations } from "./features.ts";
import { amendOperations, memoryOperations, retentionOperations } from "./memory.ts";
import { pluginOperations } from "./plugins.ts";
import { folderOperations, projectOperations } from "./projects.ts";
import { modelOperations, statsOperations } from "./stats.ts";
import { storeMemoryOperations } from "./store-memory.ts";
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

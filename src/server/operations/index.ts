// Every operation of the server, in the order in which the API document names them.

import {
  backfillOperations,
  controlOperations,
  healthOperations,
  pageOperations,
  statusOperations,
} from "./control.ts";
import { amendOperations, memoryOperations, retentionOperations } from "./memory.ts";
import { pluginOperations } from "./plugins.ts";
import { projectOperations } from "./projects.ts";
import { endlessOperations, modelOperations, statsOperations } from "./stats.ts";
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
  ...statusOperations,
  ...pageOperations,
  ...controlOperations,
];

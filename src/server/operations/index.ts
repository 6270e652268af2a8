// Every operation of the server, in the order in which the API document names them.
import { amendOperations } from "./amend.ts";
import { backfillOperations } from "./backfill.ts";
import { controlOperations, healthOperations, statusOperations } from "./control.ts";
import { endlessOperations } from "./endless.ts";
import { memoryOperations } from "./memory.ts";
import { modelOperations } from "./models.ts";
import { pageOperations } from "./page.ts";
import { pluginOperations } from "./plugins.ts";
import { retentionOperations } from "./retention.ts";
import { statsOperations } from "./stats.ts";
import { storeMemoryOperations } from "./store-memory.ts";
import { transferOperations } from "./transfer.ts";

/** All of them. */
export const operations = [
  ...memoryOperations,
  ...amendOperations,
  ...transferOperations,
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

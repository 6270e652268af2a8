// Where a plugin's worker begins: puts up what its package.json declared before any module that this changes is imported, then goes on as `worker-main`.

import { isDeno } from "../../host/engine.ts";
import { holdTo } from "../../host/hold-to.ts";
import type { ToWorker } from "./wire.ts";

const scope = globalThis as unknown as {
  onmessage: ((event: { data: ToWorker }) => void) | null;
};
const waiting: ToWorker[] = [];

scope.onmessage = ({ data }) => {
  waiting.push(data);
  if (waiting.length > 1 || data.type !== "setup") return;
  // Deno holds its workers to permissions by itself.
  if (data.reach && !isDeno) holdTo(data.reach);
  void import("./worker-main.ts").then(({ hearFrom }) => hearFrom(waiting));
};

// Rewrites one transcript again and again, to be killed at any time. Arguments: the file, its undo log's folder, `live` or `closed`.
import process from "node:process";
import { restoreFile } from "../../src/transcript/rewrite-file.ts";
import { undoPlaces } from "../../src/transcript/undo-log.ts";
import { rewriteOnce } from "./rewrite-lines.ts";

const [path = "", undo = "", mode = "closed"] = process.argv.slice(2);
console.log("ready");
// Each time one turn more, so that there is always something left to do.
for (let keepTurns = 60; mode === "live"; keepTurns--)
  await rewriteOnce(path, undo, { keepTurns: Math.max(1, keepTurns) }, { live: true, drainMs: 15 });
for (;;) {
  const fetches = [{ ids: ["o1"], text: "Observed.", toolUseIds: ["t0"] }];
  await rewriteOnce(path, undo, { copies: true, fetches });
  for (const place of await undoPlaces(undo, "s1"))
    await restoreFile(place, { mayReplace: async () => true, drainMs: 0 });
}

// Writes a scaffold of each kind, as `memoir plugin new <kind> my-<kind>` does.
import process from "node:process";
import { kinds } from "../../src/cli/plugins/new.ts";
import { main } from "../../src/cli/program.ts";

for (const kind of kinds) {
  const code = await main(["deno", "memoir", "plugin", "new", kind, `my-${kind}`]);
  if (code !== 0) process.exit(code);
}
process.exit(0);

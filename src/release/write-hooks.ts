// `bun run src/release/write-hooks.ts`: writes hooks/hooks.json, the hooks of the Claude Code plugin, for the built-in plugins' events.
import { writeFile } from "node:fs/promises";
import { resolve } from "node:path";
import { pluginHooks } from "./plugin-hooks.ts";

const path = resolve(import.meta.dir, "../../hooks/hooks.json");
await writeFile(path, `${JSON.stringify(await pluginHooks(), null, 2)}\n`);
console.log(`${path} written`);

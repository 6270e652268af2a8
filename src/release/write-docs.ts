// `bun run docs`: writes the tables of docs/configuration.md.
import { readFile, writeFile } from "node:fs/promises";
import { configPage, configurationPage } from "./config-reference.ts";

await writeFile(configPage, await configurationPage(await readFile(configPage, "utf8")));
console.log(`${configPage} written`);

// `bun run docs`: writes the tables of docs/configuration.md and docs/clients.md.
import { readFile, writeFile } from "node:fs/promises";
import { clientsPage, clientsPageText } from "./clients-table.ts";
import { configPage, configurationPage } from "./config-reference.ts";

for (const [page, written] of [
  [configPage, configurationPage],
  [clientsPage, clientsPageText],
] as const) {
  await writeFile(page, await written(await readFile(page, "utf8")));
  console.log(`${page} written`);
}

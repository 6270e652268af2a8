// The page of clients says of each what its adapter says.
import { expect, test } from "bun:test";
import { clients } from "../../src/clients/index.ts";
import { clientsPageText } from "../../src/release/docs.ts";
import { readPage } from "../support/pages.ts";

const page = await readPage("docs/clients.md");

test("clients.md is up to date (`bun run docs` writes it)", async () => {
  expect(page).toBe(await clientsPageText(page));
  expect(clientsPageText("# No mark\n")).rejects.toThrow("mark");
});

test("every client stands on it, with the name that install takes", () => {
  for (const { name, title, remark } of clients.values()) {
    expect(page).toContain(`- **${title}** (\`${name}\`): `);
    expect(remark).toEndWith(".");
  }
});

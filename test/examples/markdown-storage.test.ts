import { expect, test } from "bun:test";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import { sampleObservation, testHost } from "../../src/testing/index.ts";
import { testExample } from "../support/example-suite.ts";
import { inFolder } from "../support/in-folder.ts";
import markdown from "./markdown-storage.ts";

testExample("markdown-storage", markdown);

test("markdown-storage: its files are for people, and a fence in a text does not end them", () =>
  inFolder(async (home) => {
    const host = await testHost(markdown, { home });
    const narrative = "It printed:\n```json\n{}\n```\n";
    const put = await host.own.put({
      key: "work 1",
      records: {
        observations: [
          sampleObservation({ title: "Voucher counted once", facts: ["A fact."], narrative }),
        ],
      },
    });
    await host.stop();
    expect(await readdir(join(home, "markdown"))).toEqual(["00000001.md"]);
    const text = await readFile(join(home, "markdown/00000001.md"), "utf8");
    expect(text).toStartWith("# work 1\n\n## Voucher counted once\n_discovery_ \n- A fact.\n");
    const again = await testHost(markdown, { home });
    const [found] = await again.own.get({ ids: put.observations });
    expect(found?.kind === "observation" && found.record.narrative).toBe(narrative);
    await again.stop();
  }));

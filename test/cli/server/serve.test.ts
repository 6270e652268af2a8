// How a home is served: by its config, of which some is read at the start and some whenever it counts.
import { expect, test } from "bun:test";
import { writeFile } from "node:fs/promises";
import { optionsOf } from "../../../src/cli/server/serve.ts";
import { createLog } from "../../../src/home/log.ts";
import { memoirPaths } from "../../../src/home/paths.ts";
import { version } from "../../../src/home/version.ts";
import { readConfig } from "../../../src/runtime/config/config.ts";
import { inFolder } from "../../support/in-folder.ts";

async function served(home: string, config: object) {
  const paths = memoirPaths(home);
  const write = (text: string) => writeFile(paths.config, text);
  await write(JSON.stringify(config));
  const log = createLog({ path: paths.log });
  const options = optionsOf(paths, (await readConfig(home)).config, log);
  return { paths, write, log, options };
}

test("its port, its version and how often transcripts are looked at are the config's of the start", () =>
  inFolder(async (home) => {
    const one = { server: { port: 4_711 }, watch: { enabled: true } };
    const { options, paths } = await served(home, one);
    expect([options.port, options.version, options.paths]).toEqual([4_711, version, paths]);
    expect([options.watchEveryMs, options.checksDaily]).toEqual([300_000, true]);
    const off = await served(home, { watch: { enabled: false } });
    expect(off.options.watchEveryMs).toBe(0);
  }));

test("the gateway, backups and what memory keeps are read anew each time", () =>
  inFolder(async (home) => {
    const { options, write } = await served(home, {});
    const now = async () => [
      (await options.gateway?.())?.enabled,
      await options.wantsDailyBackup?.(),
      await options.wantsReleases?.(),
      (await options.retention?.())?.memory.days,
    ];
    expect(await now()).toEqual([false, true, false, 0]);
    const changed = {
      ...{ endless: { gateway: { enabled: true } }, backup: { daily: false } },
      ...{ retention: { memory: { days: 30 } }, upgrade: { daily: true } },
    };
    await write(JSON.stringify(changed));
    expect(await now()).toEqual([true, false, true, 30]);
  }));

test("a config that is not valid JSON shuts no gateway: nobody knows what it says", () =>
  inFolder(async (home) => {
    const { options, write, paths } = await served(home, {
      endless: { gateway: { enabled: true } },
    });
    await write("{ broken");
    await expect(options.gateway?.()).rejects.toMatchObject({
      ...{ code: "config_unreadable", message: `${paths.config} is not valid JSON` },
    });
  }));

test(
  "the log's level follows what the runtime reads",
  () =>
    inFolder(async (home) => {
      const { options, log, paths } = await served(home, { log: { level: "warn" } });
      const runtime = await options.createRuntime(() => {});
      log.info("not told");
      log.warn("told");
      await runtime.stop();
      await log.flush();
      const text = await Bun.file(paths.log).text();
      expect([text.includes("told"), text.includes("not told")]).toEqual([true, false]);
    }),
  180_000,
);

// Keeps one original after the other and prints the number of each that was answered with true; runs until it is killed.
import process from "node:process";
import { silentLog } from "../../../src/home/log.ts";
import { parseConfig } from "../../../src/runtime/config/config.ts";
import { createEndless } from "../../../src/runtime/endless/endless.ts";
import { keepRequest } from "../../support/endless-room.ts";

const [, , path = "", first = "0"] = process.argv;
const live = createEndless({
  path,
  now: Date.now,
  log: silentLog,
  config: () => parseConfig("/c", "{}").config.endless,
  capture: async (event) => ({ event, failed: [] }),
  session: () => undefined,
  waitFor: async () => undefined,
  folders: [],
}).client("live");

const keep = async (number: number) => {
  const value = { stdout: `${number} `.repeat(2_000) };
  if (await live.keep(keepRequest({ toolUseId: `t${number}.`, value }))) console.log(number);
};
// Several at once, so that a kill meets a group.
for (let number = Number(first); ; number += 5)
  await Promise.all([0, 1, 2, 3, 4].map((more) => keep(number + more)));

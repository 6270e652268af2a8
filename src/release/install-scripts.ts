// Fills install.sh and install.ps1 for one release: its version, address, keys, and the sum of its SHA256SUMS.

import { createHash } from "node:crypto";
import { readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { ofVersion, releaseAddress, releaseKeys } from "../install/release-source.ts";

/** Writes both scripts into a release's folder, whose SHA256SUMS is final; gives their paths. */
export async function writeScripts(
  folder: string,
  source: { address: string; keys: readonly string[] } = {
    address: releaseAddress,
    keys: releaseKeys,
  },
): Promise<string[]> {
  const sums = await readFile(join(folder, "SHA256SUMS"));
  const version = /^# memoir (\S+)/.exec(sums.toString())?.[1];
  if (version === undefined) throw new Error(`${folder}/SHA256SUMS names no version`);
  const holes = {
    version,
    address: source.address && ofVersion(source.address, version),
    keys: source.keys.join(" "),
    sums: createHash("sha256").update(sums).digest("hex"),
  };
  const names = ["install.sh", "install.ps1"];
  return Promise.all(
    names.map(async (name) => {
      const path = join(folder, name);
      const text = await readFile(join(import.meta.dir, name), "utf8");
      await writeFile(path, filled(text, holes), { mode: 0o755 });
      return path;
    }),
  );
}

/** Each hole is a line of its own, `name=''` or `$name = ''`, so that an unfilled script works too. */
function filled(text: string, holes: Readonly<Record<string, string>>): string {
  return Object.entries(holes).reduce((sofar, [name, value]) => {
    const hole = new RegExp(`^(\\$?${name} ?= ?)''$`, "m");
    if (!hole.test(sofar)) throw new Error(`The template has no line for ${name}`);
    return sofar.replace(hole, (_all, start: string) => `${start}'${value}'`);
  }, text);
}

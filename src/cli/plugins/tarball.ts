// What is in a tarball, before the package manager takes it apart: a package of files and folders, by the size and the paths of one.

import { readFile, stat } from "node:fs/promises";
import { promisify } from "node:util";
import { gunzip } from "node:zlib";
import { errorMessage } from "../../home/describe-error.ts";
import { isPackageName } from "../../runtime/plugins/find.ts";
import { MemoirError } from "../../sdk/errors.ts";

/** Unpacked; the largest packages of npm have a fifth of it. */
const largest = 100_000_000;
const mostFiles = 10_000;

/** True for the name of a tarball as npm, Bun and others pack packages. */
export function isTarball(path: string): boolean {
  return /\.(tgz|tar\.gz)$/i.test(path);
}

/** The name of the package in it. Throws `plugin_install` where it is none that could be installed; nothing is written. */
export async function packageIn(path: string): Promise<string> {
  const refuse = (what: string, fix = "Pack it with `npm pack` or `bun pm pack`.") =>
    new MemoirError("plugin_install", `${path} ${what}; nothing was added.`, { fix });
  const tooLarge = `holds more than ${largest / 1_000_000} MB, or ${mostFiles} files`;
  let files = 0;
  /** Packages are unpacked without their top folder, whatever it is called. */
  const isManifest = ({ name, type }: Entry) => {
    files += 1;
    if (files > mostFiles) throw refuse(tooLarge);
    if (!/[05]/.test(type))
      throw refuse(`holds ${JSON.stringify(name)}, which is neither a file nor a folder`);
    if (/^([/\\]|[a-z]:)|(^|[/\\])\.\.([/\\]|$)|\0/i.test(name))
      throw refuse(`holds ${JSON.stringify(name)}, which leaves its folder`);
    return /^[^/]+\/package\.json$/.test(name);
  };
  try {
    if ((await stat(path)).size > largest) throw refuse(tooLarge);
    const tar = await promisify(gunzip)(await readFile(path), { maxOutputLength: largest });
    const manifests = [...entriesOf(tar)].filter(isManifest);
    if (manifests.length !== 1)
      throw refuse(`has ${manifests.length || "no"} package.json in its top folder`);
    const name: unknown = JSON.parse(String(manifests[0]?.content))?.name;
    if (typeof name === "string" && isPackageName(name)) return name;
    throw refuse("has a package.json without a package's name", "Correct its `name`; pack again.");
  } catch (error) {
    if (error instanceof MemoirError) throw error;
    if (error instanceof RangeError && "code" in error) throw refuse(tooLarge);
    throw refuse(`is no tarball of a package: ${errorMessage(error).replace(/\.$/, "")}`);
  }
}

interface Entry {
  name: string;
  /** As tar has it: 0 a file, 5 a folder. */
  type: string;
  content: Buffer;
}

/** What a tar holds, under the long names of pax and GNU. A library that does it weighs 25 kB in the binary. */
function* entriesOf(tar: Buffer): Generator<Entry> {
  let long: string | undefined;
  for (let at = 0; at + 512 <= tar.length && tar[at] !== 0; ) {
    const header = tar.subarray(at, at + 512);
    const text = (from: number, length: number) =>
      header.toString("utf8", from, from + length).replace(/\0.*$/s, "");
    const size = Number.parseInt(text(124, 12).trim() || "0", 8);
    const content = tar.subarray(at + 512, at + 512 + size);
    if (!(size >= 0) || content.length < size) throw new Error("a file in it is cut off");
    at += 512 + Math.ceil(size / 512) * 512;
    const type = text(156, 1) || "0";
    if (type === "L") long = content.toString().replace(/\0.*$/s, "");
    else if (type === "x") long = /^\d+ path=(.*)$/m.exec(content.toString())?.[1] ?? long;
    else if (!/[gK]/.test(type)) {
      const prefix = text(257, 5) === "ustar" ? text(345, 155) : "";
      yield { name: long ?? (prefix ? `${prefix}/` : "") + text(0, 100), type, content };
      long = undefined;
    }
  }
}

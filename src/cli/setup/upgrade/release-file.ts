// Which file of a release is for this machine; the same names that install.sh makes.
import { access, readdir } from "node:fs/promises";
import { MemoirError } from "../../../sdk/errors.ts";

const systems: Readonly<Record<string, string>> = {
  linux: "linux",
  darwin: "darwin",
  win32: "windows",
};

/** `memoir-linux-x64-musl`, `memoir-windows-x64.exe`. Throws `upgrade_failed` where no release is made for. */
export async function releaseFile(platform: string, arch: string): Promise<string> {
  const system = systems[platform];
  if (system === undefined || (arch !== "x64" && arch !== "arm64"))
    throw new MemoirError("upgrade_failed", `There is no release for ${platform} on ${arch}.`, {
      fix: "Build memoir from source on this machine, then run `memoir install` with what was built.",
    });
  const musl = platform === "linux" && (await isMusl()) ? "-musl" : "";
  return `memoir-${system}-${arch}${musl}${platform === "win32" ? ".exe" : ""}`;
}

/** musl's loader lies where no glibc system has one. */
async function isMusl(): Promise<boolean> {
  const libraries = await readdir("/lib").catch((): string[] => []);
  if (!libraries.some((name) => name.startsWith("ld-musl-"))) return false;
  const glibc = ["/lib64/ld-linux-x86-64.so.2", "/lib/ld-linux-aarch64.so.1"];
  const there = await Promise.all(
    glibc.map((path) =>
      access(path).then(
        () => true,
        () => false,
      ),
    ),
  );
  return !there.includes(true);
}

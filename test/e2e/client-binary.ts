// The pinned Claude Code client: found in a cache outside the checkout, fetched from the npm registry when it is not there.
import { existsSync } from "node:fs";
import { mkdir, mkdtemp, rename, rm } from "node:fs/promises";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";

/** An unpinned install picks another version on an older Node, so the version is part of the test. */
export const clientVersion = "2.1.329";

/** Where the client is, or why it cannot be had here. */
export type ClientBinary = { path: string } | { missing: string };

function platformPackage(): string | undefined {
  const musl = existsSync("/lib/ld-musl-x86_64.so.1") || existsSync("/lib/ld-musl-aarch64.so.1");
  const name = `${process.platform}-${process.arch}${musl ? "-musl" : ""}`;
  const known = ["linux-x64", "linux-arm64", "linux-x64-musl", "linux-arm64-musl"];
  known.push("darwin-x64", "darwin-arm64");
  return known.includes(name) ? `@anthropic-ai/claude-code-${name}` : undefined;
}

async function version(path: string): Promise<string> {
  const child = Bun.spawn([path, "--version"], {
    env: { PATH: process.env.PATH ?? "", HOME: dirname(path), DISABLE_AUTOUPDATER: "1" },
    stdout: "pipe",
    stderr: "ignore",
  });
  return (await new Response(child.stdout).text()).trim();
}

/** Finds or fetches the client. Never throws for a missing network or an unsupported platform: says so instead. */
export async function clientBinary(): Promise<ClientBinary> {
  const named = platformPackage();
  if (!named) return { missing: `no client for ${process.platform} ${process.arch}` };
  const cache = process.env.XDG_CACHE_HOME ?? join(homedir(), ".cache");
  const folder = join(cache, "memoir-e2e", `client-${clientVersion}`);
  const path = join(folder, "node_modules", named, "claude");
  if (!existsSync(path)) {
    const failure = await fetchPackage(`${named}@${clientVersion}`, folder);
    if (failure) return { missing: failure };
  }
  const found = await version(path);
  if (!found.startsWith(clientVersion)) return { missing: `${path} answers version "${found}"` };
  return { path };
}

/** Installs beside the target and renames, so that a broken download is never mistaken for the client. */
async function fetchPackage(spec: string, folder: string): Promise<string | undefined> {
  console.log(`fetching ${spec} (about 360 MB unpacked, once) …`);
  await mkdir(dirname(folder), { recursive: true });
  const temporary = await mkdtemp(`${folder}-`);
  const options = ["--no-save", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error"];
  try {
    const npm = Bun.spawn(["npm", "install", "--prefix", temporary, ...options, spec], {
      stdout: "ignore",
      stderr: "pipe",
    });
    const errors = await new Response(npm.stderr).text();
    const reason = errors.split("\n").slice(0, 4).join("; ");
    if ((await npm.exited) !== 0) return `npm could not fetch ${spec}: ${reason}`;
    await rename(temporary, folder);
    return undefined;
  } catch (error) {
    return `npm could not be run: ${error instanceof Error ? error.message : String(error)}`;
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

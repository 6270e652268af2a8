// `memoir upgrade`: another version from a release, its sum checked, the old binary kept, the server handed over.

import { createHash } from "node:crypto";
import { createReadStream, createWriteStream, existsSync } from "node:fs";
import { copyFile, lstat, mkdtemp, readdir, rm, stat } from "node:fs/promises";
import { join } from "node:path";
import process from "node:process";
import { Readable, Transform } from "node:stream";
import { pipeline } from "node:stream/promises";
import { createGunzip } from "node:zlib";
import { errorMessage } from "../../home/describe-error.ts";
import { readClientLedger } from "../../install/file-change.ts";
import { placeBinary } from "../../install/place-binary.ts";
import { readConfig, setConfigValue } from "../../runtime/config/config.ts";
import { MemoirError } from "../../sdk/errors.ts";
import type { OptionsOf } from "../commands/declared.ts";
import type { setupCommands } from "../commands/setup.ts";
import { stopServer } from "../server/start-stop.ts";
import { inJson } from "../terminal/agree.ts";
import { drawnLine } from "../terminal/drawn-line.ts";
import { size } from "../terminal/layout.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { runInstalled, versionOf } from "./installed-binary.ts";
import { setupOf } from "./setup.ts";

type UpgradeOptions = OptionsOf<(typeof setupCommands)["upgrade"]>;

/** What an upgrade found or did. */
interface Outcome {
  state: "current" | "available" | "upgraded" | "back";
  /** The version that is in place. */
  version: string;
  /** What the release says its version is; older releases do not say. */
  offered?: string;
  /** Where the version of before is kept. */
  previous?: string;
}

/** Gives 0. Throws `usage`, `binary_missing`, `upgrade_failed`; what was installed is untouched then. */
export async function upgrade(options: UpgradeOptions, terminal: Terminal): Promise<number> {
  const { paths, binary } = setupOf(terminal);
  await assertOurs(binary);
  const outcome = options.back
    ? await goBack(binary, terminal)
    : await goOn(await addressOf(paths.home, options.from, terminal), options, terminal);
  if (inJson(outcome, options, terminal)) return 0;
  terminal.print(words(outcome));
  if (outcome.previous === undefined) return 0;
  // Whether the other version writes anything else into them, only that one could say.
  const names = new Set((await readClientLedger(paths.home)).map(({ client }) => client));
  if (names.size > 0)
    terminal.print(
      `\`memoir install ${[...names].join(" ")}\` brings what it wrote into other clients up to date.`,
    );
  return 0;
}

function words({ state, version, offered, previous }: Outcome): string {
  if (state === "current") return `memoir ${version} is what the release has.`;
  if (state === "available") {
    if (offered === undefined)
      return `The release has another memoir than ${version}. \`memoir upgrade\` puts it in place.`;
    if (isOlder(offered, version))
      return `The release has memoir ${offered}, which is older than ${version}.`;
    return `The release has memoir ${offered}; installed is ${version}. \`memoir upgrade\` puts it in place.`;
  }
  if (state === "back") return `memoir ${version} is restored.`;
  return `memoir ${version} is in place. The one of before is kept in ${previous}; \`memoir upgrade --back\` takes it up again.`;
}

/** What a package manager put there is its own to replace. */
async function assertOurs(binary: string): Promise<void> {
  const info = await lstat(binary).catch(() => undefined);
  if (!info)
    throw new MemoirError("binary_missing", `There is no installed memoir at ${binary}.`, {
      fix: "Run `memoir install` with the version that you have.",
    });
  if (info.isSymbolicLink())
    throw new MemoirError("upgrade_failed", `${binary} is a link: somebody else keeps memoir.`, {
      fix: "Upgrade with the package manager that installed it.",
    });
}

/** The address given, else the one of config, else of the environment; a given one is remembered once it works. */
async function addressOf(
  home: string,
  given: string | undefined,
  { env }: Terminal,
): Promise<string> {
  const { upgrade: known } = (await readConfig(home)).config;
  const address = given ?? known.from ?? env.MEMOIR_RELEASE_URL;
  if (address === undefined)
    throw new MemoirError("usage", "No release was named.", {
      fix: "Say where it lies: `memoir upgrade --from <address>`; it is remembered.",
    });
  return releaseAddress(address);
}

async function goOn(base: string, options: UpgradeOptions, terminal: Terminal): Promise<Outcome> {
  const { paths, binary } = setupOf(terminal);
  const name = await releaseFile(terminal.platform, process.arch);
  const { sums, version: offered } = await fetchList(base);
  const sum = sums.get(name);
  if (sum === undefined)
    throw new MemoirError("upgrade_failed", `${base} has no ${name}.`, {
      fix: `It has ${[...sums.keys()].filter((file) => !file.endsWith(".gz")).join(", ")}.`,
    });
  // A config that cannot be written to does not undo what was done.
  const remember = async () => {
    if (options.from !== undefined)
      await setConfigValue(paths.home, "upgrade.from", base).catch((error: unknown) =>
        terminal.warn(`The address is not remembered: ${errorMessage(error)}`),
      );
  };
  const version = await versionOf(binary, terminal);
  const isCurrent = (await sumOf(binary)) === sum;
  if (isCurrent || options.check) {
    await remember();
    const state = isCurrent ? "current" : "available";
    return { state, version, ...(offered !== undefined && { offered }) };
  }
  if (offered !== undefined && isOlder(offered, version) && !options.older)
    throw new MemoirError(
      "upgrade_failed",
      `${base} has memoir ${offered}, which is older than the installed ${version}.`,
      { fix: "Nothing was changed. If you do want the older one, add `--older`." },
    );
  const folder = await mkdtemp(join(paths.bin, ".upgrade-"));
  try {
    const fetched = join(folder, name);
    const line = drawnLine(terminal, options);
    const progress = (bytes: number, all: number) =>
      line.show(() => `fetched ${size(bytes)}${all > 0 ? ` of ${size(all)}` : ""}`);
    await fetchFile({ base, sums, name }, fetched, progress).finally(line.end);
    const replaced = await replace(fetched, terminal);
    await remember();
    return { state: "upgraded", ...replaced };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function goBack(binary: string, terminal: Terminal): Promise<Outcome> {
  const previous = previousOf(binary);
  if (!(await stat(previous).catch(() => undefined)))
    throw new MemoirError("upgrade_failed", "No version of before is kept.", {
      fix: "Only `memoir upgrade` keeps one; name a release with `--from` instead.",
    });
  return { state: "back", ...(await replace(previous, terminal)) };
}

/** Puts a binary in place of the installed one, which is kept, and hands the server over. */
async function replace(
  source: string,
  terminal: Terminal,
): Promise<{ version: string; previous: string }> {
  const { paths, binary } = setupOf(terminal);
  const previous = previousOf(binary);
  const kept = `${previous}.${crypto.randomUUID()}`;
  await copyFile(binary, kept);
  try {
    await placeBinary(source, binary, (copy) => assertMemoir(copy, terminal));
    await placeBinary(kept, previous, async () => {});
  } finally {
    await rm(kept, { force: true });
  }
  if (await stopServer(paths))
    await runInstalled(binary, ["start"], { ...terminal.env, MEMOIR_HOME: paths.home });
  return { version: await versionOf(binary, terminal), previous };
}

function previousOf(binary: string): string {
  return binary.replace(/(\.exe)?$/, "-previous$1");
}

async function assertMemoir(copy: string, terminal: Terminal): Promise<void> {
  await versionOf(copy, terminal).catch((cause: unknown) => {
    throw new MemoirError("upgrade_failed", "The release's file is no memoir that runs here.", {
      fix: "The installed version is unchanged; report this to whoever publishes the release.",
      cause,
    });
  });
}

// Fetches files of a release and checks their sums; nothing unchecked is ever run.

/** A release's files and their SHA-256 sums, as `SHA256SUMS` lists them. */
type Sums = ReadonlyMap<string, string>;

/** `SHA256SUMS`: the sums, and the version that its first line names. */
interface ReleaseList {
  sums: Sums;
  version?: string;
}

const longestList = 1_000_000;
const largestBinary = 1_000_000_000;
const listWithinMs = 30_000;
const fileWithinMs = 15 * 60_000;

/** The address without an ending slash. Throws `usage` for one that others on the way could change. */
export function releaseAddress(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  const isLocal =
    url !== undefined && /^(?:localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(url.hostname);
  if (url?.protocol === "https:" || (url?.protocol === "http:" && isLocal))
    return text.replace(/\/+$/, "");
  throw new MemoirError("usage", `"${text}" is no address to fetch a program from.`, {
    fix: "Give the https address of the folder that holds SHA256SUMS.",
  });
}

/** Reads the list of a release. Throws `upgrade_failed`. */
export async function fetchList(base: string): Promise<ReleaseList> {
  const response = await get(`${base}/SHA256SUMS`, listWithinMs);
  const decoder = new TextDecoder();
  let text = "";
  try {
    for await (const chunk of response.body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length > longestList) break;
    }
  } catch (cause) {
    throw failed(`${base}/SHA256SUMS`, cause);
  }
  const lines = [...text.matchAll(/^([0-9a-f]{64})\s+\*?(\S+)$/gim)];
  if (lines.length === 0)
    throw new MemoirError("upgrade_failed", `${base}/SHA256SUMS lists no file.`, {
      fix: "Check the address: it is the folder of one release.",
    });
  const version = /^# memoir (\d[\w.+-]*)/.exec(text)?.[1];
  return {
    sums: new Map(lines.map(([, sum = "", name = ""]) => [name, sum.toLowerCase()])),
    ...(version !== undefined && { version }),
  };
}

/** By the numbers alone: two builds of one version are neither older nor newer. */
function isOlder(version: string, than: string): boolean {
  const [left, right] = [version, than].map((text) =>
    text.split(/[-+]/, 1)[0]?.split(".").map(Number),
  );
  for (const [at, number] of left?.entries() ?? []) {
    const other = right?.[at] ?? 0;
    if (number !== other) return number < other;
  }
  return false;
}

/** The SHA-256 of a file, in hexadecimal; undefined where there is none. */
export async function sumOf(path: string): Promise<string | undefined> {
  const hash = createHash("sha256");
  try {
    await pipeline(createReadStream(path), hash);
  } catch (error) {
    if ((error as { code?: string }).code === "ENOENT") return undefined;
    throw error;
  }
  return hash.digest("hex");
}

/**
 * Fetches `name` to `path`, compressed where the release offers it so, and checks it. `progress` hears bytes so far and
 * all of them (0 when unknown). Throws `upgrade_failed`; what was written is then to be removed.
 */
export async function fetchFile(
  release: { base: string; sums: Sums; name: string },
  path: string,
  progress: (bytes: number, all: number) => void,
): Promise<void> {
  const { base, sums, name } = release;
  const isPacked = sums.has(`${name}.gz`);
  const file = isPacked ? `${name}.gz` : name;
  const response = await get(`${base}/${file}`, fileWithinMs);
  const all = Number(response.headers.get("content-length") ?? 0);
  const hash = createHash("sha256");
  let bytes = 0;
  const counted = new Transform({
    transform(chunk: Uint8Array, _encoding, done) {
      bytes += chunk.length;
      hash.update(chunk);
      progress(bytes, all);
      done(bytes > largestBinary ? new Error("it does not end") : null, chunk);
    },
  });
  const source = Readable.from(response.body ?? []);
  const target = createWriteStream(path, { mode: 0o700 });
  try {
    if (isPacked) await pipeline(source, counted, createGunzip(), target);
    else await pipeline(source, counted, target);
  } catch (cause) {
    throw failed(`${base}/${file}`, cause);
  }
  if (hash.digest("hex") !== sums.get(file) || (await sumOf(path)) !== sums.get(name))
    throw new MemoirError("upgrade_failed", `${base}/${file} is not what the release's sums say.`, {
      fix: "Try again; if that does not help, do not trust this release. Nothing was changed.",
    });
}

const mostRedirects = 5;

/** Every address on the way must be one that nobody in between can change. */
async function get(address: string, withinMs: number): Promise<Response> {
  const signal = AbortSignal.timeout(withinMs);
  let next = address;
  for (let hops = 0; hops <= mostRedirects; hops++) {
    let response: Response;
    try {
      response = await fetch(next, { signal, redirect: "manual" });
    } catch (cause) {
      throw failed(next, cause);
    }
    if (response.ok) return response;
    await response.body?.cancel();
    const location = response.headers.get("location");
    if (response.status < 300 || response.status > 399 || location === null)
      throw failed(next, new Error(`status ${response.status}`));
    const target = URL.parse(location, next)?.href ?? location;
    try {
      next = releaseAddress(target);
    } catch {
      const why = `it leads to ${target}, which others could change on the way`;
      throw failed(address, new Error(why));
    }
  }
  throw failed(address, new Error(`it redirects more than ${mostRedirects} times`));
}

function failed(address: string, cause: unknown): MemoirError {
  const said = cause instanceof Error ? cause.message : String(cause);
  const why = said.includes("ECONNREFUSED") ? "nobody answers there" : said;
  return new MemoirError(
    "upgrade_failed",
    `${address} could not be fetched: ${why.replace(/[.?!]+$/, "")}.`,
    { cause },
  );
}

// Which file of a release is for this machine; the same names that install.sh makes.

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
  return !glibc.some((path) => existsSync(path));
}

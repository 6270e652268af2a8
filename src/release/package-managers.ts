// What package managers get of a release: npm a launcher for everybody and the binary for each system, Homebrew a formula;
// and the archives that it comes in.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { npmName } from "../install/release-source.ts";
import type { Target } from "./targets.ts";

/** Packages can be tried before a name is chosen, not published. */
export const launcherName: string = npmName === "" ? "memoir" : npmName;

/** What stands in every package. */
export interface Common {
  version: string;
  seconds: number;
  /** README, LICENSE and NOTICE. */
  texts: readonly Entry[];
  repository?: unknown;
}

/** `memoir-linux-x64-0.2.0.tgz`, as `npm pack` would call it. */
export function packageFile(name: string, version: string): string {
  return `${name.replace("@", "").replace("/", "-")}-${version}.tgz`;
}

/** The name of the package that has the binary for a system. */
export function platformName(
  { name }: Pick<Target, "name">,
  launcher: string = launcherName,
): string {
  return `${launcher}-${name}`;
}

/** The package of one system. */
export function platformPackage(target: Target, binary: Uint8Array, common: Common): Uint8Array {
  const { os, cpu, libc } = target;
  const manifest = {
    ...shared(platformName(target), common),
    description: `memoir's binary for ${target.name}.`,
    os: [os],
    cpu: [cpu],
    ...(libc && { libc: [libc] }),
    // The binary is run where it is; Yarn would keep it in a zip.
    preferUnplugged: true,
  };
  const program = { path: binaryPath(target), content: binary, isProgram: true };
  return packed(manifest, [program], common);
}

/** The package that is asked for. It has no install script: npm warns of these, and companies forbid them. */
export function launcherPackage(targets: readonly Target[], common: Common): Uint8Array {
  const manifest = {
    ...shared(launcherName, common),
    description: "The long memory of coding agents.",
    bin: { memoir: "memoir.cjs" },
    engines: { node: ">=18" },
    optionalDependencies: Object.fromEntries(
      targets.map((target) => [platformName(target), common.version]),
    ),
  };
  const launcher = readFileSync(join(import.meta.dir, "launcher.cjs"), "utf8");
  return packed(manifest, [{ path: "memoir.cjs", content: launcher, isProgram: true }], common);
}

function shared(name: string, { version, repository }: Common) {
  return { name, version, license: "MIT", ...(repository !== undefined && { repository }) };
}

function binaryPath({ os }: Target): string {
  return `bin/memoir${os === "win32" ? ".exe" : ""}`;
}

function packed(manifest: object, files: readonly Entry[], { texts, seconds }: Common): Uint8Array {
  const first = { path: "package.json", content: `${JSON.stringify(manifest, null, 2)}\n` };
  const entries = [first, ...files, ...texts];
  return tarball(
    entries.map((entry) => ({ ...entry, path: `package/${entry.path}` })),
    seconds,
  );
}

// The Homebrew formula, made of the release's own list.

/** What a formula needs of a release. */
interface Listed {
  version: string;
  /** The folder that the files are fetched from, without an ending slash. */
  address: string;
  /** File → SHA-256. */
  sums: ReadonlyMap<string, string>;
}

/** The formula's text. Throws where the list lacks a file that it names. */
export function formula({ version, address, sums }: Listed): string {
  const block = (system: string) => (arch: string) => {
    const file = `memoir-${system}-${arch}.gz`;
    const sum = sums.get(file);
    if (sum === undefined) throw new Error(`The release has no ${file}`);
    return `    on_${arch === "x64" ? "intel" : "arm"} do
      url "${address}/${file}"
      sha256 "${sum}"
    end`;
  };
  const blocks = (system: string) => ["arm64", "x64"].map(block(system)).join("\n");
  return `class Memoir < Formula
  desc "Long memory of coding agents"
  homepage "${address}"
  version "${version}"
  license "MIT"

  on_macos do
${blocks("darwin")}
  end

  on_linux do
${blocks("linux")}
  end

  def install
    bin.install Dir["memoir-*"].first => "memoir"
  end

  def caveats
    <<~TEXT
      Connect your coding agents with: memoir install
    TEXT
  end

  test do
    assert_match version.to_s, shell_output("#{bin}/memoir --version")
  end
end
`;
}

// Archives that are the same whenever and wherever they are made: no owner, one date, a compressor that knows no processors.

/** A file in an archive. */
export interface Entry {
  path: string;
  content: Uint8Array | string;
  isProgram?: boolean;
}

const block = 512;

/** A tar of these files in their order, `seconds` after 1970. Throws for a path that the plain format cannot hold. */
export function tar(entries: readonly Entry[], seconds: number): Uint8Array {
  const parts = entries.flatMap(({ path, content, isProgram }) => {
    const bytes = typeof content === "string" ? Buffer.from(content) : content;
    const rest = new Uint8Array((block - (bytes.length % block)) % block);
    return [header(path, bytes.length, isProgram === true, seconds), bytes, rest];
  });
  return Buffer.concat([...parts, new Uint8Array(2 * block)]);
}

function header(path: string, size: number, isProgram: boolean, seconds: number): Uint8Array {
  if (Buffer.byteLength(path) > 100) throw new Error(`${path} is too long for a tar`);
  const bytes = Buffer.alloc(block);
  const octal = (value: number, at: number, length: number) =>
    bytes.write(`${value.toString(8).padStart(length - 1, "0")}\0`, at);
  bytes.write(path, 0);
  octal(isProgram ? 0o755 : 0o644, 100, 8);
  octal(0, 108, 8);
  octal(0, 116, 8);
  octal(size, 124, 12);
  octal(seconds, 136, 12);
  bytes.write("        0", 148);
  bytes.write("ustar\u000000", 257);
  const sum = bytes.reduce((all, byte) => all + byte, 0);
  bytes.write(`${sum.toString(8).padStart(6, "0")}\0 `, 148);
  return bytes;
}

/** Compresses; libdeflate gives the same bytes on every processor, and a twentieth less than zlib in the same time. */
export function gzip(bytes: Uint8Array): Uint8Array {
  return Bun.gzipSync(bytes as Uint8Array<ArrayBuffer>, { library: "libdeflate", level: 9 });
}

/** A `.tar.gz`, as npm packages are. */
export function tarball(entries: readonly Entry[], seconds: number): Uint8Array {
  return gzip(tar(entries, seconds));
}

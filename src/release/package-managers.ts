// What package managers get of a release: npm a launcher for everybody and the binary for each system, Homebrew a formula.

import { readFileSync } from "node:fs";
import { join } from "node:path";
import { npmName } from "../install/release-source.ts";
import { type Entry, tarball } from "./archive.ts";
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

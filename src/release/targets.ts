// Every system that a release has a binary for, and the words that the compiler and package managers have for it.

/** A system, as npm names its parts. */
export interface Target {
  /** As install.sh names it: `linux-x64-musl`. */
  name: string;
  /** Bun's name of the target. */
  bun: string;
  /** The file in a release. */
  file: string;
  os: "linux" | "darwin" | "win32";
  cpu: "x64" | "arm64";
  /** Linux alone has two. */
  libc?: "glibc" | "musl";
}

const names = [
  "linux-x64",
  "linux-arm64",
  "linux-x64-musl",
  "linux-arm64-musl",
  "darwin-x64",
  "darwin-arm64",
  "windows-x64",
  "windows-arm64",
] as const;

/** The targets of these names. Throws for a name that none has. */
export function targetsNamed(wanted: readonly string[]): Target[] {
  const unknown = wanted.find((name) => !targets.some((target) => target.name === name));
  if (unknown !== undefined) throw new Error(`${unknown} is no target: ${names.join(", ")}`);
  return targets.filter(({ name }) => wanted.includes(name));
}

/** All targets of a release. */
export const targets: readonly Target[] = names.map((name): Target => {
  const [system, cpu, musl] = name.split("-") as [
    "linux" | "darwin" | "windows",
    Target["cpu"],
    "musl"?,
  ];
  return {
    name,
    // Bun's plain x64 may use what processors before 2013 have not; a Mac that runs macOS 13 has it.
    bun: `bun-${name}${cpu === "x64" && system !== "darwin" ? "-baseline" : ""}`,
    file: `memoir-${name}${system === "windows" ? ".exe" : ""}`,
    os: system === "windows" ? "win32" : system,
    cpu,
    ...(system === "linux" && { libc: musl ?? "glibc" }),
  };
});

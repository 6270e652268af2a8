// Every system that a release has a binary for, and the compiler's words for it.

export interface Target {
  /** As install.sh names it: `linux-x64-musl`. */
  name: string;
  /** Bun's name of the target. */
  bun: string;
  /** The file in a release. */
  file: string;
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

/** All targets of `build --all`. */
export const targets: readonly Target[] = names.map((name) => ({
  name,
  bun: `bun-${name}`,
  file: `memoir-${name}${name.startsWith("windows") ? ".exe" : ""}`,
}));

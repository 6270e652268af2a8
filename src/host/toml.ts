// TOML, which the runtime reads itself.

/** Throws for what is no TOML. */
export function parseToml(text: string): unknown {
  return Bun.TOML.parse(text);
}

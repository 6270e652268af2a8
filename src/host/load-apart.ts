// Loads a library that lies in the binary apart from the program: compressed, without bytecode and map, which would be five times its size.

/** The module whose compressed text is at `path` inside the binary. Only a compiled program has such files. */
export async function loadApart(path: string): Promise<Readonly<Record<string, unknown>>> {
  const text = Bun.zstdDecompressSync(await Bun.file(path).bytes()).toString("utf8");
  const url = URL.createObjectURL(new Blob([text], { type: "text/javascript" }));
  try {
    return await import(url);
  } finally {
    URL.revokeObjectURL(url);
  }
}

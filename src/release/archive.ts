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

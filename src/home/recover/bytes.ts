// Reads numbers out of a page: big-endian, and SQLite's variable-length integers.

/** Two bytes. */
export function u16(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}

/** Four bytes. */
export function u32(bytes: Uint8Array, at: number): number {
  return u16(bytes, at) * 0x1_00_00 + u16(bytes, at + 2);
}

/** A varint and where it ends; undefined where the bytes end before it does. */
export function varint(bytes: Uint8Array, at: number): [value: number, end: number] | undefined {
  let value = 0;
  for (let i = 0; i < 8; i++) {
    const byte = bytes[at + i];
    if (byte === undefined) return undefined;
    value = value * 128 + (byte & 127);
    if (byte < 128) return [value, at + i + 1];
  }
  return nineBytes(bytes, at);
}

/** Its ninth byte counts whole, and it may be negative. */
function nineBytes(bytes: Uint8Array, at: number): [number, number] | undefined {
  const last = bytes[at + 8];
  if (last === undefined) return undefined;
  let value = 0n;
  for (let i = 0; i < 8; i++) value = (value << 7n) | BigInt((bytes[at + i] ?? 0) & 127);
  return [Number(BigInt.asIntN(64, (value << 8n) | BigInt(last))), at + 9];
}

// A macOS program is signed so that each page is what its signature says.
import { expect, test } from "bun:test";
import { programProblem } from "../../src/release/check.ts";
import { checkSignature, signAdHoc } from "../../src/release/code-signing.ts";
import { targets } from "../../src/release/targets.ts";

/** A program with a text, a link segment and a signature of nothing, as small as can be. */
function program(textSize: number): Buffer {
  const bytes = Buffer.alloc(textSize + 64, 7);
  bytes.fill(0, 0, 32 + 72 + 72 + 16);
  bytes.writeUInt32LE(0xfeedfacf, 0);
  bytes.writeUInt32LE(0x1000007, 4);
  bytes.writeUInt32LE(3, 16);
  const segment = (at: number, name: string, start: number, size: number) => {
    bytes.writeUInt32LE(0x19, at);
    bytes.writeUInt32LE(72, at + 4);
    bytes.write(name, at + 8);
    bytes.writeBigUInt64LE(BigInt(start), at + 40);
    bytes.writeBigUInt64LE(BigInt(size), at + 48);
  };
  segment(32, "__TEXT", 0, textSize - 16);
  segment(104, "__LINKEDIT", textSize - 16, 80);
  bytes.writeUInt32LE(0x1d, 176);
  bytes.writeUInt32LE(16, 180);
  bytes.writeUInt32LE(textSize, 184);
  bytes.writeUInt32LE(64, 188);
  return bytes;
}

for (const size of [512, 4_096, 3 * 4_096 + 16])
  test(`${size} bytes before the signature`, () => {
    const signed = signAdHoc(program(size), "memoir");
    const pages = Math.ceil(size / 4_096);
    expect(checkSignature(signed)).toEqual({ wrong: [], pages });
    // Signing again changes nothing.
    expect(Buffer.compare(signAdHoc(signed, "memoir"), signed)).toBe(0);
    const view = new DataView(signed.buffer, signed.byteOffset);
    expect(view.getUint32(188, true)).toBe(signed.length - size);
    expect(view.getBigUint64(104 + 48, true)).toBe(BigInt(signed.length - size + 16));
    const bad = Buffer.from(signed);
    bad[size - 1] = 8;
    expect(checkSignature(bad).wrong).toEqual([pages - 1]);
  });

test("a release's program is for its system, and as signed", () => {
  const [x64, arm64] = ["darwin-x64", "darwin-arm64"].map((name) =>
    targets.find((one) => one.name === name),
  );
  if (!x64 || !arm64) throw new Error("there is no such target");
  const signed = signAdHoc(program(4_096), "memoir");
  expect(programProblem(signed, x64)).toBeUndefined();
  expect(programProblem(signed, arm64)).toBe("it is a program for darwin x64");
  signed[300] = 1;
  expect(programProblem(signed, x64)).toBe("1 of 1 pages are not as signed");
  expect(() => checkSignature(program(4_096))).toThrow("there is no signature");
});

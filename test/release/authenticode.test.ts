// Windows programs are signed before anything is made of them, by a program of the publisher's, and compared without a certificate.
import { afterAll, beforeAll, expect, test } from "bun:test";
import { chmod, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gunzipSync } from "node:zlib";
import { checkSums, readSums, sha256 } from "../../src/release/check.ts";
import { isSigned, signedBy, withSignatureOf } from "../../src/release/code-signing.ts";
import { signPrograms } from "../../src/release/folder.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "memoir-windows-"));
});
afterAll(() => rm(folder, { recursive: true }));

/** The headers of a 64-bit program, and its bytes. */
function program(fill: number): Buffer {
  const bytes = Buffer.alloc(603, fill);
  bytes.fill(0, 0, 400);
  bytes.write("MZ");
  bytes.writeUInt32LE(64, 60);
  bytes.write("PE\0\0", 64);
  bytes.writeUInt16LE(0x8664, 68);
  bytes.writeUInt16LE(0x20b, 88);
  return bytes;
}

/** Signs as Windows' own tools do: at the end, on a boundary of 8, named in the header, which gets a new checksum. */
const signing = `const file = process.argv.at(-1);
const bytes = Buffer.from(await Bun.file(file).bytes());
const at = Math.ceil(bytes.length / 8) * 8;
const all = Buffer.alloc(at + 16, "signed by someone");
bytes.copy(all);
all.fill(0, bytes.length, at);
all.writeUInt32LE(at, 88 + 144);
all.writeUInt32LE(16, 88 + 148);
all.writeUInt32LE(4711, 88 + 64);`;

async function signer(name: string, script: string): Promise<string> {
  const file = join(folder, name);
  await writeFile(`${file}.ts`, script);
  await writeFile(file, `#!/bin/sh\nexec "${process.execPath}" "${file}.ts" "$@"\n`);
  await chmod(file, 0o755);
  return file;
}
const good = () => signer("good", `${signing} await Bun.write(file, all);`);

test("a signed program differs in its signature alone, which fits the same program elsewhere", async () => {
  const unsigned = program(7);
  const signed = await signedBy(await good(), unsigned);
  expect([isSigned(unsigned), isSigned(signed), signed.length]).toEqual([false, true, 624]);
  expect(Buffer.compare(withSignatureOf(unsigned, signed), signed)).toBe(0);
  expect(Buffer.compare(withSignatureOf(program(8), signed), signed)).not.toBe(0);
  expect(withSignatureOf(unsigned, unsigned)).toBe(unsigned);
});

test.each([
  ["fails", "console.error('no certificate'); process.exit(3)", "ended with 3: no certificate"],
  ["does nothing", "", "did not sign"],
  [
    "changes the program",
    `${signing} all[500] = 1; await Bun.write(file, all);`,
    "changed more than the signature",
  ],
  [
    "leaves something behind the signature",
    `${signing} await Bun.write(file, Buffer.concat([all, Buffer.from("x")]));`,
    "its signature is not at its end",
  ],
])("a signer that %s is refused", async (name, script, says) => {
  await expect(signedBy(await signer(name, script), program(7))).rejects.toThrow(says);
});

test("what holds the program is made of the signed one, and the list last of all", async () => {
  const facts = {
    ...{ version: "1.2.3", commit: "c".repeat(40), seconds: 1_000 },
    ...{ day: "2026-11-27", bun: Bun.version },
  };
  const files = ["memoir-windows-x64.exe", "memoir-linux-x64", "NOTICE"];
  for (const file of files) await writeFile(join(folder, file), program(7));
  const lines = files.map((file) => `${sha256(program(7))}  ${file}\n`).join("");
  const list = (version: string) =>
    writeFile(
      join(folder, "SHA256SUMS"),
      `# memoir ${version} 2026-11-27 ${facts.commit}\n${lines}`,
    );
  await list("1.2.4");
  const unsigned = signPrograms(folder, facts, async (bytes) => bytes);
  await expect(unsigned).rejects.toThrow("is not of this checkout");

  await list("1.2.3");
  const none = await signPrograms(folder, facts, async (bytes) => bytes);
  expect([...none]).toEqual([["memoir-windows-x64.exe", false]]);
  expect(readSums(await readFile(join(folder, "SHA256SUMS"), "utf8")).size).toBe(3);

  const by = await good();
  const asked: string[] = [];
  const sign = (bytes: Uint8Array, file: string) => {
    asked.push(file);
    return signedBy(by, bytes);
  };
  expect([...(await signPrograms(folder, facts, sign))]).toEqual([
    ["memoir-windows-x64.exe", true],
  ]);
  expect(await checkSums(folder)).toEqual([]);
  const sums = readSums(await readFile(join(folder, "SHA256SUMS"), "utf8"));
  const signed = await readFile(join(folder, "memoir-windows-x64.exe"));
  expect(isSigned(signed)).toBe(true);
  const packed = await readFile(join(folder, "memoir-windows-x64.exe.gz"));
  expect(Buffer.compare(gunzipSync(packed), signed)).toBe(0);
  const named = [...sums.keys()].find((file) => file.endsWith("windows-x64-1.2.3.tgz")) ?? "";
  expect(gunzipSync(await readFile(join(folder, named))).includes(signed)).toBe(true);
  // Once is enough: a second signature would have another time.
  await signPrograms(folder, facts, sign);
  expect(asked).toEqual(["memoir-windows-x64.exe"]);
});

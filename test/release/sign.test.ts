// Keys and signatures in minisign's formats: against files that minisign 0.11 made, and round trips of our own.
import { expect, test } from "bun:test";
import { readFile, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { isSignedBy, readPublicKey, readSignature } from "../../src/install/release-source.ts";
import { writeScripts } from "../../src/release/folder.ts";
import { makeKey, readSecretKey, sign, signKey } from "../../src/release/sign.ts";
import { inFolder } from "../support/in-folder.ts";

const commit = "0123456789012345678901234567890123456789";
const data = `# memoir 0.2.0 2026-11-27 ${commit}\n`;
// Made by `minisign -G -W` and `minisign -S`.
const theirs = {
  secret: `untrusted comment: minisign encrypted secret key
RWQAAEIyAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAqAyD2f0mPZ7weSGJeqYI71KYXXRzX2ZknZSiJn3sxCM2s/wv8Y934jr+IezQyGl4PDYjdnouQdJfVJki/bpKoCyUqvHQWQIWAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA=
`,
  open: `untrusted comment: minisign public key 9E3D26FDD9830CA8
RWSoDIPZ/SY9njr+IezQyGl4PDYjdnouQdJfVJki/bpKoCyUqvHQWQIW
`,
  signature: `untrusted comment: signature from minisign secret key
RUSoDIPZ/SY9npddc+8ZJ6gidsaXp5RV+MLaEFAi3+gFkClWUIVewyqz8QAwxpjy1WOPZ3RS7jCwJDXaY9JVCAb8aQVbyv7fdw8=
trusted comment: memoir 0.2.0
T2JWaa6FjyjW83wiUnnmBI8XbFgdylWDEBzzy/M/kdloouQgoOX33ir/pOg8v1f1VKJOUwO88tdsK6ibJ6mzAw==
`,
  // `minisign -S -l`: over the file itself, as before 2017.
  old: `untrusted comment: signature from minisign secret key
RWSoDIPZ/SY9niymdR2LB0Zr2fABoDJQtbuq4nMR/fDaTNeNSOBkezwSLOJD0zoG7OuCwmiv6EXd882WTICWL2DZYaHOsyuDIws=
trusted comment: timestamp:1795763597	file:f
UF4kXiJCJ5yzr6up+nTzplVPcAy83sfQHoiRgXblaukb6rV25jW5j4QQYy7rCjo5x0AJv953myC0sUdtC8q4Dg==
`,
};

/** `true`, `false`, or that one of them could not be read. */
function isGood(text: string, signature: string, publicKey: string): boolean | "unreadable" {
  const [key, signed] = [readPublicKey(publicKey), readSignature(signature)];
  return key && signed ? isSignedBy(key, Buffer.from(text), signed) : "unreadable";
}

const { signature, open } = theirs;
test.each<[string, string, string, string, boolean | "unreadable"]>([
  ["minisign's own", data, signature, open, true],
  ["the key's second line alone", data, signature, open.split("\n")[1] ?? "", true],
  ["line ends of Windows", data, signature.replaceAll("\n", "\r\n"), open, true],
  ["another file", `${data} `, signature, open, false],
  ["another comment", data, signature.replace("0.2.0", "0.3.0"), open, false],
  ["another signature", data, signature.replace("ddc+8Z", "ddc+8A"), open, false],
  ["another key of the same id", data, signature, open.replace("WQIW", "WQIX"), false],
  ["another key's id", data, signature, open.replace("RWSoDIPZ", "RWSoDIPA"), false],
  ["not prehashed", data, theirs.old, open, "unreadable"],
  ["no comment", data, signature.replace(/trusted comment: m.*\n/, ""), open, "unreadable"],
  ["a web page", data, "<!doctype html>", open, "unreadable"],
  ["cut off", data, signature.slice(0, 200), open, "unreadable"],
  ["nothing", data, "", open, "unreadable"],
  ["no key", data, signature, "RWSoDIPZ", "unreadable"],
])("a signature with %s", (_name, text, signed, key, expected) => {
  expect(isGood(text, signed, key)).toBe(expected);
});

test("minisign's secret key signs here, its comment the list's first line", () =>
  inFolder(async (folder) => {
    const [secret, sums] = [join(folder, "key"), join(folder, "SHA256SUMS")];
    await writeFile(secret, theirs.secret);
    await writeFile(sums, data);
    const made = await readFile(await sign(sums, await readSecretKey(secret, "")), "utf8");
    expect(isGood(data, made, open)).toBe(true);
    expect(readSignature(made)?.comment).toBe(`memoir 0.2.0 2026-11-27 ${commit}`);
    expect(made).toContain("untrusted comment: signature from memoir's key 9E3D26FDD9830CA8\n");
    // Ed25519 signs the same bytes the same way.
    expect(made.split("\n")[1]).toBe(signature.split("\n")[1]);
    await writeFile(sums, "abc  file\n");
    const key = await readSecretKey(secret, "");
    await expect(sign(sums, key)).rejects.toThrow("does not begin with");
  }));

test("a key that is made is its owner's alone, opens by its password only and lies over no other", () =>
  inFolder(async (folder) => {
    const [secret, sums] = [join(folder, "new/key"), join(folder, "SHA256SUMS")];
    await writeFile(sums, data);
    const line = await makeKey(secret, "word", { operations: 32_768n, memory: 1_048_576n });
    expect((await stat(secret)).mode & 0o777).toBe(0o600);
    await expect(makeKey(secret, "")).rejects.toThrow("never written over");
    await expect(readSecretKey(secret, "other")).rejects.toThrow("The password does not open");
    const made = await readFile(await sign(sums, await readSecretKey(secret, "word")), "utf8");
    expect(isGood(data, made, await readFile(`${secret}.pub`, "utf8"))).toBe(true);
    expect(isGood(data, made, line)).toBe(true);
  }));

test("the next key is signed by the present one, under the name that it is looked for", () =>
  inFolder(async (folder) => {
    const [present, next] = [join(folder, "present"), join(folder, "next")];
    await makeKey(present, "");
    await makeKey(next, "");
    const id = readPublicKey(await readFile(`${next}.pub`, "utf8"))?.id;
    const files = await signKey(`${next}.pub`, present, {
      folder: join(folder, "out"),
      password: "",
    });
    expect(files).toEqual([join(folder, `out/${id}.pub`), join(folder, `out/${id}.pub.minisig`)]);
    const [key, signed] = await Promise.all(files.map((file) => readFile(file, "utf8")));
    expect(isGood(key ?? "", signed ?? "", await readFile(`${present}.pub`, "utf8"))).toBe(true);
    expect(readSignature(signed ?? "")?.comment).toBe(`memoir key ${id}`);
  }));

test.each([
  ["https://x.test/memoir", "https://x.test/memoir/v0.2.0"],
  ["https://x.test/releases/latest/download", "https://x.test/releases/download/v0.2.0"],
  ["", ""],
])("scripts of a release below %p fetch from %p", (address, folderOf) =>
  inFolder(async (folder) => {
    await writeFile(join(folder, "SHA256SUMS"), data);
    const scripts = await writeScripts(folder, { address, keys: ["one", "two"] });
    expect(scripts).toEqual([join(folder, "install.sh"), join(folder, "install.ps1")]);
    const [sh, ps1] = await Promise.all(scripts.map((path) => readFile(path, "utf8")));
    const sum = new Bun.CryptoHasher("sha256").update(data).digest("hex");
    expect(sh).toContain(`version='0.2.0'\naddress='${folderOf}'\nkeys='one two'\nsums='${sum}'\n`);
    expect(ps1).toContain(`$version = '0.2.0'\n$address = '${folderOf}'\n$keys = 'one two'\n`);
  }),
);

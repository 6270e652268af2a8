// `memoir plugin add <package.tgz>`: a packed plugin is added like a folder; a hostile tarball is refused, and nothing of it stays.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { packTar, type TarEntry, type TarHeader } from "modern-tar";
import { ownHome } from "../../support/own-home.ts";
import { typed } from "../../support/typed.ts";

let place: Awaited<ReturnType<typeof ownHome>>;
beforeEach(async () => {
  place = await ownHome();
});
afterEach(() => place.end());

const file = (name: string, body: string): TarEntry => ({
  header: { name, size: Buffer.byteLength(body) },
  body,
});
const odd = (name: string, type: TarHeader["type"]): TarEntry => ({
  header: { name, size: 0, ...(type && { type }), linkname: "/etc/passwd" },
});
const manifest = (more: object = { name: "memoir-plugin-packed" }) =>
  file("package/package.json", JSON.stringify({ version: "1.0.0", main: "index.ts", ...more }));
const code = (name = "packed") =>
  file(
    "package/index.ts",
    `export default { name: "${name}", description: "d", sdk: 1, hooks: { stored() {} } };\n`,
  );
const pack = async (...entries: TarEntry[]) => gzipSync(await packTar(entries));
async function add(bytes: Uint8Array, name = "packed.tgz", ...flags: string[]) {
  const path = join(place.root, name);
  await writeFile(path, bytes);
  return { path, ...(await typed(["plugin", "add", path, "--yes", ...flags])) };
}
const inHome = async (path: string) => readFile(join(place.home, path), "utf8").catch(() => "none");

test.each(["packed.tgz", "packed.tar.gz"])(
  "%s is added, listed and removed",
  async (name) => {
    const long = file(`package/${"long/".repeat(40)}name.md`, "x");
    const { code: exit, out } = await add(await pack(manifest(), code(), long), name);
    expect([exit, out[2], out.at(-1)]).toEqual([0, "packed: d", "Added; it is on."]);
    expect(JSON.parse(await inHome("config.json"))).toEqual({
      listeners: ["memoir-plugin-packed"],
    });
    expect((await typed(["plugin", "list"])).out.join("\n")).toContain("● packed  listener");
    const before = await inHome("plugins/node_modules/memoir-plugin-packed/index.ts");
    const again = await add(await pack(manifest(), code("newer")), name);
    expect(again.err[0]).toBe("error: memoir-plugin-packed is in your config already.");
    expect(again.err.join("\n")).toContain("`memoir plugin remove memoir-plugin-packed`");
    expect(await inHome("plugins/node_modules/memoir-plugin-packed/index.ts")).toBe(before);
    const removed = await typed(["plugin", "remove", "packed"]);
    expect([removed.code, await inHome("config.json")]).toEqual([0, "{}\n"]);
    expect(await inHome("plugins/node_modules/memoir-plugin-packed/index.ts")).toBe("none");
  },
  180_000,
);

describe("refused, with nothing left behind", () => {
  const many = Array.from({ length: 10_001 }, (_, at) => file(`package/${at}`, ""));
  const cases: Array<[what: string, bytes: () => Promise<Uint8Array> | Uint8Array, says: string]> =
    [
      [
        "a path above",
        () => pack(manifest(), code(), file("package/../../../up", "x")),
        'holds "package/../../../up", which leaves its folder',
      ],
      [
        "a path from the root",
        () => pack(manifest(), code(), file("/tmp/up", "x")),
        'holds "/tmp/up", which leaves its folder',
      ],
      [
        "a path of Windows",
        () => pack(manifest(), code(), file("package\\..\\..\\up", "x")),
        'holds "package\\\\..\\\\..\\\\up", which leaves its folder',
      ],
      [
        "a symbolic link",
        () => pack(manifest(), code(), odd("package/l", "symlink")),
        'holds "package/l", which is neither a file nor a folder',
      ],
      [
        "a hard link",
        () => pack(manifest(), code(), odd("package/l", "link")),
        'holds "package/l", which is neither a file nor a folder',
      ],
      [
        "a device",
        () => pack(manifest(), code(), odd("package/l", "character-device")),
        'holds "package/l", which is neither a file nor a folder',
      ],
      [
        "zeros without end",
        () => gzipSync(Buffer.alloc(101_000_000)),
        "holds more than 100 MB, or 10000 files",
      ],
      [
        "files without end",
        () => pack(manifest(), code(), ...many),
        "holds more than 100 MB, or 10000 files",
      ],
      ["no package.json", () => pack(code()), "has no package.json in its top folder"],
      [
        "two of them",
        () => pack(manifest(), code(), file("other/package.json", "{}")),
        "has 2 package.json in its top folder",
      ],
      [
        "a name that is a path",
        () => pack(manifest({ name: "../../up" }), code()),
        "has a package.json without a package's name",
      ],
      [
        "no name",
        () => pack(file("package/package.json", "null")),
        "has a package.json without a package's name",
      ],
      [
        "no JSON",
        () => pack(file("package/package.json", "{")),
        "is no tarball of a package: JSON Parse error: Expected '}'",
      ],
      [
        "half of one",
        async () => (await pack(manifest(), code())).subarray(0, 100),
        "is no tarball of a package: unexpected end of file",
      ],
      ["a text", () => Buffer.from("hello"), "is no tarball of a package: incorrect header check"],
    ];
  test.each(cases)("%s", async (_, bytes, says) => {
    // The first look at any tarball sets the home up.
    await typed(["plugin", "add", "none.tgz"]);
    const before = (await readdir(place.root, { recursive: true })).sort();
    const { code: exit, err, path } = await add(await bytes());
    expect([exit, err[0]]).toEqual([1, `error: ${path} ${says}; nothing was added.`]);
    const after = (await readdir(place.root, { recursive: true })).sort();
    expect(after.filter((one) => !before.includes(one) && one !== "packed.tgz")).toEqual([]);
  });

  test("a package that is no plugin, or has a built-in's name", async () => {
    const none = await add(await pack(manifest(), file("package/index.ts", "export default 1;\n")));
    expect(none.err[0]).toContain("is no plugin object");
    const taken = await add(await pack(manifest(), code("sqlite")));
    expect(taken.err[0]).toBe("error: A built-in plugin is called sqlite already.");
    expect(await readdir(join(place.home, "plugins"))).toEqual([]);
    expect(await inHome("config.json")).toBe("none");
  }, 180_000);
});

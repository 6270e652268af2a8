// Files of a release: which address may be asked, what a list of sums says, and what is refused although it was fetched.
import { afterAll, beforeAll, beforeEach, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { readFile, stat } from "node:fs/promises";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import {
  checkedAddress,
  fetchFile,
  fetchList,
  releaseFile,
  sumOf,
} from "../../src/install/fetch-release.ts";
import { inFolder } from "../support/in-folder.ts";

const sum = (data: string | Uint8Array) => createHash("sha256").update(data).digest("hex");
const files = new Map<string, BodyInit | Response>();
let server: ReturnType<typeof Bun.serve>;
let base: string;
beforeAll(() => {
  server = Bun.serve({
    ...{ hostname: "127.0.0.1", port: 0 },
    fetch(request) {
      const body = files.get(new URL(request.url).pathname);
      if (body instanceof Response) return body.clone();
      return body === undefined ? new Response("", { status: 404 }) : new Response(body);
    },
  });
  base = `http://127.0.0.1:${server.port}`;
});
afterAll(() => server.stop(true));
beforeEach(() => files.clear());

test.each([
  ["https://x.test/a//", "https://x.test/a"],
  ["http://localhost:1/", "http://localhost:1"],
  ["http://127.1.2.3", "http://127.1.2.3"],
  ["http://[::1]:9/r", "http://[::1]:9/r"],
])("%s is asked at %s", (given, address) => {
  expect(checkedAddress(given)).toBe(address);
});
test.each([
  "http://x.test",
  "http://localhost.x.test",
  "http://1127.0.0.1",
  "ftp://localhost",
  "x",
])("%s is not asked", (given) => {
  expect(() => checkedAddress(given)).toThrow(`"${given}" is no address to fetch a program from.`);
});

test("a list has each file's sum in lower case, binary marks and other lines passed over", async () => {
  const [a, b] = [sum("a"), sum("b").toUpperCase()];
  files.set(
    "/SHA256SUMS",
    `# sums\n${a}  one\n${b} *two.exe\n${a}  \n${a.slice(1)}  short\n x ${a}  far\n`,
  );
  expect([...(await fetchList(base)).sums]).toEqual([
    ["one", a],
    ["two.exe", b.toLowerCase()],
  ]);
});

test("the list's first line says which version it is of", async () => {
  const one = `${sum("a")}  one\n`;
  files.set("/SHA256SUMS", `# memoir 0.2.0 2026-11-27 8a9254a6\n${one}`);
  expect((await fetchList(base)).version).toBe("0.2.0");
  for (const none of [`${one}# memoir 0.3.0\n`, `# memoir \u001b[31m0.3.0\n${one}`]) {
    files.set("/SHA256SUMS", none);
    expect((await fetchList(base)).version).toBeUndefined();
  }
});

test("a list that breaks off could not be fetched, and of one that does not end no more is read", async () => {
  const endless = (end: "break" | "never") =>
    new ReadableStream<Uint8Array>({
      async pull(controller) {
        await Bun.sleep(1);
        controller.enqueue(new Uint8Array(300_000).fill(97));
        if (end === "break") controller.error(new Error("gone"));
      },
    });
  files.set("/SHA256SUMS", endless("break"));
  await expect(fetchList(base)).rejects.toMatchObject({ code: "upgrade_failed" });
  files.set("/SHA256SUMS", endless("never"));
  await expect(fetchList(base)).rejects.toThrow("lists no file");
});

test.each([
  ["/moved/SHA256SUMS", "read"],
  ["/SHA256SUMS", "it redirects more than 5 times"],
  ["http://192.0.2.2:9/SHA256SUMS", "which others could change on the way"],
  ["file:///etc/passwd", "which others could change on the way"],
  ["http://[bad", "it leads to http://[bad, which others could change on the way"],
])("a redirect to %s: %s", async (location, expected) => {
  files.set("/SHA256SUMS", new Response("", { status: 302, headers: { location } }));
  files.set("/moved/SHA256SUMS", `${sum("a")}  one\n`);
  const came = await fetchList(base).then(
    () => "read",
    ({ message }) => message,
  );
  expect(came).toContain(expected);
});

test("a file is there whole, only its owner's, and its progress ends with all of it", () =>
  inFolder(async (folder) => {
    const data = "program".repeat(50_000);
    files.set("/one", data);
    const heard: Array<[number, number]> = [];
    const path = join(folder, "one");
    const release = { base, sums: new Map([["one", sum(data)]]), name: "one" };
    await fetchFile(release, path, (bytes, all) => heard.push([bytes, all]));
    expect(await readFile(path, "utf8")).toBe(data);
    expect((await stat(path)).mode & 0o777).toBe(0o700);
    expect(heard.at(-1)).toEqual([data.length, data.length]);
  }));

test("compressed, both sums must be right: of what was fetched and of what it holds", () =>
  inFolder(async (folder) => {
    const packed = new Uint8Array(gzipSync("program"));
    files.set("/one.gz", packed);
    const fetched = (ofFile: string, ofPacked: string) =>
      fetchFile(
        {
          base,
          name: "one",
          sums: new Map([
            ["one", ofFile],
            ["one.gz", ofPacked],
          ]),
        },
        join(folder, "one"),
        () => undefined,
      ).then(
        () => "whole",
        ({ message }) => message,
      );
    const wrong = `${base}/one.gz is not what the release's sums say.`;
    expect(await fetched(sum("program"), sum(packed))).toBe("whole");
    expect(await fetched(sum("other"), sum(packed))).toBe(wrong);
    expect(await fetched(sum("program"), sum("other"))).toBe(wrong);
    files.set("/one.gz", "no gzip");
    expect(await fetched(sum("program"), sum("no gzip"))).toStartWith(
      `${base}/one.gz could not be fetched: `,
    );
    files.clear();
    expect(await fetched(sum("program"), sum(packed))).toBe(
      `${base}/one.gz could not be fetched: status 404.`,
    );
  }));

test("the sum of a file that is not there is none, of a folder an error", () =>
  inFolder(async (folder) => {
    expect(await sumOf(join(folder, "none"))).toBeUndefined();
    await expect(sumOf(folder)).rejects.toThrow("EISDIR");
  }));

test.each([
  ["darwin", "arm64", "memoir-darwin-arm64"],
  ["darwin", "x64", "memoir-darwin-x64"],
  ["win32", "x64", "memoir-windows-x64.exe"],
])("for %s on %s there is %s", async (platform, arch, name) => {
  expect(await releaseFile(platform, arch)).toBe(name);
});
test.each([
  ["linux", "ia32"],
  ["freebsd", "x64"],
])("for %s on %s there is none", async (platform, arch) => {
  await expect(releaseFile(platform, arch)).rejects.toMatchObject({
    ...{ code: "upgrade_failed", message: `There is no release for ${platform} on ${arch}.` },
  });
});

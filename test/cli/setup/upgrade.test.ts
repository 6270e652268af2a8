// memoir upgrade against a release on loopback, with binaries that are small scripts.
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { releaseFile } from "../../../src/cli/setup/upgrade/release-file.ts";
import { upgrade } from "../../../src/cli/setup/upgrade/upgrade.ts";
import { MemoirError } from "../../../src/sdk/errors.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";

const script = (version: string) => `#!/bin/sh\necho '{"version":"${version}"}'\n`;
const sum = (data: string | Uint8Array) => createHash("sha256").update(data).digest("hex");
const files = new Map<string, BodyInit>();
let server: ReturnType<typeof Bun.serve>;
let name: string;
let home: string;
let binary: string;

beforeAll(async () => {
  name = await releaseFile(process.platform, process.arch);
  server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const body = files.get(new URL(request.url).pathname);
      return body === undefined ? new Response("", { status: 404 }) : new Response(body);
    },
  });
});
afterAll(() => server.stop(true));
beforeEach(async () => {
  files.clear();
  home = await mkdtemp(join(tmpdir(), "memoir-upgrade-"));
  binary = join(home, "bin/memoir");
  await mkdir(join(home, "bin"));
  await writeFile(binary, script("1.0.0"), { mode: 0o755 });
});
afterEach(() => rm(home, { recursive: true, force: true }));

function release(version: string, how: { packed?: boolean; wrongSum?: boolean } = {}): void {
  const data = script(version);
  const listed = how.wrongSum ? sum("something else") : sum(data);
  const packed = new Uint8Array(gzipSync(data));
  const more = how.packed ? `${sum(packed)}  ${name}.gz\n` : "";
  files.set("/SHA256SUMS", `${listed}  ${name}\n${more}`);
  files.set(how.packed ? `/${name}.gz` : `/${name}`, how.packed ? packed : data);
}

async function run(options: Parameters<typeof upgrade>[0] = {}) {
  const terminal = plainTerminal({ env: { ...process.env, HOME: home, MEMOIR_HOME: home } });
  const from = `http://127.0.0.1:${server.port}/`;
  const code = await upgrade({ from, ...options }, terminal);
  return { code, out: terminal.out.join("\n") };
}
const installed = () => readFile(binary, "utf8");

describe("upgrade", () => {
  test.each([[false], [true]])(
    "puts a newer one in place, compressed: %p, and back",
    async (packed) => {
      release("2.0.0", { packed });
      expect((await run()).out).toContain("memoir 2.0.0 is in place.");
      expect(await installed()).toBe(script("2.0.0"));
      expect((await readdir(join(home, "bin"))).sort()).toEqual(["memoir", "memoir-previous"]);
      const config = JSON.parse(await readFile(join(home, "config.json"), "utf8"));
      expect(config.upgrade.from).toBe(`http://127.0.0.1:${server.port}`);
      expect((await run()).out).toContain("is what the release has");
      expect((await run({ back: true })).out).toContain("memoir 1.0.0 is in place again.");
      expect(await installed()).toBe(script("1.0.0"));
      expect((await run({ back: true })).out).toContain("memoir 2.0.0 is in place again.");
    },
  );

  test("--check changes nothing", async () => {
    release("2.0.0");
    expect((await run({ check: true })).out).toContain(
      "The release has another memoir than 1.0.0.",
    );
    expect(await installed()).toBe(script("1.0.0"));
  });

  const refused: Array<[string, () => unknown, string]> = [
    [
      "a wrong sum",
      () => release("2.0.0", { wrongSum: true }),
      "is not what the release's sums say",
    ],
    ["no such release", () => {}, "could not be fetched: status 404"],
    ["a list of nothing", () => files.set("/SHA256SUMS", "<html>"), "lists no file"],
    [
      "no file for this machine",
      () => files.set("/SHA256SUMS", `${sum("x")}  memoir-beos\n`),
      "has no memoir-",
    ],
    [
      "a file that is no memoir",
      () => {
        files.set("/SHA256SUMS", `${sum("#!/bin/sh\nexit 1\n")}  ${name}\n`);
        files.set(`/${name}`, "#!/bin/sh\nexit 1\n");
      },
      "is no memoir that runs here",
    ],
  ];
  test.each(refused)("%s: what was installed is untouched", async (_name, prepare, message) => {
    prepare();
    await expect(run()).rejects.toThrow(message);
    expect(await installed()).toBe(script("1.0.0"));
    expect(await readdir(join(home, "bin"))).toEqual(["memoir"]);
    expect(await readdir(home), "its address is not remembered").toEqual(["bin"]);
  });

  test("an address that nobody answers at is said in words", async () => {
    const gone = Bun.serve({ hostname: "127.0.0.1", port: 0, fetch: () => new Response("") });
    const from = `http://127.0.0.1:${gone.port}`;
    await gone.stop(true);
    await expect(run({ from })).rejects.toThrow(
      `${from}/SHA256SUMS could not be fetched: nobody answers there.`,
    );
  });

  test("a config that cannot be written to does not undo it", async () => {
    release("2.0.0");
    await writeFile(join(home, "config.json"), "{");
    expect((await run()).out).toContain("memoir 2.0.0 is in place.");
    expect(await installed()).toBe(script("2.0.0"));
  });

  test.each(["http://example.org/memoir", "ftp://127.0.0.1/", "releases", "file:///etc"])(
    "%s is no address",
    async (from) => {
      await expect(run({ from })).rejects.toMatchObject({ code: "usage" });
    },
  );

  test("a link belongs to a package manager; without a release or an older one it says so", async () => {
    const terminal = plainTerminal({ env: { HOME: home, MEMOIR_HOME: home } });
    await expect(upgrade({}, terminal)).rejects.toThrow("No release was named.");
    await expect(upgrade({ back: true }, terminal)).rejects.toThrow(
      "No version of before is kept.",
    );
    await rm(binary);
    await expect(upgrade({}, terminal)).rejects.toBeInstanceOf(MemoirError);
    await symlink("/bin/sh", binary);
    await expect(run()).rejects.toThrow("is a link");
  });
});

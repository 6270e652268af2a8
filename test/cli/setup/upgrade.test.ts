// memoir upgrade against a release on loopback, with binaries that are small scripts.
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  spyOn,
  test,
} from "bun:test";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { upgrade as upgradeOf } from "../../../src/cli/setup/upgrade.ts";
import { memoirPaths } from "../../../src/home/paths.ts";
import { releaseFile } from "../../../src/install/fetch-release.ts";
import { writeClientLedger } from "../../../src/install/file-change.ts";
import { MemoirError } from "../../../src/sdk/errors.ts";
import { acquireLock } from "../../../src/server/life/lock.ts";
import { cannedServer } from "../../support/canned-server.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";

/** Of a memoir that nobody published, whatever address and keys the sources have. */
const upgrade = (...[wanted, options, terminal]: Parameters<typeof upgradeOf>) =>
  upgradeOf(wanted, options, terminal, { address: "", keys: [] });
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

function release(
  version: string,
  how: { packed?: boolean; wrongSum?: boolean; named?: boolean } = {},
): void {
  const data = script(version);
  const listed = how.wrongSum ? sum("something else") : sum(data);
  const packed = new Uint8Array(gzipSync(data));
  const more = how.packed ? `${sum(packed)}  ${name}.gz\n` : "";
  const heading = how.named ? `# memoir ${version} 2026-11-27 8a9254a6\n` : "";
  files.set("/SHA256SUMS", `${heading}${listed}  ${name}\n${more}`);
  files.set(how.packed ? `/${name}.gz` : `/${name}`, how.packed ? packed : data);
}

/** By sums alone: what signatures add is in `trust.test.ts`. */
async function run(options: Parameters<typeof upgrade>[1] = {}) {
  const terminal = plainTerminal({ env: { ...process.env, HOME: home, MEMOIR_HOME: home } });
  const from = `http://127.0.0.1:${server.port}/`;
  const code = await upgrade(undefined, { from, unsigned: true, ...options }, terminal);
  return { code, out: terminal.out.join("\n") };
}
const installed = () => readFile(binary, "utf8");

describe("upgrade", () => {
  test.each([[false], [true]])(
    "puts a newer one in place, compressed: %p, and back",
    async (packed) => {
      release("2.0.0", { packed });
      expect((await run()).out).toContain("memoir 2.0.0 is installed.");
      expect(await installed()).toBe(script("2.0.0"));
      expect((await readdir(join(home, "bin"))).sort()).toEqual(["memoir", "memoir-previous"]);
      const config = JSON.parse(await readFile(join(home, "config.json"), "utf8"));
      expect(config.upgrade.from).toBe(`http://127.0.0.1:${server.port}`);
      expect((await run()).out).toContain("is what the release has");
      expect((await run({ back: true })).out).toContain("memoir 1.0.0 is restored.");
      expect(await installed()).toBe(script("1.0.0"));
      expect((await run({ back: true })).out).toContain("memoir 2.0.0 is restored.");
    },
  );

  test("an older release is refused, and installed when it is asked for", async () => {
    release("0.9.12", { named: true });
    const check = await run({ check: true });
    expect(check.out).toBe(
      "The release has memoir 0.9.12 of 2026-11-27, which is older than 1.0.0.",
    );
    await expect(run()).rejects.toThrow(
      "has memoir 0.9.12, which is older than the installed 1.0.0.",
    );
    expect(await installed()).toBe(script("1.0.0"));
    expect((await run({ older: true })).out).toContain("memoir 0.9.12 is installed.");
  });

  test("--check names a newer release's version", async () => {
    await writeFile(binary, script("9.10.0"));
    release("10.2.0", { named: true });
    expect((await run({ check: true })).out).toBe(
      "memoir 10.2.0 of 2026-11-27 is available; installed is 9.10.0. Nothing says yet who may sign it: set `upgrade.signedBy`, and `memoir upgrade` installs it.",
    );
    expect((await run()).out).toContain("memoir 10.2.0 is installed.");
  });

  test("--check changes nothing", async () => {
    release("2.0.0");
    expect((await run({ check: true })).out).toContain(
      "The release has another build than memoir 1.0.0.",
    );
    expect(await installed()).toBe(script("1.0.0"));
  });

  const refused: Array<[string, () => unknown, string]> = [
    [
      "a wrong sum",
      () => release("2.0.0", { wrongSum: true }),
      "is not what the release's sums say",
    ],
    ["no such release", () => {}, "There is no release at http://127.0.0.1"],
    ["a list of nothing", () => files.set("/SHA256SUMS", "none"), "lists no file"],
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
    expect((await run()).out).toContain("memoir 2.0.0 is installed.");
    expect(await installed()).toBe(script("2.0.0"));
  });

  test.each(["http://example.org/memoir", "ftp://127.0.0.1/", "releases", "file:///etc"])(
    "%s is no address",
    async (from) => {
      await expect(run({ from })).rejects.toMatchObject({ code: "usage" });
    },
  );

  test.each<[string, string, boolean, string]>([
    ["2.0.0", "2.0.0", true, "memoir 2.0.0 is what the release has."],
    ["2.0.0", "2.0.0", false, "memoir 2.0.0 is what the release has."],
    ["1.0.0", "2.0.0", true, "The release has another build than memoir 1.0.0."],
  ])(
    "of %s where %s is offered (--check: %p) it is said, and the address remembered",
    async (own, offered, check, words) => {
      await writeFile(binary, script(own), { mode: 0o755 });
      release(offered);
      expect((await run({ check })).out).toContain(words);
      expect(await installed()).toBe(script(own));
      const config = JSON.parse(await readFile(join(home, "config.json"), "utf8"));
      expect(config.upgrade.from).toBe(`http://127.0.0.1:${server.port}`);
    },
  );

  test("the address is the one given, else config's, else the environment's", async () => {
    release("1.0.0");
    const works = `http://127.0.0.1:${server.port}`;
    const [other, third] = ["https://other.invalid", "https://third.invalid"];
    const asks = async (given?: string, known?: string, named?: string) => {
      await writeFile(
        join(home, "config.json"),
        known ? JSON.stringify({ upgrade: { from: known } }) : "{}",
      );
      const env = { HOME: home, MEMOIR_HOME: home, ...(named && { MEMOIR_RELEASE_URL: named }) };
      const terminal = plainTerminal({ env: { ...process.env, ...env } });
      return upgrade(
        undefined,
        { check: true, ...(given !== undefined && { from: given }) },
        terminal,
      );
    };
    expect(await asks(works, other, third)).toBe(0);
    expect(await asks(undefined, works, other)).toBe(0);
    expect(await asks(undefined, undefined, works)).toBe(0);
    const config = JSON.parse(await readFile(join(home, "config.json"), "utf8"));
    expect(config, "what was not given is not remembered").toEqual({});
  });

  test("what a release has instead is named, compressed files only once", async () => {
    files.set("/SHA256SUMS", `${sum("x")}  memoir-beos\n${sum("y")}  memoir-beos.gz\n`);
    await expect(run()).rejects.toMatchObject({ fix: "It has memoir-beos." });
  });

  test("a program that says no version is none", async () => {
    const data = "#!/bin/sh\necho '{}'\n";
    files.set("/SHA256SUMS", `${sum(data)}  ${name}\n`);
    files.set(`/${name}`, data);
    await expect(run()).rejects.toThrow("is no memoir that runs here");
    expect(await installed()).toBe(script("1.0.0"));
  });

  test("clients that memoir was installed for are named: what stands in them is the other version's", async () => {
    release("2.0.0");
    const before = { state: "absent" as const, folders: [] };
    const entry = { client: "pi", path: "/p/memoir.js", before, written: "hash" };
    await writeClientLedger(home, [entry, { ...entry, path: "/p/other" }]);
    expect((await run()).out).toContain(
      "`memoir install pi` brings what it wrote into other clients",
    );
  });

  test("the server that runs is handed over to the new one, and none is started where none ran", async () => {
    const noting = (version: string) =>
      `${script(version)}[ "$1" = start ] && echo "${version} $MEMOIR_HOME" >> "$HOME/started"\nexit 0\n`;
    const data = noting("2.0.0");
    files.set("/SHA256SUMS", `${sum(data)}  ${name}\n`);
    files.set(`/${name}`, data);
    const own = join(home, "own");
    await mkdir(join(own, "bin"), { recursive: true, mode: 0o700 });
    await writeFile(join(own, "bin/memoir"), noting("1.0.0"), { mode: 0o755 });
    const upgraded = (options: object) =>
      upgrade(
        undefined,
        { from: `http://127.0.0.1:${server.port}`, unsigned: true, ...options },
        plainTerminal({ cwd: home, env: { ...process.env, HOME: home, MEMOIR_HOME: "own" } }),
      );
    await upgraded({});
    expect(await readFile(join(home, "started"), "utf8").catch(() => "")).toBe("");
    const paths = memoirPaths(own);
    const lock = await acquireLock(paths.serverLock);
    const running = await cannedServer(own, {
      "/api/stop": () => {
        lock?.release();
        return {};
      },
    });
    await upgraded({ back: true });
    await running.stop();
    expect(await readFile(join(home, "started"), "utf8")).toBe(`1.0.0 ${own}\n`);
  });

  test("a server that does not start again is said, with the way back", async () => {
    const data = `${script("2.0.0")}[ "$1" = start ] && { echo broken >&2; exit 3; }\nexit 0\n`;
    files.set("/SHA256SUMS", `${sum(data)}  ${name}\n`);
    files.set(`/${name}`, data);
    const lock = await acquireLock(memoirPaths(home).serverLock);
    const running = await cannedServer(home, {
      "/api/stop": () => {
        lock?.release();
        return {};
      },
    });
    const { code, out } = await run();
    await running.stop();
    expect(code).toBe(1);
    expect(out).toContain(`go back with \`${binary}-previous upgrade --back\`.`);
    expect(out).toContain("The server did not start again:");
    expect(out).toContain("broken");
  });

  test("as it comes it is shown to a person, and the line is cleared; to nobody else, and not as JSON", async () => {
    let at = 1_000_000;
    const shown = async (more: object, options: object = {}) => {
      release("2.0.0");
      await writeFile(binary, script("1.0.0"), { mode: 0o755 });
      const env = { ...process.env, HOME: home, MEMOIR_HOME: home };
      const terminal = plainTerminal({ env, now: () => at, ...more });
      const written: string[] = [];
      const writing = spyOn(process.stdout, "write").mockImplementation((text) => {
        written.push(String(text));
        return true;
      });
      try {
        await upgrade(
          undefined,
          { from: `http://127.0.0.1:${server.port}`, unsigned: true, ...options },
          terminal,
        );
      } finally {
        writing.mockRestore();
      }
      return written;
    };
    const all = `${script("2.0.0").length} B`;
    expect(await shown({ width: 80 })).toEqual([
      `\r\u001b[2Kfetched ${all} of ${all}`,
      "\r\u001b[2K",
    ]);
    expect(await shown({ width: 80 }, { json: true })).toEqual([]);
    expect(await shown({})).toEqual([]);
    at = 50;
    expect(await shown({ width: 80 }), "too soon after the last").toEqual([]);
  });

  test("under Windows the version of before keeps its ending", async () => {
    const exe = join(home, "bin/memoir.exe");
    await writeFile(exe, script("1.0.0"), { mode: 0o755 });
    const terminal = plainTerminal({ platform: "win32", env: { HOME: home, MEMOIR_HOME: home } });
    await writeFile(join(home, "bin/memoir-previous.exe"), script("0.9.0"), { mode: 0o755 });
    expect(await upgrade(undefined, { back: true }, terminal)).toBe(0);
    expect(await readFile(exe, "utf8")).toBe(script("0.9.0"));
    expect((await readdir(join(home, "bin"))).sort()).toEqual([
      ...["memoir", "memoir-previous.exe", "memoir.exe"],
    ]);
  });

  test("a link belongs to a package manager; without a release or an older one it says so", async () => {
    const terminal = plainTerminal({ env: { HOME: home, MEMOIR_HOME: home } });
    await expect(upgrade(undefined, {}, terminal)).rejects.toThrow(
      "No release was named, and this memoir has no address of its own yet.",
    );
    await expect(upgrade(undefined, { back: true }, terminal)).rejects.toMatchObject({
      message: "No version of before is kept.",
      fix: "Only `memoir upgrade` keeps one. An older release is fetched with `memoir upgrade <version> --older`.",
    });
    await rm(binary);
    await expect(upgrade(undefined, {}, terminal)).rejects.toBeInstanceOf(MemoirError);
    await symlink("/bin/sh", binary);
    await expect(run()).rejects.toThrow("is a link");
  });
});

// install.sh against a release served on loopback: it takes the right file, checks its sum, and says what is wrong.
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "bun:test";
import { createHash } from "node:crypto";
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { gzipSync } from "node:zlib";
import { writeScripts } from "../../src/release/folder.ts";
import { outcomeOf } from "../support/outcome-of.ts";
import { type Published, type ReleaseServer, releaseServer } from "../support/signed-release.ts";

const script = resolve(import.meta.dir, "../../src/release/install.sh");
const binary = '#!/bin/sh\necho "ran: $*"\n';
const sum = createHash("sha256").update(binary).digest("hex");
// Which libc a system has is read from the file system, which is this machine's.
const libraries = await readdir("/lib").catch((): string[] => []);
const linux = libraries.some((name) => name.startsWith("ld-musl")) ? "-musl" : "";
const files = new Map<string, string | Uint8Array<ArrayBuffer>>();
let server: ReturnType<typeof Bun.serve>;
let root: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), "memoir-script-"));
  server = Bun.serve({
    hostname: "127.0.0.1",
    port: 0,
    fetch(request) {
      const body = files.get(new URL(request.url).pathname);
      return body === undefined ? new Response("", { status: 404 }) : new Response(body);
    },
  });
});
afterAll(async () => {
  await server.stop(true);
  await rm(root, { recursive: true, force: true });
});
beforeEach(() => files.clear());

interface Machine {
  system: string;
  processor: string;
  /** Programs that are there beside the shell's own; default one of each kind that this machine has. */
  tools?: string[];
  /** What runs the script; default the system's `sh`. */
  shell?: string[];
  /** The script itself, default as no release has filled it. */
  script?: string;
}
const fetcher = Bun.which("curl") ? "curl" : "wget";
const summer = Bun.which("sha256sum") ? ["sha256sum"] : ["shasum", "perl"];
const here: Machine = { system: "Linux", processor: "x86_64" };
const basics = ["sh", "awk", "cut", "mktemp", "rm", "chmod", "cat", "sleep", "sed", "tr", "tail"];

/** Runs the script on a machine of our making: a PATH of chosen programs, and a uname that says what it is told. */
async function run(machine: Machine, args?: string[], env: Record<string, string> = {}) {
  const bin = await mkdtemp(join(root, "bin-"));
  for (const tool of [...basics, ...(machine.tools ?? [fetcher, ...summer])]) {
    const path = Bun.which(tool);
    if (path) await symlink(path, join(bin, tool));
  }
  const uname = `#!/bin/sh\n[ "$1" = -s ] && echo ${machine.system} || echo ${machine.processor}\n`;
  await writeFile(join(bin, "uname"), uname, { mode: 0o755 });
  const temporary = join(bin, "tmp");
  await mkdir(temporary);
  const base = `http://127.0.0.1:${server.port}`;
  const child = Bun.spawn(
    [...(machine.shell ?? ["/bin/sh"]), machine.script ?? script, ...(args ?? [base])],
    {
      env: { PATH: bin, TMPDIR: temporary, HOME: root, ...env },
      stdin: "ignore",
      stdout: "pipe",
      stderr: "pipe",
    },
  );
  const { code, out, err } = await outcomeOf(child);
  expect(await readdir(temporary)).toEqual([]);
  return { out, err, code };
}

function release(name: string, listed = sum): void {
  files.set("/SHA256SUMS", `0000  memoir-other\n${listed}  ${name}\n`);
  files.set(`/${name}`, binary);
}

/** Puts a compressed copy beside the release's file. */
function compressed(name: string, content = binary): void {
  const packed = gzipSync(content);
  const packedSum = createHash("sha256").update(packed).digest("hex");
  files.set("/SHA256SUMS", `${files.get("/SHA256SUMS")}${packedSum}  ${name}.gz\n`);
  files.set(`/${name}.gz`, packed);
}

describe("install.sh", () => {
  const machines: Array<[Machine, string]> = [
    [here, `memoir-linux-x64${linux}`],
    [{ system: "Linux", processor: "aarch64" }, `memoir-linux-arm64${linux}`],
    [{ system: "Darwin", processor: "arm64" }, "memoir-darwin-arm64"],
    [{ system: "Darwin", processor: "x86_64" }, "memoir-darwin-x64"],
    [{ system: "MINGW64_NT-10.0", processor: "x86_64" }, "memoir-windows-x64.exe"],
    [{ ...here, tools: ["wget", "sha256sum"] }, `memoir-linux-x64${linux}`],
    [{ ...here, tools: ["curl", "shasum", "perl"] }, `memoir-linux-x64${linux}`],
  ];
  test.each(machines)("%p runs install with its own binary", async (machine, name) => {
    if ((machine.tools ?? []).some((tool) => !Bun.which(tool))) return;
    release(name);
    const { out, err, code } = await run(machine);
    expect(err).toBe("");
    expect(out).toEndWith("ran: install\n");
    expect(code).toBe(0);
  });

  test("fetches the compressed file where the release has one and it can be unpacked", async () => {
    const name = `memoir-linux-x64${linux}`;
    release(name);
    compressed(name);
    const tools = [fetcher, ...summer];
    const without = await run({ ...here, tools });
    expect(without.out).toContain(`fetching ${name} from`);
    files.delete(`/${name}`);
    const { out, err } = await run({ ...here, tools: [...tools, "gzip"] });
    expect(err).toBe("");
    expect(out).toContain(`fetching ${name}.gz from`);
    expect(out).toEndWith("ran: install\n");
  });

  test("says before it fetches anything that a musl system lacks libstdc++", async () => {
    const name = "memoir-linux-x64-musl";
    release(name);
    const alpine = await mkdtemp(join(root, "alpine-"));
    await mkdir(join(alpine, "lib"));
    await mkdir(join(alpine, "usr/lib"), { recursive: true });
    await writeFile(join(alpine, "lib/ld-musl-x86_64.so.1"), "");
    const env = { MEMOIR_INSTALL_ROOT: alpine };
    expect(await run(here, undefined, env)).toEqual({
      code: 1,
      out: "",
      err: "error: memoir needs libstdc++, which is not installed here\nfix: install it (on Alpine: apk add libstdc++), then run this again\n",
    });
    await writeFile(join(alpine, "usr/lib/libstdc++.so.6"), "");
    expect((await run(here, undefined, env)).out).toEndWith("ran: install\n");
  });

  test("takes the base from the environment and hands arguments on", async () => {
    release(`memoir-linux-x64${linux}`);
    const env = { MEMOIR_RELEASE_URL: `http://127.0.0.1:${server.port}/` };
    expect((await run(here, ["--scope", "project"], env)).out).toEndWith(
      "ran: install --scope project\n",
    );
  });

  const failures: Array<[string, () => void, Machine, string[] | undefined, string]> = [
    ["no url", () => {}, here, [], "no release was named"],
    ["nothing served", () => {}, here, undefined, "has no SHA256SUMS"],
    ["nobody there", () => {}, here, ["http://127.0.0.1:9"], "SHA256SUMS could not be fetched"],
    ["http from elsewhere", () => {}, here, ["http://192.0.2.2/"], "can be changed on the way"],
    [
      "a sign-in page",
      () => files.set("/SHA256SUMS", "\n<!doctype html>"),
      here,
      undefined,
      "is a web page",
    ],
    [
      "an empty list",
      () => files.set("/SHA256SUMS", ""),
      here,
      undefined,
      "this release has no memoir-linux",
    ],
    [
      "no such binary",
      () => release("memoir-x"),
      here,
      undefined,
      "this release has no memoir-linux",
    ],
    [
      "a wrong sum",
      () => release(`memoir-linux-x64${linux}`, "0".repeat(64)),
      here,
      undefined,
      "the sum of memoir-linux-x64",
    ],
    [
      "a compressed file that holds another binary",
      () => {
        release(`memoir-linux-x64${linux}`);
        compressed(`memoir-linux-x64${linux}`, "#!/bin/sh\necho ran: evil\n");
      },
      { ...here, tools: [fetcher, ...summer, "gzip"] },
      undefined,
      `the sum of memoir-linux-x64${linux} is`,
    ],
    [
      "a listed file that is missing",
      () => {
        release(`memoir-linux-x64${linux}`);
        files.delete(`/memoir-linux-x64${linux}`);
      },
      here,
      undefined,
      "could not be fetched",
    ],
    ["a strange system", () => {}, { ...here, system: "Plan9" }, undefined, "no release for Plan9"],
    ["a strange processor", () => {}, { ...here, processor: "riscv64" }, undefined, "riscv64"],
    ["no fetcher", () => {}, { ...here, tools: [] }, undefined, "neither curl nor wget"],
    [
      "nothing to check sums with",
      () => release(`memoir-linux-x64${linux}`),
      { ...here, tools: [fetcher] },
      undefined,
      "neither sha256sum nor shasum nor openssl",
    ],
  ];
  test.each(failures)(
    "%s: says what to do, runs nothing",
    async (_name, prepare, machine, args, message) => {
      prepare();
      const { out, err, code } = await run(machine, args);
      expect(code).toBe(1);
      expect(err).toContain(`error: `);
      expect(err).toContain(message);
      expect(err).toContain("fix: ");
      expect(out).not.toContain("ran:");
    },
  );
});

describe("filled by a release, install.sh", () => {
  let release: ReleaseServer;
  let script: string;
  let unpinned: string;
  beforeAll(async () => {
    release = await releaseServer();
    await publish();
    const folder = await mkdtemp(join(root, "filled-"));
    await writeFile(join(folder, "SHA256SUMS"), String(release.files.get("/SHA256SUMS")));
    const keys = [await release.key("spare"), await release.key("first")];
    [script = ""] = await writeScripts(folder, { address: "", keys });
    // Else the sum of the list would be what is wrong.
    unpinned = join(folder, "unpinned.sh");
    const text = await readFile(script, "utf8");
    await writeFile(unpinned, text.replace(/^sums=.*$/m, "sums=''"));
  });
  afterAll(() => release.stop());
  const publish = (how: Published = {}) => release.publish("2.0.0", { data: binary, ...how });
  const shells = [["sh"], ["dash"], ["busybox", "sh"], ["bash", "--posix"]].flatMap(
    ([program = "", ...more]) => {
      const path = Bun.which(program);
      return path ? [[path, ...more]] : [];
    },
  );
  const by = (tools: string[], pinned = false, shell = ["/bin/sh"]) => {
    const machine = {
      // The release is for the machine that the test runs on.
      system: process.platform === "darwin" ? "Darwin" : "Linux",
      processor: process.arch === "arm64" ? "arm64" : "x86_64",
      ...{ tools: [fetcher, ...summer, ...tools], shell },
    };
    const uses = pinned ? script : unpinned;
    return run({ ...machine, script: uses }, [release.url]);
  };
  const signature = "/SHA256SUMS.minisig";
  const served = (path: string) => String(release.files.get(path));

  test.each(shells)("under %p: checks who signed, by what is here", async (...shell) => {
    await publish();
    const signed = await by(["openssl"], true, shell);
    expect(signed.err).toBe("");
    expect(signed.out).toStartWith(`signed with the key ${await release.key("first")}\nfetching`);
    expect(signed.out).toEndWith("ran: install\n");
    const without = await by([], true, shell);
    expect(without.out).toStartWith("Neither minisign nor a new openssl is here");
    expect(without.out).toEndWith("ran: install\n");
    await publish({ key: "stranger" });
    expect((await by(["openssl"], false, shell)).err).toContain(
      "no key of memoir's publisher signed",
    );
  });

  const refused: Array<[string, () => unknown, boolean, string]> = [
    ["a stranger's", () => publish({ key: "stranger" }), false, "no key of memoir's publisher"],
    [
      "another list's",
      async () => {
        const before = served(signature);
        await publish({ date: "2026-11-28" });
        release.files.set(signature, before);
      },
      false,
      "no key of memoir's publisher",
    ],
    [
      "half a",
      () => release.files.set(signature, served(signature).slice(0, 90)),
      false,
      "no key of memoir's publisher",
    ],
    ["an empty", () => release.files.set(signature, ""), false, "no key of memoir's publisher"],
    ["no", () => release.files.delete(signature), false, "has no signature"],
    [
      "another release's",
      () => publish({ date: "2026-11-28" }),
      true,
      "is not the release of memoir 2.0.0",
    ],
  ];
  const checkers = ["openssl", "minisign"].filter((tool) => Bun.which(tool));
  test.each(refused)("%s signature: runs nothing", async (_name, prepare, pinned, says) => {
    for (const tool of checkers) {
      await publish();
      await prepare();
      const { code, out, err } = await by([tool], pinned);
      expect(err).toContain(says);
      expect(code).toBe(1);
      expect(out).not.toContain("fetching");
    }
  });

  test("minisign says the same", async () => {
    if (!Bun.which("minisign")) return;
    await publish();
    expect((await by(["minisign"])).out).toContain(
      `signed with the key ${await release.key("first")}`,
    );
  });
});

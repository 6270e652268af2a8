// Every way in which a directory can belong to a project, on real files.
import { afterAll, beforeAll, describe, expect, test } from "bun:test";
import { spawnSync } from "node:child_process";
import {
  mkdir,
  mkdtemp,
  realpath,
  rm,
  symlink,
  truncate,
  utimes,
  writeFile,
} from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import process from "node:process";
import plugin, {
  createProjectCache,
  locate,
  mappedProject,
} from "../../../plugins/capture-project/index.ts";
import { clientEvent } from "../../support/client-events.ts";
import { openRoom } from "../../support/plugin-room.ts";

let base = "";
const at = (...parts: string[]) => join(base, ...parts);

async function put(path: string, text: string): Promise<void> {
  await mkdir(dirname(at(path)), { recursive: true });
  await writeFile(at(path), text);
}

const origin = (url: string) => `[core]\n\tbare = false\n[remote "origin"]\n\turl = ${url}\n`;

beforeAll(async () => {
  base = await realpath(await mkdtemp(join(tmpdir(), "memoir-project-")));
  await put("shop/.git/HEAD", "ref: refs/heads/main\n");
  await put("shop/.git/config", origin("git@github.com:acme/shop.git"));
  await put("shop/src/deep/x.ts", "");
  // A worktree of it, outside.
  await put("shop/.git/worktrees/wt/HEAD", "ref: refs/heads/feature/auth\n");
  await put("shop/.git/worktrees/wt/commondir", "../..\n");
  await put("wt/.git", `gitdir: ${at("shop/.git/worktrees/wt")}\n`);
  // A submodule of it, inside.
  await put("shop/vendor/lib/.git", "gitdir: ../../.git/modules/lib\n");
  await put("shop/.git/modules/lib/HEAD", "3f786850e387550fdab836ed7e6dc881de23001b\n");
  await put("shop/.git/modules/lib/config", origin("https://github.com/acme/lib"));
  // No remote, and a worktree of that.
  await put("solo/.git/HEAD", "ref: refs/heads/main\n");
  await put("solo/.git/config", "[core]\n");
  await put("solo/.git/worktrees/w2/HEAD", "ref: refs/heads/two\n");
  await put("solo/.git/worktrees/w2/commondir", "../..\n");
  await put("w2/.git", `gitdir: ${at("solo/.git/worktrees/w2")}\n`);
  // A bare repository with a worktree.
  await put("bare/repo.git/HEAD", "ref: refs/heads/main\n");
  await put("bare/repo.git/config", "[core]\n\tbare = true\n");
  await put("bare/repo.git/worktrees/w3/HEAD", "ref: refs/heads/three\n");
  await put("bare/repo.git/worktrees/w3/commondir", "../..\n");
  await put("bare/w3/.git", `gitdir: ${at("bare/repo.git/worktrees/w3")}\n`);
  await put("plain/sub/x", "");
  await put("odd/.git/not-a-repository", "");
  await put("shop/inner/.git/not-a-repository", "");
  await put("broken/.git", "nonsense");
  await symlink(at("plain"), at("link"));
});
afterAll(() => rm(base, { recursive: true, force: true }));

describe("locate", () => {
  const table: Array<[name: string, cwd: string, expected: Record<string, string | undefined>]> = [
    ["root", "shop", { id: "github.com/acme/shop", name: "shop", root: "shop", branch: "main" }],
    [
      "below",
      "shop/src/deep",
      { id: "github.com/acme/shop", name: "shop", root: "shop", branch: "main" },
    ],
    [
      "worktree",
      "wt",
      { id: "github.com/acme/shop", name: "shop", root: "wt", branch: "feature/auth" },
    ],
    [
      "submodule",
      "shop/vendor/lib",
      { id: "github.com/acme/lib", name: "lib", root: "shop/vendor/lib" },
    ],
    ["no remote", "solo", { id: "=solo", name: "solo", root: "solo", branch: "main" }],
    ["worktree of no remote", "w2", { id: "=solo", name: "solo", root: "w2", branch: "two" }],
    [
      "bare",
      "bare/w3",
      { id: "=bare/repo.git", name: "repo.git", root: "bare/w3", branch: "three" },
    ],
    ["no repository", "plain/sub", { id: "=plain/sub", name: "sub", root: "plain/sub" }],
    ["an empty .git", "odd", { id: "=odd", name: "odd", root: "odd" }],
    [
      "an empty .git inside a repository",
      "shop/inner",
      { id: "github.com/acme/shop", name: "shop", root: "shop", branch: "main" },
    ],
    ["a .git file that says nothing", "broken", { id: "=broken", name: "broken", root: "broken" }],
    ["through a link", "link/sub", { id: "=plain/sub", name: "sub", root: "link/sub" }],
  ];
  for (const [name, cwd, expected] of table) {
    test(name, async () => {
      const id = expected.id?.startsWith("=") ? at(expected.id.slice(1)) : expected.id;
      const located = await locate(at(cwd));
      expect(located?.project as unknown).toEqual({
        ...expected,
        id,
        root: at(expected.root ?? ""),
      });
    });
  }
  test.if(process.platform !== "win32")(
    "a repository of pipes and devices is never waited for",
    async () => {
      const pipe = async (path: string) => {
        await mkdir(dirname(at(path)), { recursive: true });
        expect(spawnSync("mkfifo", [at(path)]).status).toBe(0);
      };
      await put("pipe/.git/HEAD", "ref: refs/heads/main\n");
      await pipe("pipe/.git/config");
      await pipe("pipe2/.git");
      await put("zero/.git/HEAD", "ref: refs/heads/main\n");
      await symlink("/dev/zero", at("zero/.git/config"));
      await put("zero2/x", "");
      await symlink("/dev/zero", at("zero2/.git"));
      await put("huge/.git/HEAD", "ref: refs/heads/main\n");
      await put("huge/.git/config", origin("https://github.com/acme/huge"));
      await truncate(at("huge/.git/config"), 2 ** 32);
      for (const name of ["pipe", "pipe2", "zero", "zero2", "huge"]) {
        const located = await locate(at(name));
        expect(located?.project.id).toBe(at(name));
      }
    },
  );

  test("gone", async () => expect(await locate(at("gone"))).toBeUndefined());
});

describe("the cache", () => {
  test("sees a changed branch and remote, and keeps what is gone", async () => {
    let now = 0;
    const cache = createProjectCache(() => now);
    await put("moving/.git/HEAD", "ref: refs/heads/one\n");
    await put("moving/.git/config", origin("git@github.com:acme/moving.git"));
    expect((await cache.find(at("moving"))).branch).toBe("one");
    await put("moving/.git/HEAD", "ref: refs/heads/another\n");
    expect((await cache.find(at("moving"))).branch).toBe("one");
    now += 1_500;
    expect((await cache.find(at("moving"))).branch).toBe("another");
    await put("moving/.git/config", origin("git@github.com:acme/moved-away.git"));
    now += 1_500;
    expect((await cache.find(at("moving"))).id).toBe("github.com/acme/moved-away");
    await rm(at("moving"), { recursive: true });
    now += 1_500;
    expect((await cache.find(at("moving"))).id).toBe("github.com/acme/moved-away");
    expect(await cache.find(at("never/there"))).toEqual({
      id: at("never/there"),
      name: "there",
      root: at("never/there"),
    });
  });
  test("does not wait for a file system that hangs, and takes its answer when it comes", async () => {
    const project = { id: "github.com/acme/slow", name: "slow", root: "/slow" };
    let answer: (located: { project: typeof project; watched: string[] }) => void = () => {};
    const hanging = new Promise<{ project: typeof project; watched: string[] }>((resolve) => {
      answer = resolve;
    });
    const cache = createProjectCache(
      () => 0,
      () => hanging,
    );
    expect(await cache.find("/slow")).toEqual({ id: "/slow", name: "slow", root: "/slow" });
    answer({ project, watched: [] });
    expect(await cache.find("/slow")).toEqual(project);
  });
  test("looks for a directory that is gone once a second, and finds it again", async () => {
    let now = 0;
    let looks = 0;
    const cache = createProjectCache(
      () => now,
      (cwd) => {
        looks++;
        return locate(cwd);
      },
    );
    for (let event = 0; event < 3; event++)
      expect((await cache.find(at("back"))).id).toBe(at("back"));
    expect(looks).toBe(1);
    await put("back/.git/HEAD", "ref: refs/heads/main\n");
    await put("back/.git/config", origin("git@github.com:acme/back.git"));
    now += 1_500;
    expect((await cache.find(at("back"))).id).toBe("github.com/acme/back");
  });
  test("notices a repository that is made later", async () => {
    let now = 0;
    const cache = createProjectCache(() => now);
    await put("later/x", "");
    expect((await cache.find(at("later"))).id).toBe(at("later"));
    await put("later/.git/HEAD", "ref: refs/heads/main\n");
    await put("later/.git/config", origin("git@github.com:acme/later.git"));
    now += 20_000;
    expect((await cache.find(at("later"))).id).toBe("github.com/acme/later");
  });
});

describe("the plugin", () => {
  test("names the project, keeps one that is set, and leaves odd directories alone", async () => {
    const { hooks } = await openRoom(plugin);
    const { project: _, ...bare } = clientEvent("Stop", { cwd: at("wt") });
    expect((await hooks.reduce("capture", bare)).value).toEqual({
      ...bare,
      project: { id: "github.com/acme/shop", name: "shop", root: at("wt"), branch: "feature/auth" },
    });
    const set = clientEvent("Stop", { cwd: at("wt") });
    expect((await hooks.reduce("capture", set)).value).toEqual(set);
    const odd = { ...bare, cwd: "" };
    expect((await hooks.reduce("capture", odd)).value).toEqual(odd);
  });
  test("a folder that is gone is named by what git and tools said in it, and by the surest of both", async () => {
    const { hooks } = await openRoom(plugin);
    const tested = "ok github.com/acme/shop/internal/db/sql\nok github.com/acme/shop/internal/db";
    const uses: Array<[folder: string, tool: string, input: object, output: string, id: string]> = [
      ["gone", "Read", { file_path: "gone/internal/db/sql/open.go" }, "package sql", "gone"],
      ["gone", "WebFetch", { url: "https://a.example" }, tested, "gone"],
      ["gone", "Bash", { command: "go test ./..." }, tested, "github.com/acme/shop"],
      ["gone", "Read", { file_path: "x" }, "", "github.com/acme/shop"],
      [
        "gone",
        "Bash",
        { command: "git push" },
        "To github.com:ada/shop.git\n",
        "github.com/ada/shop",
      ],
      ["gone", "Bash", { command: "go test ./..." }, tested, "github.com/ada/shop"],
      ["other", "Bash", { command: "go test ./..." }, tested, "other"],
    ];
    for (const [folder, toolName, toolInput, stdout, id] of uses) {
      const { project: _, ...event } = clientEvent("PostToolUse", {
        ...{ cwd: `/h/ada/${folder}`, toolName, toolResponse: { stdout } },
        toolInput: JSON.parse(JSON.stringify(toolInput).replace("gone/", "/h/ada/gone/")),
      });
      const { value } = await hooks.reduce("capture", event);
      const expected = id.includes("/") ? id : `/h/ada/${id}`;
      expect([
        folder,
        stdout,
        (value as typeof event & { project: { id: string } }).project.id,
      ]).toEqual([folder, stdout, expected]);
    }
  });
  test("config maps directories; the longest match wins, and the branch stays", async () => {
    const map = { [at("shop")]: "mono", [at("shop/vendor/")]: "vendored" };
    const { hooks } = await openRoom(plugin, { config: { map } });
    const find = async (cwd: string) => {
      const { project: _, ...event } = clientEvent("Stop", { cwd: at(cwd) });
      const { value } = await hooks.reduce("capture", event);
      return "project" in value ? value.project : undefined;
    };
    expect(await find("shop/src")).toEqual({
      id: "mono",
      name: "mono",
      root: at("shop"),
      branch: "main",
    });
    expect((await find("shop/vendor/lib"))?.id).toBe("vendored");
    expect((await find("solo"))?.id).toBe(at("solo"));
  });
  test("mapped prefixes end at a directory, and ~ is the user's home", () => {
    expect(mappedProject({ "/a/shop": "x" }, "/a/shop-two", "/h")).toBeUndefined();
    expect(mappedProject({ "~/code": "x" }, "/h/code/a", "/h")).toEqual({
      prefix: "/h/code",
      id: "x",
    });
    expect(mappedProject({ "~": "x" }, "/h", "/h")).toEqual({ prefix: "/h", id: "x" });
    expect(mappedProject({ "/": "x" }, "/any", "/h")?.id).toBe("x");
    for (const written of ["C:/code", "c:\\Code\\", "~/code"])
      expect(mappedProject({ [written]: "x" }, "C:\\code\\a", "C:")?.id).toBe("x");
  });
});

describe("what a cache believes", () => {
  const project = { id: "shop", name: "shop", root: "/shop" };
  /** A cache over a look that counts, with the time to set. */
  function open(look: (cwd: string) => Awaited<ReturnType<typeof locate>>) {
    const clock = { now: 1_000 };
    const looked: string[] = [];
    const cache = createProjectCache(
      () => clock.now,
      async (cwd) => {
        looked.push(cwd);
        return look(cwd);
      },
    );
    const findAt = async (now: number, cwd = "/shop") => {
      clock.now = now;
      await cache.find(cwd);
      return looked.length;
    };
    return { looked, findAt };
  }
  test("outside a repository fifteen seconds, unless the clock was set back", async () => {
    const { findAt } = open(() => ({ project, watched: [] }));
    expect(await findAt(1_000)).toBe(1);
    expect(await findAt(15_999)).toBe(1);
    expect(await findAt(16_000)).toBe(2);
    expect(await findAt(15_000)).toBe(3);
  });
  test("of a repository a second from its last look on; then its files tell by time and size", async () => {
    await put("watched/HEAD", "one");
    const path = at("watched/HEAD");
    const time = new Date(1_700_000_000_000);
    const write = async (text: string) => {
      await writeFile(path, text);
      await utimes(path, time, time);
    };
    await write("one");
    const { findAt } = open(() => ({ project, watched: [path] }));
    expect(await findAt(1_000)).toBe(1);
    expect(await findAt(2_000)).toBe(1);
    await write("longer");
    expect(await findAt(2_999)).toBe(1);
    expect(await findAt(3_000)).toBe(2);
  });
  test("of five hundred directories; of more the oldest is looked at again", async () => {
    const { findAt, looked } = open(() => ({ project, watched: [] }));
    for (let number = 0; number <= 500; number++) await findAt(1_000, `/p${number}`);
    expect(looked).toHaveLength(501);
    expect(await findAt(1_000, "/p500")).toBe(501);
    expect(await findAt(1_000, "/p0")).toBe(502);
  });
  test("where a file system answers late: what was known", async () => {
    const clock = { now: 0 };
    const never = new Promise<undefined>(() => {});
    const cache = createProjectCache(
      () => clock.now,
      async () => (clock.now === 0 ? { project, watched: [] } : await never),
    );
    await cache.find("/shop/src");
    clock.now = 20_000;
    expect(await cache.find("/shop/src")).toEqual(project);
  });
});

// One repository has one name, however its remote is written.
import { describe, expect, test } from "bun:test";
import {
  branchOf,
  normaliseRemote,
  remoteInOutput,
  remoteInPaths,
  remoteUrl,
} from "../../../plugins/capture-project/remotes.ts";

const remotes: Array<[url: string, id: string | undefined]> = [
  ["https://github.com/acme/shop.git", "github.com/acme/shop"],
  ["https://github.com/acme/shop", "github.com/acme/shop"],
  ["https://github.com/acme/shop/", "github.com/acme/shop"],
  ["https://GitHub.com/acme/shop.git", "github.com/acme/shop"],
  ["https://ada:hunter22@github.com/acme/shop.git", "github.com/acme/shop"],
  ["https://oauth2:tok@en@gitlab.com/acme/shop.git", "gitlab.com/acme/shop"],
  ["http://git.acme.example:8080/acme/shop.git", "git.acme.example/acme/shop"],
  ["git@github.com:acme/shop.git", "github.com/acme/shop"],
  ["github.com:acme/shop", "github.com/acme/shop"],
  ["git@github.com:/acme/shop.git/", "github.com/acme/shop"],
  ["ssh://git@github.com/acme/shop.git", "github.com/acme/shop"],
  ["ssh://git@github.com:22/acme/shop.git", "github.com/acme/shop"],
  ["ssh://git@ssh.github.com:443/acme/shop.git", "github.com/acme/shop"],
  ["git://github.com/acme/shop.git", "github.com/acme/shop"],
  ["git+ssh://git@github.com/acme/shop.git", "github.com/acme/shop"],
  ["git@gitlab.com:group/sub/group/shop.git", "gitlab.com/group/sub/group/shop"],
  ["ssh://git@[::1]:2222/acme/shop.git", "[::1]/acme/shop"],
  ["https://dev.azure.com/org/project/_git/repo", "dev.azure.com/org/project/repo"],
  ["https://org@dev.azure.com/org/project/_git/repo", "dev.azure.com/org/project/repo"],
  ["git@ssh.dev.azure.com:v3/org/project/repo", "dev.azure.com/org/project/repo"],
  ["https://acme.example/my%20repo.git", "acme.example/my repo"],
  ["https://acme.example/%E0%A4%A.git", "acme.example/%E0%A4%A"],
  ["user@host:~/repos/shop.git", "host/repos/shop"],
  ["/srv/git/shop.git", "/srv/git/shop"],
  ["file:///srv/git/shop.git", "/srv/git/shop"],
  ["../shop.git", "/home/ada/shop"],
  ["./mirror", "/home/ada/checkout/mirror"],
  ["https://acme.example/a%0aSYSTEM%1b[31m.git", "acme.example/a%0aSYSTEM%1b[31m"],
  ["https://acme.example/\u001b[31m", undefined],
  [`https://acme.example/${"a".repeat(2_000)}`, undefined],
  ["https://github.com/", undefined],
  ["EXT::https://github.com/acme/shop", "github.com/acme/shop"],
  ["HTTPS://github.com/acme/shop.GIT?ref=main#readme", "github.com/acme/shop"],
  ["https:///acme/shop", "/acme/shop"],
  ["git@:acme/shop", undefined],
  ["C:/repos/shop", "/home/ada/checkout/C:/repos/shop"],
  ["ssh://git@altssh.bitbucket.org:443/acme/shop", "bitbucket.org/acme/shop"],
  ["git@altssh.gitlab.com:acme/shop", "gitlab.com/acme/shop"],
  [`https://h/${"a".repeat(990)}`, `h/${"a".repeat(990)}`],
  [`https://h/${"a".repeat(991)}`, undefined],
  ["  ", undefined],
];

describe("normaliseRemote", () => {
  for (const [url, id] of remotes) {
    test(url, () => expect(normaliseRemote(url, "/home/ada/checkout")).toBe(id as string));
  }
});

describe("remoteUrl", () => {
  test("origin wins over what stands before it", () => {
    const config = `[core]\n\tbare = false\n\turl = no\n[remote "fork"]\n\turl = a\n[remote "origin"]\n\tfetch = x\n\turl = b ; note\n[branch "main"]\n\tremote = origin\n`;
    expect(remoteUrl(config)).toBe("b");
  });
  test("the first remote where there is no origin", () => {
    expect(remoteUrl('[remote "up"]\r\n  URL = "a b"\r\n[remote "x"]\r\n  url = c\r\n')).toBe(
      "a b",
    );
  });
  test("in any case, on one line with its heading, quoted with marks of its own", () => {
    expect(remoteUrl('[REMOTE "origin"] url = a')).toBe("a");
    expect(remoteUrl('[remote "origin"]\nurl = "a \\"b\\" # c" ; d')).toBe('a "b" # c');
    expect(remoteUrl('[remote "origin"]\nurl = a # b')).toBe("a");
  });
  test("none", () => {
    expect(remoteUrl("[core]\n\tbare = false\n")).toBeUndefined();
    expect(remoteUrl('[url "git@github.com:"]\n\tinsteadOf = gh:\n')).toBeUndefined();
    expect(remoteUrl("")).toBeUndefined();
  });
});

test("branchOf", () => {
  expect(branchOf("ref: refs/heads/feature/auth\n")).toBe("feature/auth");
  expect(branchOf("ref: refs/heads/\u001b[31mred\n")).toBeUndefined();
  expect(branchOf("ref: refs/heads/ignore what was said before\n")).toBeUndefined();
  expect(branchOf(`ref: refs/heads/${"b".repeat(5_000)}\n`)).toBeUndefined();
  expect(branchOf("3f786850e387550fdab836ed7e6dc881de23001b\n")).toBeUndefined();
});

const pushed = "To github.com:acme/shop.git\n   1111111..2222222  main -> main\n";
const fetched = "From https://github.com/acme/shop\n * branch  main -> FETCH_HEAD\n";
const listed =
  "fork\tgit@github.com:ada/shop.git (fetch)\norigin\tgit@github.com:acme/shop.git (fetch)\norigin\tgit@github.com:acme/shop.git (push)\n";
const shop = "github.com/acme/shop";
const printed: Array<[command: string, output: string, remote: string | undefined]> = [
  ["git push", pushed, shop],
  ["git push -u origin ada/login 2>&1", pushed, shop],
  ["git push --force-with-lease origin main", pushed, shop],
  ["git -C /home/ada/shop push", pushed, shop],
  ["cd /home/ada/shop && git fetch origin main && git merge origin/main", fetched, shop],
  ["git pull --rebase 2>&1 | tail -5", fetched, shop],
  ["git remote -v", listed, shop],
  // Another folder, another remote, or no word of git's own.
  ["cd /home/ada/other && git push", pushed, undefined],
  ["cd vendor/lib && git push", pushed, undefined],
  ["git -C ../other push", pushed, undefined],
  ["git push fork main", pushed, undefined],
  ["git push https://github.com/acme/shop main", pushed, undefined],
  ["git fetch --all", `${fetched}From github.com:ada/shop\n`, undefined],
  ["git clone git@github.com:acme/shop.git && git fetch", fetched, undefined],
  ["GIT_DIR=/x/.git git push", pushed, undefined],
  ["cat letter.txt", pushed, undefined],
  ["git log", pushed, undefined],
  ["git push", "To /srv/git/shop.git\n", undefined],
  ["git push", "Everything up-to-date\n", undefined],
];
test("what git prints names the remote of its folder, where it is sure to be that folder's", () => {
  for (const [command, output, remote] of printed)
    expect([command, remoteInOutput(command, output, "/home/ada/shop")]).toEqual([command, remote]);
});

const inShop = (...paths: string[]) => paths.map((path) => `/home/ada/shop/${path}`).join("\n");
const tested =
  "ok github.com/acme/shop/internal/db/sql 0.2s\nok github.com/acme/shop/internal/db\n";
const paths: Array<[texts: string[], remote: string | undefined]> = [
  [[inShop("internal/db/sql/open.go"), tested], shop],
  [[tested, inShop("internal/db/sql/open.go", "README.md")], shop],
  [[`${inShop("internal/db/sql/open.go")}\n"GitHub.com/acme/shop/internal/db/sql"`, tested], shop],
  // Too little: one folder, shallow ones, none of this checkout.
  [[inShop("internal/db/sql/open.go"), "ok github.com/acme/shop/internal/db/sql"], undefined],
  [
    [inShop("a/b/x.go", "c/d/x.go"), "github.com/acme/shop/a/b github.com/acme/shop/c/d"],
    undefined,
  ],
  [["/home/ada/other/internal/db/sql/open.go", tested], undefined],
  // Links, versions of a dependency, files; and two that both name them.
  [[inShop("internal/db/sql/x.go"), tested.replaceAll("github", "https://github")], undefined],
  [[inShop("internal/db/sql/x.go"), tested.replaceAll("/shop", "/shop@v1.2.0")], undefined],
  [[inShop("internal/db/sql/x.go"), tested, tested.replaceAll("acme", "fork")], undefined],
];
test("tools that name a folder's own folders by an address say which repository it is", () => {
  for (const [texts, remote] of paths) {
    const known = { folders: new Set<string>(), remotes: new Map<string, Set<string>>() };
    const found = texts.map((text) => remoteInPaths(known, text, "/home/ada/shop")).at(-1);
    expect([texts, found]).toEqual([texts, remote]);
  }
});

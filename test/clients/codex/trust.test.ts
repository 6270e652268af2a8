// Whether Codex trusts memoir's hooks: what is made of its answer, and of none.
import { expect, test } from "bun:test";
import { mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { findings, lookAtTrust } from "../../../src/clients/codex/index.ts";

const command = '"/opt/memoir" hook codex';
const path = "/home/dev/.codex/hooks.json";
const hook = (trustStatus: string, more: object = {}) => ({
  ...{ key: `${path}:stop:0:0`, command, enabled: true, trustStatus },
  ...more,
});
const answer = (...hooks: object[]) => ({ data: [{ cwd: "/", hooks }] });

test.each([
  ["ok", "it trusts", [hook("trusted"), hook("managed")]],
  ["fail", "1 of memoir's 2 hooks are not trusted: ", [hook("trusted"), hook("untrusted")]],
  ["fail", "as they changed since", [hook("modified")]],
  ["warn", "turned off", [hook("trusted", { enabled: false })]],
  ["warn", "does not read the hooks", [hook("trusted", { command: "other" })]],
  ["warn", "does not read the hooks", []],
])("%s: %s", (state, said, hooks) => {
  expect(findings(answer(...hooks), command, path)).toEqual([
    expect.objectContaining({ state, message: expect.stringContaining(said) }),
  ]);
});

test("an answer of another form is no trust", () => {
  for (const value of [{}, { data: [1, { hooks: {} }] }, { data: { hooks: [] } }])
    expect(findings(value, command, path)).toMatchObject([{ state: "warn" }]);
});

const place = {
  ...{ env: { PATH: "/usr/bin:/bin" }, binary: "", home: undefined, command },
  events: new Map(),
};

test.skipIf(process.platform === "win32")(
  "Codex is asked, and ended by the end of what it is told",
  async () => {
    const folder = await mkdtemp(join(tmpdir(), "memoir-codex-"));
    try {
      const program = join(folder, "codex");
      const result = JSON.stringify({ id: 2, result: answer(hook("trusted")) });
      const script = `#!/bin/sh\nread a; read b; read c\necho '{"method":"configWarning"}'; echo no JSON\ncase "$a$c" in *initialize*hooks/list*) echo '${result}';; esac\ncat >/dev/null\n`;
      await writeFile(program, script, { mode: 0o755 });
      expect(await lookAtTrust(place, path, program)).toMatchObject([{ state: "ok" }]);
      await writeFile(program, "#!/bin/sh\nexit 1\n", { mode: 0o755 });
      expect(await lookAtTrust(place, path, program)).toMatchObject([
        { state: "warn", message: expect.stringContaining("could not be asked") },
      ]);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
);

test("without Codex in the PATH nobody can tell", async () => {
  expect(await lookAtTrust(place, path, "/nowhere/codex")).toMatchObject([{ state: "warn" }]);
});

import { expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { dirname } from "node:path";
import { checkSkill } from "../../../../src/cli/setup/doctor/client-checks.ts";
import { memoirPaths } from "../../../../src/home/paths.ts";
import { textHash } from "../../../../src/install/settings-file.ts";
import { putSkill, skillPath, skillRecordPath } from "../../../../src/install/skill.ts";
import { inFolder } from "../../../support/in-folder.ts";

test("the skill is missing, in place, old, or somebody else's", () =>
  inFolder(async (root) => {
    const env = { HOME: root };
    const path = skillPath(env);
    const paths = memoirPaths(`${root}/home`);
    await mkdir(paths.home);
    const found = async () =>
      (await checkSkill({ paths }, { env, cwd: root })).map(({ state, message }) => [
        state,
        message,
      ]);
    expect(await found()).toEqual([["warn", `there is no ${path}`]]);
    expect(await putSkill(paths.home, env)).toBe(path);
    expect(await putSkill(paths.home, env)).toBeUndefined();
    expect(await found()).toEqual([["ok", path]]);
    await writeFile(path, "of old");
    expect((await found())[0]?.[1]).toContain("somebody else");
    expect(await putSkill(paths.home, env)).toBeUndefined();
    const record = { path, written: textHash("of old"), folders: [dirname(path)] };
    await writeFile(skillRecordPath(paths.home), JSON.stringify(record));
    expect((await found())[0]?.[1]).toContain("another version");
    expect(await putSkill(paths.home, env)).toBe(path);
    expect(await found()).toEqual([["ok", path]]);
  }));

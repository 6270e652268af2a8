// `memoir memory redact`: what would go and by which rule, without ever printing it.
import { afterEach, beforeEach, describe, expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { redact } from "../../../src/cli/setup/redact.ts";
import { useOwnRedaction } from "../../../src/privacy/redact.ts";
import { fake } from "../../privacy/corpus/fake.ts";
import { ownHome } from "../../support/own-home.ts";
import { plainTerminal } from "../../support/plain-terminal.ts";

let place: Awaited<ReturnType<typeof ownHome>>;
beforeEach(async () => {
  place = await ownHome();
  await mkdir(place.home);
});
afterEach(async () => {
  await useOwnRedaction({ rules: {}, allow: [] });
  await place.end();
});

const { text, secrets } = fake("HOST=db\nDB_PASSWORD=«{a16}»\nkey ghp_«{a36}»\n", "command");

async function run(content: string | Uint8Array, options = {}) {
  await writeFile(join(place.root, "given.txt"), content);
  const env = { HOME: place.root, MEMOIR_HOME: place.home };
  const terminal = plainTerminal({ cwd: place.root, env });
  const code = await redact("given.txt", options, terminal);
  return { code, out: terminal.out.join("\n"), err: terminal.err.join("\n") };
}

describe("memoir memory redact", () => {
  test("names place, rule and length of each, never the secret", async () => {
    const { code, out } = await run(text);
    expect(code).toBe(0);
    expect(out).toContain("2:13     named-value  16 characters become [redacted:password]");
    expect(out).toContain("3:5      github-token  40 characters become [redacted:github-token]");
    for (const secret of secrets) expect(out).not.toContain(secret.slice(0, 6));
  });

  test("--json gives the same as data, --text what is left", async () => {
    const { out } = await run(text, { json: true });
    expect(JSON.parse(out)).toMatchObject({
      privateCharacters: 0,
      found: [
        { rule: "named-value", kind: "password", line: 2, column: 13, length: 16 },
        { rule: "github-token", kind: "github-token", line: 3, column: 5, length: 40 },
      ],
    });
    expect(Object.keys(JSON.parse(out))).toEqual(["found", "privateCharacters"]);
    const both = JSON.parse((await run(text, { json: true, text: true })).out);
    expect(both.text).toContain("DB_PASSWORD=[redacted:password]");
    expect((await run(text, { text: true })).out).toBe(
      "HOST=db\nDB_PASSWORD=[redacted:password]\nkey [redacted:github-token]\n",
    );
  });

  test("says of what cannot be looked through in time that it goes unread", async () => {
    const dense = `${"{SMD5}".repeat(2_000)}${secrets[0]}`;
    const { out } = await run(dense);
    expect(out).toMatch(/unchecked {2}\d{4,5} characters become \[redacted:unchecked\]/);
    expect(out).toContain("could not be looked through in the time that its length allows");
    const { out: left } = await run(dense, { text: true });
    expect(left).not.toContain(secrets[0] ?? "");
  });

  test("says when nothing would go, and counts private passages", async () => {
    expect((await run("plain words")).out).toBe("Nothing would be removed.");
    expect((await run("a <private>rosebud</private> b")).out).toBe(
      "26 characters between <private> and </private> are removed.",
    );
  });

  test("options of what is stored are refused for a text, not passed over", async () => {
    for (const options of [{ backups: true }, { yes: true }, { dryRun: true }])
      await expect(run("plain words", options)).rejects.toMatchObject({ code: "usage" });
  });

  test("follows the rules of the config, and says which of them are not in force", async () => {
    const rules = { staff: "EMP-\\d+" };
    await writeFile(
      join(place.home, "config.json"),
      JSON.stringify({ privacy: { redact: { rules } } }),
    );
    expect((await run("ask EMP-12345")).out).toContain(
      "own:staff  9 characters become [redacted:staff]",
    );
  });

  test.each([
    ["a file that is not there", "none.txt"],
    ["a folder", "."],
    ["no text", "zero.bin"],
  ])("refuses %s", async (_, name) => {
    await writeFile(join(place.root, "zero.bin"), new Uint8Array([65, 0, 66]));
    const terminal = plainTerminal({ cwd: place.root, env: { MEMOIR_HOME: place.home } });
    const refused = await redact(name, {}, terminal).catch((error) => error);
    expect(refused.code).toBe("file_unusable");
    expect(terminal.out).toEqual([]);
  });
});

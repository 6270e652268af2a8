// A server that takes longer to come up than a small one ever does: whoever starts it waits, and is told what it does.
import { afterEach, expect, test } from "bun:test";
import { mkdir, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { type CompiledHome, compiledHome } from "../support/compiled.ts";

let room: CompiledHome;
afterEach(() => room.end());

/** Holds up the whole process while it is imported, as the opening of some gigabytes does. */
const slow = `const until = Date.now() + 14_000;
if (process.argv.includes("serve")) while (Date.now() < until);
export default { name: "slow", sdk: 1, description: "Comes late.", hooks: { Stop: async () => undefined } };
`;

test("start waits while the server comes up, and says what it does; so does whoever asks for something", async () => {
  room = await compiledHome();
  await mkdir(join(room.home, "plugins"), { recursive: true });
  await writeFile(join(room.home, "plugins/slow.ts"), slow);
  await writeFile(
    join(room.home, "config.json"),
    JSON.stringify({ plugins: { slow: { inProcess: true } } }),
  );
  const [started, asked] = await Promise.all([
    room.run(["server", "start"], { hearsWaiting: true }),
    room.run(["search", "x"]),
  ]);
  expect(started).toMatchObject({
    code: 0,
    out: expect.stringMatching(/^memoir \S+ started \(pid/),
  });
  expect(started.err).toMatch(
    /^memoir is starting: opening (?:[\d.]+ \w+ of memory and )?its plugins; waiting for it …\n$/,
  );
  expect(asked).toMatchObject({ code: 0 });
  expect(await room.run(["server", "start"])).toMatchObject({ code: 0, err: "" });
}, 180_000);

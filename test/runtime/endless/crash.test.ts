// An original that was answered for is there after kill -9 at any instant: a child keeps until it is killed, again and again.
import { expect, test } from "bun:test";
import { join } from "node:path";
import { appendAndKill } from "../../support/append-and-kill.ts";
import { openEndlessRoom } from "../../support/endless-room.ts";

const kills = 12;

test("every original that was answered for comes back exactly after each kill", async () => {
  const room = await openEndlessRoom();
  try {
    const script = join(import.meta.dir, "keep-until-killed.ts");
    const answered = new Set<number>();
    for (let kill = 0; kill < kills; kill++) {
      const first = Math.max(-1, ...answered) + 1;
      for (const number of await appendAndKill([script, room.path, String(first)], 1 + kill * 4))
        answered.add(number);
    }
    expect(answered.size).toBeGreaterThan(kills);
    for (const number of answered) {
      const { value } = await room.endless.recallValue({ id: `t${number}.` });
      expect(value).toEqual({ stdout: `${number} `.repeat(2_000) });
    }
    expect((await room.endless.status()).damaged).toEqual([]);
  } finally {
    await room.close();
  }
}, 180_000);

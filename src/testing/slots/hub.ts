// What a hub promises: a batch that it took is there for good, whole, in order, once; and spaces know nothing of each other.
import assert from "node:assert/strict";
import { createHash, randomBytes } from "node:crypto";
import type { HookInput } from "../../sdk/hooks.ts";
import { type Room, type SuiteCase, suiteCase } from "../room.ts";
import type { TestHost } from "../test-host.ts";

const megabyte = 1 << 20;

/** Every byte there is, with ends that a text would lose. */
const hostile = new Uint8Array([0, 255, ...Array.from({ length: 256 }, (_, i) => i), 13, 10, 0]);

function bytesOf(text: string): Uint8Array {
  return new TextEncoder().encode(text);
}

/** A space and streams that no other case has: a hub may be one that lives on. */
async function opened(room: Room) {
  const host = await room.open();
  const name = () => randomBytes(16).toString("hex");
  return { host, space: name(), stream: `s-${name()}`, other: name() };
}

function call<Name extends `hub.${string}` & Parameters<TestHost["call"]>[0]>(
  host: TestHost,
  hook: Name,
  input: HookInput<Name>,
) {
  return host.call(hook, input).then((answer) => {
    assert.ok(answer, `${hook} has to answer`);
    return answer;
  });
}

/** All that a space holds, where it is little. */
const heldIn = (host: TestHost, space: string) =>
  call(host, "hub.pull", { space, after: {}, bytes: 4 * megabyte });

const texts = (batches: ReadonlyArray<{ number: number; bytes: Uint8Array }>) =>
  batches.map(({ number, bytes }) => `${number}:${new TextDecoder().decode(bytes)}`);

/** To each stream its first batches, of a thousand bytes. */
async function fill(host: TestHost, space: string, streams: readonly string[], most: number) {
  for (const stream of streams)
    for (let number = 1; number <= most; number += 1) {
      const bytes = new Uint8Array(1_000).fill(number);
      await call(host, "hub.push", { space, stream, number, bytes });
    }
}

function assertSame(bytes: Uint8Array, found: Uint8Array | undefined, words: string): void {
  assert.ok(Buffer.from(bytes).equals(found ?? Buffer.of()), words);
}

export const hubCases: readonly SuiteCase[] = [
  suiteCase("gives back what was pushed, whole and in order", async (room) => {
    const { host, space, stream } = await opened(room);
    const sent = [hostile, bytesOf("second"), new Uint8Array(megabyte).fill(7)];
    for (const [at, bytes] of sent.entries()) {
      const pushed = await call(host, "hub.push", { space, stream, number: at + 1, bytes });
      assert.deepEqual(pushed, { state: "stored", number: at + 1 });
    }
    const { batches, heads, more } = await heldIn(host, space);
    assert.equal(more, false, "nothing is left");
    assert.deepEqual(
      batches.map(({ number }) => number),
      [1, 2, 3],
    );
    for (const [at, bytes] of sent.entries())
      assertSame(bytes, batches[at]?.bytes, `batch ${at + 1} comes back with other bytes`);
    const digest = createHash("sha256")
      .update(sent[2] ?? "")
      .digest("hex");
    assert.deepEqual(heads, [{ stream, number: 3, digest }]);
  }),

  suiteCase("takes a repeat as one, and no other bytes for a number", async (room) => {
    const { host, space, stream } = await opened(room);
    const first = { space, stream, number: 1, bytes: bytesOf("one") };
    const states = [];
    for (const bytes of ["one", "one", "another"].map(bytesOf))
      states.push((await call(host, "hub.push", { ...first, bytes })).state);
    assert.deepEqual(states, ["stored", "there", "taken"]);
    const { batches } = await heldIn(host, space);
    assert.deepEqual(texts(batches), ["1:one"]);
  }),

  suiteCase("takes the same push twenty times at once as one", async (room) => {
    const { host, space, stream } = await opened(room);
    const push = { space, stream, number: 1, bytes: bytesOf("one") };
    const all = await Promise.all(Array.from({ length: 20 }, () => call(host, "hub.push", push)));
    const states = all.map(({ state }) => state);
    assert.ok(states.includes("stored"), "one of them stores it");
    assert.ok(!states.includes("taken"), "none of them is another's");
    const { batches } = await heldIn(host, space);
    assert.deepEqual(texts(batches), ["1:one"]);
  }),

  suiteCase("refuses a gap and says how much it has", async (room) => {
    const { host, space, stream } = await opened(room);
    const push = (number: number) =>
      call(host, "hub.push", { space, stream, number, bytes: bytesOf(`${number}`) });
    assert.deepEqual(await push(2), { state: "behind", number: 0 });
    await push(1);
    assert.deepEqual(await push(5), { state: "behind", number: 1 });
    const { batches } = await heldIn(host, space);
    assert.deepEqual(texts(batches), ["1:1"]);
  }),

  suiteCase("reads on from where a reader is, in pieces that have an end", async (room) => {
    const { host, space, stream } = await opened(room);
    const streams = [stream, `${stream}-b`];
    await fill(host, space, streams, 6);
    const after: Record<string, number> = { [stream]: 2 };
    const seen: string[] = [];
    for (let round = 0; round < 30; round += 1) {
      const { batches, more } = await call(host, "hub.pull", { space, after, bytes: 2_500 });
      assert.ok(batches.length <= 6, "an answer stays about as large as it was asked to be");
      for (const { stream: from, number } of batches) {
        assert.equal(number, (after[from] ?? 0) + 1, "no batch is left out");
        after[from] = number;
        seen.push(`${from}/${number}`);
      }
      if (!more) break;
      assert.ok(batches.length > 0, "while there is more, something comes");
    }
    assert.equal(seen.length, 10);
    assert.deepEqual(after, Object.fromEntries(streams.map((one) => [one, 6])));
  }),

  suiteCase("gives the newest first where it is asked to", async (room) => {
    const { host, space, stream } = await opened(room);
    for (let number = 1; number <= 5; number += 1)
      await call(host, "hub.push", { space, stream, number, bytes: bytesOf(`${number}`) });
    const { batches } = await call(host, "hub.pull", {
      space,
      after: {},
      bytes: megabyte,
      newest: 2,
    });
    assert.deepEqual(texts(batches), ["4:4", "5:5"]);
  }),

  suiteCase(
    "gives the last of each stream before what is older, where not all fits",
    async (room) => {
      const { host, space, stream } = await opened(room);
      const streams = [stream, `${stream}-b`];
      await fill(host, space, streams, 5);
      const asked = { space, after: {}, bytes: 3_500, newest: 9 };
      const { batches } = await call(host, "hub.pull", asked);
      assert.deepEqual(
        batches.map((one) => `${streams.indexOf(one.stream)}/${one.number}`),
        ["0/4", "0/5", "1/4", "1/5"],
      );
    },
  ),

  suiteCase("keeps files by name, and lets the first of two have a new one", async (room) => {
    const { host, space, other } = await opened(room);
    const write = (name: string, text: string, isNew?: true) =>
      call(host, "hub.write", { space, name, bytes: bytesOf(text), ...(isNew ? { isNew } : {}) });
    assert.deepEqual(await write("charter/2-ab", "two", true), { written: true });
    assert.deepEqual(await write("charter/2-ab", "late", true), { written: false });
    await write("charter/1-cd", "one", true);
    await write("seen/x", "then");
    await write("seen/x", "now");
    const read = async (prefix: string, from = space) =>
      (await call(host, "hub.files", { space: from, prefix })).files.map(
        ({ name, bytes }) => `${name}=${new TextDecoder().decode(bytes)}`,
      );
    assert.deepEqual(await read("charter/"), ["charter/1-cd=one", "charter/2-ab=two"]);
    assert.deepEqual(await read("seen/"), ["seen/x=now"]);
    assert.deepEqual(await read("", other), [], "another space has none of them");
    await call(host, "hub.remove", { space, names: ["seen/x", "seen/never"] });
    assert.deepEqual(await read("seen/"), []);
  }),

  suiteCase(
    "keeps snapshots of any bytes, and gives those of one stream by their tens",
    async (room) => {
      const { host, space, stream } = await opened(room);
      const large = new Uint8Array(megabyte).map((_, at) => at % 251);
      const name = (of: string, number: number) =>
        `snapshot/${of}/${String(number).padStart(9, "0")}`;
      for (const number of [0, 9, 10, 19, 20])
        await call(host, "hub.write", { space, name: name(stream, number), bytes: hostile });
      await call(host, "hub.write", { space, name: name(`${stream}0`, 11), bytes: hostile });
      await call(host, "hub.write", { space, name: name(stream, 12), bytes: large });
      const prefix = name(stream, 10).slice(0, -1);
      const { files } = await call(host, "hub.files", { space, prefix });
      const names = files.map((file) => file.name);
      assert.deepEqual(
        names,
        [10, 12, 19].map((number) => name(stream, number)),
      );
      for (const [at, bytes] of [hostile, large, hostile].entries())
        assertSame(bytes, files[at]?.bytes, "as it was written");
    },
  ),

  suiteCase("has it all after a restart, and nothing in another space", async (room) => {
    const { host, space, stream, other } = await opened(room);
    await call(host, "hub.push", { space, stream, number: 1, bytes: hostile });
    await host.stop();
    const again = await room.open();
    const { batches } = await heldIn(again, space);
    assertSame(hostile, batches[0]?.bytes, "what was pushed is there after a restart");
    assert.deepEqual(await heldIn(again, other), { batches: [], heads: [], more: false });
  }),

  suiteCase("wakes who waits when something comes, and else when told to", async (room) => {
    const { host, space, stream } = await opened(room);
    await call(host, "hub.push", { space, stream, number: 1, bytes: hostile });
    assert.deepEqual(await call(host, "hub.wait", { spaces: [space], ms: 300 }), {
      changed: false,
    });
    const waiting = call(host, "hub.wait", { spaces: [space], ms: 20_000 });
    await new Promise((resolve) => setTimeout(resolve, 300));
    await call(host, "hub.push", { space, stream, number: 2, bytes: hostile });
    assert.deepEqual(await waiting, { changed: true });
  }),

  suiteCase("says where it is and that it is well", async (room) => {
    const { host, space } = await opened(room);
    const { ok, where, trouble } = await call(host, "hub.health", { space });
    assert.ok(ok, `a hub that works says so, and this one says: ${trouble}`);
    assert.match(where, /\S/);
  }),
];

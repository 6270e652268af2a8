// What an answer took, read while it passes by.
import { describe, expect, test } from "bun:test";
import * as zlib from "node:zlib";
import { tapUsage } from "../../../src/server/gateway/send-on.ts";

const start = {
  type: "message_start",
  message: {
    model: "claude-x",
    usage: {
      input_tokens: 10,
      cache_read_input_tokens: 900,
      cache_creation_input_tokens: 40,
      output_tokens: 1,
    },
  },
};
const delta = { type: "message_delta", usage: { output_tokens: 77 } };
const events = (...all: object[]) =>
  all.map((event) => `event: x\ndata: ${JSON.stringify(event)}\n\n`).join("");
const took = {
  model: "claude-x",
  usage: { input: 10, output: 77, cacheRead: 900, cacheWrite: 40 },
};

/** What is reported of an answer that comes in pieces of so many bytes. */
async function reported(
  answer: string | Uint8Array,
  {
    type = "text/event-stream; charset=utf-8",
    encoding,
    bytes = 7,
  }: { type?: string; encoding?: string; bytes?: number } = {},
) {
  const headers = new Headers({ "content-type": type });
  if (encoding) headers.set("content-encoding", encoding);
  const tap = tapUsage(headers);
  const whole = typeof answer === "string" ? new TextEncoder().encode(answer) : answer;
  for (let at = 0; at < whole.length; at += bytes) tap.write(whole.subarray(at, at + bytes));
  return tap.end();
}

describe("a stream of events", () => {
  const said = {
    type: "content_block_delta",
    delta: { text: '"message_delta" {"usage":{"output_tokens":5}}' },
  };

  test("tells what went in with its first message and what came out with its last delta", async () => {
    expect(await reported(events(start, said, delta))).toEqual(took);
  });

  test("that breaks off tells what it told so far", async () => {
    const { usage } = await reported(events(start, said));
    expect(usage).toEqual({ ...took.usage, output: 1 });
    expect(await reported(events(said))).toEqual({});
  });

  test.each(["gzip", "deflate", "br", "zstd"])("is read through %s", async (encoding) => {
    const pack = {
      gzip: zlib.gzipSync,
      deflate: zlib.deflateSync,
      br: zlib.brotliCompressSync,
      zstd: zlib.zstdCompressSync,
    };
    const bytes = pack[encoding as keyof typeof pack](events(start, delta));
    expect(await reported(bytes, { encoding })).toEqual(took);
  });

  test("in an encoding that is not known, or not what it says, tells nothing and breaks nothing", async () => {
    expect(await reported(events(start, delta), { encoding: "snappy" })).toEqual({});
    expect(await reported(events(start, delta), { encoding: "gzip" })).toEqual({});
  });

  test("in lines without an end that is passed over twice, and what follows counts", async () => {
    const endless = `data: ${"x".repeat(1_200_000)}\n`;
    const all = endless + events(start) + endless + events(delta);
    expect(await reported(all, { bytes: 50_000 })).toEqual(took);
  });

  test("takes a model from its message only, and counts that come later for those of before", async () => {
    const more = { type: "message_delta", usage: { input_tokens: 0, output_tokens: 78 } };
    const indented = `  data: ${JSON.stringify(more)}\n`;
    expect(await reported(events(start, delta) + indented)).toEqual(took);
    expect(await reported(events(start, delta, more))).toEqual({
      ...{ model: "claude-x", usage: { ...took.usage, input: 0, output: 78 } },
    });
    const far = { index: "x".repeat(60), ...delta };
    expect((await reported(events(start, far))).usage?.output).toBe(1);
    expect(await reported('data: {"type":"message_start"\n')).toEqual({});
  });
});

describe("a whole answer", () => {
  const json = { type: "application/json" };
  const answer = { model: "claude-x", usage: { ...start.message.usage, output_tokens: 77 } };

  test("tells its model and usage; a count that is none is 0", async () => {
    expect(await reported(JSON.stringify(answer), json)).toEqual(took);
    expect(await reported('{"usage":{"input_tokens":"many"}}', json)).toEqual({
      usage: { input: 0, output: 0, cacheRead: 0, cacheWrite: 0 },
    });
  });

  test("of another type, without usage, or too long to be looked at tells nothing", async () => {
    expect(await reported(JSON.stringify(answer), { type: "text/html" })).toEqual({});
    expect(await reported('{"error":"x"}', json)).toEqual({});
    const long = JSON.stringify({ ...answer, text: "x".repeat(1_200_000) });
    expect(await reported(long, { ...json, bytes: 100_000 })).toEqual({});
  });
});

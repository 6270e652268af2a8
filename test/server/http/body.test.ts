// Bodies at the edge: read once, whatever their content type says, and up to a limit, announced or not.
import { describe, expect, test } from "bun:test";
import { readJson, readText } from "../../../src/server/hook-route.ts";
import { createServer } from "../../../src/server/server.ts";
import { appOptions } from "../app-options.ts";

/** A body in pieces, whose length no header says. */
const streamed = (...pieces: string[]) =>
  new Request("http://localhost/", {
    method: "POST",
    body: new ReadableStream({
      start(controller) {
        for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece));
        controller.close();
      },
    }),
  });

describe("a limit", () => {
  test.each([
    ["streamed, below it", streamed("12345", "67890"), "1234567890"],
    [
      "announced, below it",
      new Request("http://localhost/", { method: "POST", body: "123" }),
      "123",
    ],
  ])("%s", async (_, request, expected) => {
    expect(await readText(request, 10)).toBe(expected);
  });

  const announced = { "content-length": "11" };
  test.each([
    ["streamed, above it in the last piece", streamed("12345", "67890", "1")],
    [
      "announced, above it",
      new Request("http://localhost/", {
        method: "POST",
        body: "1".repeat(11),
        headers: announced,
      }),
    ],
  ])("%s", async (_, request) => {
    await expect(readText(request, 10)).rejects.toMatchObject({ code: "payload_too_large" });
  });

  test("a character that two pieces share is whole", async () => {
    const bytes = new TextEncoder().encode('"ü"');
    const request = new Request("http://localhost/", {
      method: "POST",
      body: new ReadableStream({
        start(controller) {
          for (const byte of bytes) controller.enqueue(new Uint8Array([byte]));
          controller.close();
        },
      }),
    });
    expect(await readJson(request)).toBe("ü");
  });
});

describe("an empty body is none, and is not read twice", () => {
  const types = ["application/json", "text/plain", "application/x-www-form-urlencoded"];
  test.each([...types, "multipart/form-data; boundary=x"])("%s", async (type) => {
    const { fetch } = createServer({ ...appOptions(), token: "t" });
    const request = { method: "POST", headers: { "content-type": type }, body: " " };
    const answer = await fetch(new Request("http://localhost/api/retry", request));
    expect([answer.status, await answer.json()]).toEqual([200, { retried: 3 }]);
  });
});

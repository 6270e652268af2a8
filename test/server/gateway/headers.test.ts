// Which headers pass the gateway, and which belong to one connection only.
import { expect, test } from "bun:test";
import { answerHeaders, requestHeaders } from "../../../src/server/gateway/send-on.ts";

const sent = {
  ...{ host: "localhost:1", "content-length": "12", "transfer-encoding": "chunked" },
  ...{ connection: "keep-alive, x-hop, not a name", "x-hop": "1", "keep-alive": "timeout=5" },
  ...{ "x-api-key": "k", "anthropic-beta": "a,b" },
};

test("a request's: length and host are set anew, by the body and the address that it goes to", () => {
  const kept = requestHeaders(new Headers(sent));
  expect(Object.fromEntries(kept)).toEqual({ "x-api-key": "k", "anthropic-beta": "a,b" });
});

test("an answer's: its length is the upstream's", () => {
  const kept = answerHeaders(new Headers({ ...sent, "content-length": "12" }));
  expect(kept.get("content-length")).toBe("12");
  expect([kept.has("connection"), kept.has("x-hop"), kept.has("keep-alive")]).toEqual([
    ...[false, false, false],
  ]);
});

test("what belongs to one connection stays on it, whichever it is", () => {
  const names = [
    ...["connection", "expect", "keep-alive", "proxy-authenticate", "proxy-authorization"],
    ...["proxy-connection", "te", "trailer", "transfer-encoding", "upgrade"],
  ];
  for (const name of names)
    for (const pass of [requestHeaders, answerHeaders])
      expect([...pass(new Headers({ [name]: "x", accept: "y" })).keys()]).toEqual(["accept"]);
  expect(Object.fromEntries(answerHeaders(new Headers({ host: "h" })))).toEqual({ host: "h" });
});

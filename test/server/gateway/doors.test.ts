// The gateway with its own strategy before a scripted API behind each of the API's doors: what is shortened arrives, what is refused goes
// out whole and stays so over a restart, and what comes by another cloud's door passes byte for byte.
import { afterEach, describe, expect, test } from "bun:test";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { loadHost } from "../../../src/host/index.ts";
import { createGateway } from "../../../src/server/gateway/gateway.ts";
import { writeNetwork } from "../../../src/server/gateway/proxy.ts";
import { type OpenStrategy, openStrategy } from "../../plugins/endless-gateway/open-strategy.ts";
import { connectProxy } from "../../support/connect-proxy.ts";
import { type FakeHooks, fakeHooks } from "../../support/fake-hooks.ts";
import { freePort } from "../../support/free-port.ts";
import { type KeptLog, keptLog } from "../../support/kept-log.ts";
import { type RawUpstream, rawUpstream, whole } from "../../support/raw-upstream.ts";

const cleanups: Array<() => Promise<unknown>> = [];
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup();
});

const thinking = { type: "thinking", thinking: "Grüße 🙂", signature: "c2lnbmVk" };
const content = "x".repeat(9_000);
const prompt = { role: "user", content: "Write them." };
/** A session in which the agent thought and wrote thirty files, and is asked for more. */
const written = [
  prompt,
  ...Array.from({ length: 30 }, (_, at) => [
    {
      role: "assistant",
      content: [
        thinking,
        {
          type: "tool_use",
          id: `w${at}`,
          name: "Write",
          input: { file_path: `/p/${at}`, content },
        },
      ],
    },
    { role: "user", content: [{ type: "tool_result", tool_use_id: `w${at}`, content: "ok" }] },
  ]).flat(),
];
const asked = [...written, { role: "assistant", content: "Written." }, prompt];
const bodyOf = (messages: object[]) => JSON.stringify({ model: "claude-x", messages });
const cleared = "Input removed";
const count = (text: string, part: string) => text.split(part).length - 1;

interface Door {
  port: number;
  hooks: FakeHooks;
  log: KeptLog;
  strategy: OpenStrategy;
  /** As after a kill: what is on disk is all that is known. */
  restart(): Promise<void>;
}

/** A gateway on to `upstream`, over a home of its own. */
async function openDoor(upstream: string, proxy?: string): Promise<Door> {
  const home = await mkdtemp(join(tmpdir(), "memoir-doors-"));
  cleanups.push(() => rm(home, { recursive: true, force: true }));
  if (proxy !== undefined) await writeNetwork(home, { noProxy: "", http: proxy });
  const strategy = await openStrategy();
  cleanups.push(() => strategy.stop());
  const log = keptLog();
  const port = await freePort();
  const hooks = fakeHooks({
    async request(request) {
      const { body, ...more } = request;
      const out = await strategy.send(body as never, more);
      return (out as object) === body ? request : { ...request, body: out };
    },
    async responded({ refused }) {
      await strategy.answer(refused);
      return undefined;
    },
  });
  const host = await loadHost();
  const make = () =>
    createGateway({
      ...{ host, log, home, now: Date.now, hooks: () => hooks },
      settings: async () => ({ enabled: true, port, upstream }),
    });
  let gateway = make();
  await gateway.apply();
  cleanups.push(() => gateway.stop(50));
  return {
    ...{ port, hooks, log, strategy },
    async restart() {
      await gateway.stop(50);
      await strategy.restart();
      gateway = make();
      await gateway.apply();
    },
  };
}

async function send(port: number, session: string, messages: object[]): Promise<number> {
  const answer = await fetch(`http://127.0.0.1:${port}/v1/messages?beta=true`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-claude-code-session-id": session },
    body: bodyOf(messages),
  });
  await answer.text();
  return answer.status;
}

const json = { "content-type": "application/json" };
const why = "messages.1.content.1: input must be as it was signed";

/** An API that takes no cleared input where `isStrict` says so. */
async function scriptedApi(isStrict: () => boolean): Promise<RawUpstream> {
  const api = await rawUpstream((socket, { body }) => {
    const isRefused = isStrict() && body.toString().includes(cleared);
    const error = JSON.stringify({ type: "error", error: { message: why } });
    if (isRefused) socket.end(whole("400 Bad Request", json, error));
    else socket.end(whole("200 OK", json, "{}"));
  });
  cleanups.push(() => api.stop());
  return api;
}

const doors: Array<[name: string, open: (api: RawUpstream) => Promise<Door>, path: string]> = [
  ["the API's own address", (api) => openDoor(api.url), "/v1/messages?beta=true"],
  [
    "an ANTHROPIC_BASE_URL of one's own, with a path",
    (api) => openDoor(`${api.url}/gate/anthropic/`),
    "/gate/anthropic/v1/messages?beta=true",
  ],
  [
    "an HTTP proxy",
    async (api) => {
      const proxy = await connectProxy({ hosts: { "api.example:80": api.port } });
      cleanups.push(() => proxy.stop());
      return openDoor("http://api.example", proxy.url);
    },
    "/v1/messages?beta=true",
  ],
];

describe.each(doors)("behind %s", (_name, open, path) => {
  test("a shortened request arrives, its thinking as it was signed", async () => {
    const api = await scriptedApi(() => false);
    const { port } = await open(api);
    expect(await send(port, "s1", written)).toBe(200);
    expect(await send(port, "s1", asked)).toBe(200);
    const [first, second] = api.requests.map(({ line, body }) => [line, body.toString()] as const);
    expect(first).toEqual([`POST ${path}`, bodyOf(written)]);
    expect(second?.[0]).toBe(`POST ${path}`);
    expect(count(second?.[1] ?? "", cleared)).toBeGreaterThan(15);
    expect(count(second?.[1] ?? "", JSON.stringify(thinking))).toBe(30);
  });

  test("what the API refuses goes out whole, for good and over a restart; others keep theirs beside thinking", async () => {
    const api = await scriptedApi(() => true);
    const { port, hooks, log, strategy, restart } = await open(api);
    const bodies = () => api.requests.splice(0).map(({ body }) => body.toString());
    await send(port, "s1", written);
    bodies();
    // The client sees no refusal.
    expect(await send(port, "s1", asked)).toBe(200);
    const [shortened = "", again] = bodies();
    expect(count(shortened, cleared)).toBeGreaterThan(15);
    expect(again).toBe(bodyOf(asked));
    const said = log.lines.filter(({ level }) => level === "warn");
    expect(said).toMatchObject([{ fields: { session: "s1", error: why } }]);
    while (!strategy.endless.notes.some(({ kind }) => kind === "declined")) await Bun.sleep(5);

    await restart();
    const later = [...asked, { role: "assistant", content: "Yes." }, prompt];
    const before = hooks.inputs("request").length;
    expect(await send(port, "s1", later)).toBe(200);
    expect(bodies()).toEqual([bodyOf(later)]);
    expect(hooks.inputs("request")).toHaveLength(before);

    // Forked from it: the very same tool uses.
    await send(port, "s2", written);
    await send(port, "s2", asked);
    expect(bodies()).toEqual([bodyOf(written), bodyOf(asked)]);
    expect(hooks.inputs("request").at(-1)).toMatchObject({ session: "s2", wasRefused: true });
  });
});

describe("another cloud's door", () => {
  const signed = { authorization: "AWS4-HMAC-SHA256 Credential=a, Signature=b" };
  test.each([
    ["Bedrock", "/model/anthropic.claude-x/invoke-with-response-stream"],
    ["Vertex", "/v1/projects/p/locations/l/publishers/anthropic/models/claude-x:streamRawPredict"],
    ["Foundry", "/anthropic/v1/messages"],
  ])(
    "%s: a request that comes to the gateway all the same passes as it is, asked once",
    async (_name, path) => {
      const api = await rawUpstream(
        (socket) => void socket.end(whole("400 Bad Request", json, '{"message":"not today"}')),
      );
      cleanups.push(() => api.stop());
      const { port, hooks } = await openDoor(api.url);
      const answer = await fetch(`http://127.0.0.1:${port}${path}`, {
        method: "POST",
        headers: { ...json, ...signed, "x-claude-code-session-id": "s1" },
        body: bodyOf(asked),
      });
      expect([answer.status, await answer.text()]).toEqual([400, '{"message":"not today"}']);
      expect(api.requests.map(({ line, body }) => [line, body.toString()])).toEqual([
        [`POST ${path}`, bodyOf(asked)],
      ]);
      expect(api.requests[0]?.headers.authorization).toBe(signed.authorization);
      expect(hooks.calls).toEqual([]);
    },
  );
});

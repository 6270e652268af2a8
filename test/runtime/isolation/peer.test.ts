// Questions that wait for their turn end like those under way.
import { expect, test } from "bun:test";
import type { PeerMessage } from "../../../src/runtime/isolation/messages.ts";
import { createPeer } from "../../../src/runtime/isolation/peer.ts";

/** One question at a time, to a side that says nothing by itself. */
function oneAtATime() {
  const posted: PeerMessage[] = [];
  const peer = createPeer({
    post: (message) => void posted.push(message),
    answer: () => undefined,
    atOnce: 1,
  });
  const asked = () => posted.flatMap((one) => (one.type === "ask" ? [one.what] : []));
  return { peer, asked };
}

test("at the end all fail, also what was not sent yet, and what comes after", async () => {
  const { peer, asked } = oneAtATime();
  const answers = ["first", "second"].map((what) => peer.ask(what, []));
  peer.end((what) => new Error(`${what} is over`));
  answers.push(peer.ask("third", []));
  const settled = await Promise.allSettled(answers);
  expect(settled.map((one) => one.status === "rejected" && String(one.reason.message))).toEqual([
    "first is over",
    "second is over",
    "third is over",
  ]);
  expect(asked()).toEqual(["first"]);
});

test("what is taken back while it waits is never sent, and holds up nothing", async () => {
  const { peer, asked } = oneAtATime();
  const taken = new AbortController();
  const first = peer.ask("first", []);
  const second = peer.ask("second", [], { signal: taken.signal });
  const third = peer.ask("third", []);
  taken.abort();
  peer.hear({ type: "answer", id: 1, value: 1 });
  await expect(second).rejects.toMatchObject({ code: "plugin_deadline" });
  peer.hear({ type: "answer", id: 2, value: 3 });
  expect([await first, await third, asked()]).toEqual([1, 3, ["first", "third"]]);
});

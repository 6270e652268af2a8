import { expect, test } from "bun:test";
import type { Thread } from "../../../src/host/spawn-worker.ts";
import { askThrowAway } from "../../../src/runtime/isolation/load-isolated.ts";
import type { Said, ToWorker } from "../../../src/runtime/isolation/wire.ts";

/** A thread that answers as `hear` says, once `begun` resolves. */
function fakeThread(begun: Promise<void>, hear: (message: ToWorker) => Said | undefined): Thread {
  let token = "";
  const thread: Thread = {
    onMessage: () => {},
    onError: () => {},
    onClose: () => {},
    terminate: () => {},
    async post(message) {
      const asked = message as ToWorker;
      if (asked.type === "setup") token = asked.token;
      await begun;
      const said = hear(asked);
      if (said) thread.onMessage({ token, said });
    },
  };
  return thread;
}

const pong = { type: "pong", id: 0, heapBytes: 1 } as const;
const subject = { source: "/home/dev/a.ts", home: "/home/dev" };

test("the time that a busy machine takes to start the worker is not its plugin's", async () => {
  const begun = Promise.withResolvers<void>();
  const spawn = () =>
    fakeThread(begun.promise, (message) => {
      if (message.type === "ping") return pong;
      return "id" in message ? { type: "done", id: message.id, value: message.type } : undefined;
    });
  const asked = askThrowAway({ ...subject, deadlineMs: 5, spawn }, {});
  setTimeout(begun.resolve, 50);
  expect(await asked).toEqual({ described: "describe", checked: "check" } as never);
});

test("from its first word on it is", async () => {
  const spawn = () =>
    fakeThread(Promise.resolve(), (message) => (message.type === "ping" ? pong : undefined));
  await expect(askThrowAway({ ...subject, deadlineMs: 5, spawn }, {})).rejects.toMatchObject({
    code: "plugin_deadline",
    message: "/home/dev/a.ts was not loaded within 5 ms",
  });
});

// A process with the guards up, for a test that cannot put them up in its own: does what a plugin may do, and prints what came of it.
import fs from "node:fs";
import { guardProcess } from "../../../src/runtime/isolation/guard-process.ts";

const write = process.stdout.write.bind(process.stdout);
const said: unknown[] = [];
guardProcess({
  own: import.meta.dir,
  log: (level, message) => void said.push([level, message]),
  exit: (code, place) => {
    said.push(["exit", code, place?.replace(/^.*\//, "").replace(/:\d+:\d+$/, "")]);
    write(JSON.stringify(said));
  },
  stray: (error) => void said.push(["stray", String(error)]),
});
/** What a call gives or throws. */
function tried(name: string, work: () => unknown): void {
  try {
    said.push([name, work() ?? "nothing"]);
  } catch (error) {
    said.push([name, error instanceof Error ? error.message : error]);
  }
}

console.log("printed", { a: 1 }, new Error("inner"), new TextEncoder().encode("bytes"), undefined);
console.info("info");
console.warn("warn");
console.error("error");
console.debug("debug");
console.trace("trace");
console.dir({ deep: true });
console.table([1]);
const round: Record<string, unknown> = {};
round.own = round;
console.log(round, 7n);
tried("stdout", () => process.stdout.write("out\n", () => void said.push(["written"])));
tried("stderr", () => process.stderr.write("err \n"));
tried("terminal", () => [
  process.stdout.isTTY,
  process.stdout.writable,
  process.stdout.on("drain", () => {}) === process.stdout,
]);
tried("chdir", () => process.chdir("/"));
tried("abort", () => process.abort());
tried("capture", () => process.setUncaughtExceptionCaptureCallback(() => {}));
tried("read mask", () => typeof process.umask());
tried("set mask", () => process.umask(0));
for (const pid of [process.pid, 0, -1]) tried("kill", () => process.kill(pid, "SIGTERM"));
tried("is alive", () => process.kill(process.pid, 0));
tried("close 2", () => fs.closeSync(2));
tried("close 0", () => fs.close(0, () => void said.push(["closed 0"])));
const file = fs.openSync(import.meta.path, "r");
tried("close a file", () => fs.closeSync(file));
tried("it is closed", () => fs.readSync(file, new Uint8Array(1)));
const second = fs.openSync(import.meta.path, "r");
await new Promise<void>((resolve) => fs.close(second, () => resolve()));
tried("it is closed too", () => fs.readSync(second, new Uint8Array(1)));
process.emit("uncaughtException", new Error("nobody caught"), "uncaughtException");
void Promise.reject(new Error("nobody waited"));
await new Promise((resolve) => setTimeout(resolve, 1));
const how = process.argv[2];
if (how === "close") (globalThis as unknown as { close(): void }).close();
if (how === "default") {
  process.exitCode = 5;
  process.exit();
}
process.exit(3);

// Cuts the run off from everything else: network (loopback only) and process namespaces of its own, where the machine allows it.
import process from "node:process";

const marker = "MEMOIR_E2E_ISOLATED";
const namespaces = ["--net", "--pid", "--mount", "--fork", "--kill-child", "--mount-proc"];
const loopback = 'ip link set lo up && exec "$@"';

/** Which namespaces could be had: root's own, an unprivileged user's, or none. */
async function waysIn(): Promise<string[] | undefined> {
  if (process.platform !== "linux" || !Bun.which("unshare") || !Bun.which("ip")) return undefined;
  for (const user of [[], ["--user", "--map-root-user"]]) {
    const command = ["unshare", ...user, ...namespaces, "sh", "-c", loopback, "sh", "true"];
    const probe = Bun.spawn(command, { stdout: "ignore", stderr: "ignore" });
    if ((await probe.exited) === 0) return command.slice(0, -1);
  }
  return undefined;
}

/** Whether this process is cut off already. */
export function isIsolated(): boolean {
  return process.env[marker] !== undefined;
}

/**
 * Runs this very program again inside namespaces of its own and gives its exit code;
 * undefined when this process is to do the work itself, because it is inside already or there is no way in.
 */
export async function runIsolated(): Promise<number | undefined> {
  if (isIsolated()) return undefined;
  const way = await waysIn();
  if (!way) {
    console.log("no namespaces here: the client is pointed at loopback by its environment only");
    return undefined;
  }
  const child = Bun.spawn([...way, process.execPath, ...process.argv.slice(1)], {
    env: { ...process.env, [marker]: "1" },
    stdio: ["ignore", "inherit", "inherit"],
  });
  const end = () => child.kill();
  process.on("SIGINT", end);
  process.on("SIGTERM", end);
  return child.exited;
}

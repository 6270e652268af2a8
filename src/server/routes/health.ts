// GET /api/health: what `memoir doctor` says, as far as a running server knows it.
import process from "node:process";
import { checkFolder, checkKept, checkServed, checkSettings } from "../../health/home-and-work.ts";
import { boundedSizes } from "../../health/sizes.ts";
import { saidOf } from "../../health/to-go.ts";
import { memoirPaths } from "../../home/paths.ts";
import { withoutPasswordsDeep } from "../../privacy/passwords.ts";
import { readConfig } from "../../runtime/config/config.ts";
import { routesBelow } from "../http/edge.ts";
import { answer } from "../http/schema.ts";
import type { ServerRuntime } from "../life/server-runtime.ts";
import type { Retention } from "../memory/retention.ts";
import { HealthAnswer } from "../schemas/health.ts";
import type { ServerPart } from "../schemas/status.ts";

interface HealthRoutesOptions {
  runtime: ServerRuntime;
  now(): number;
  serverStatus(): Promise<ServerPart>;
  retention: Retention;
}

/** Whether clients are told to run memoir the command alone can say: their settings are no server's business. */
export function healthRoutes(options: HealthRoutesOptions) {
  return routesBelow("/api").get(
    "/health",
    async () => withoutPasswordsDeep(await health(options)),
    {
      response: answer(HealthAnswer),
      detail: {
        summary:
          "What `memoir doctor` says of the home and its server, sizes on disk, and work that was given up.",
      },
    },
  );
}

async function health({ runtime, now, serverStatus, retention }: HealthRoutesOptions) {
  const paths = memoirPaths(runtime.home);
  const asked = { paths, platform: process.platform, env: process.env, now: now() };
  const status = { ...(await runtime.status()), ...(await serverStatus()) };
  const { config } = await readConfig(paths.home);
  return {
    checks: [
      ...(await checkFolder(asked)),
      ...(await checkSettings(asked)),
      ...(await checkServed(status, asked.now)),
      ...(await checkKept(asked, {
        served: true,
        async toGo() {
          const plan = await retention.plan();
          return plan.isBound ? saidOf(plan) : undefined;
        },
      })),
    ],
    sizes: await boundedSizes(paths, config),
    ...("error" in status.journal
      ? { parked: [], parkedWork: 0 }
      : { parked: status.journal.parked, parkedWork: status.journal.parkedWork }),
    version: status.version,
    home: paths.home,
    log: paths.log,
  };
}

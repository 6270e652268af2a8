// Whether Codex runs memoir's hooks: asked of Codex itself, which alone knows what its user trusted.
import { spawn } from "node:child_process";
import { listField, recordOf, textField } from "../../text/text.ts";
import { parseJson } from "../../transcript/lines.ts";
import type { ClientFinding, RegistrationPlace } from "../registration.ts";

const waitMs = 10_000;

const review =
  "Start `codex` and review memoir's hooks when it asks, or with `/hooks`; memoir never trusts itself.";

/** What Codex says of the hooks that run `command`; one finding. Never rejects. */
export async function lookAtTrust(
  { env, command }: RegistrationPlace,
  path: string,
  program = "codex",
): Promise<readonly ClientFinding[]> {
  const answer = await askCodex(program, env).catch(() => undefined);
  if (answer === undefined)
    return [
      {
        state: "warn",
        message: "could not be asked whether it trusts memoir's hooks",
        fix: review,
      },
    ];
  return findings(answer, command, path);
}

/** Of the answer to `hooks/list`. */
export function findings(answer: unknown, command: string, path: string): readonly ClientFinding[] {
  const hooks = listField(answer, "data")
    .flatMap((place) => listField(place, "hooks"))
    .filter((hook) => textField(hook, "command") === command);
  if (hooks.length === 0)
    return [
      {
        state: "warn",
        message: `it does not read the hooks in ${path}`,
        fix: "Look for `hooks = false` below `[features]` in its config.toml.",
      },
    ];
  const off = hooks.filter((hook) => recordOf(hook).enabled === false);
  const states = hooks.map((hook) => textField(hook, "trustStatus"));
  const untrusted = states.filter((state) => state !== "trusted" && state !== "managed");
  if (off.length > 0)
    return [
      {
        state: "warn",
        message: `${off.length} of memoir's ${hooks.length} hooks are turned off in Codex`,
        fix: "Turn them on again with `/hooks` in `codex`.",
      },
    ];
  if (untrusted.length === 0) return [{ state: "ok", message: "it trusts memoir's hooks" }];
  const changed = untrusted.includes("modified") ? ", as they changed since" : "";
  return [
    {
      state: "fail",
      message: `${untrusted.length} of memoir's ${hooks.length} hooks are not trusted${changed}: Codex skips them`,
      fix: review,
    },
  ];
}

/** Asks over the protocol of its own windows, then ends it. Rejects when it gives no answer in time. */
function askCodex(program: string, env: NodeJS.ProcessEnv): Promise<unknown> {
  return new Promise((resolve, reject) => {
    const child = spawn(program, ["app-server"], {
      env,
      timeout: waitMs,
      stdio: ["pipe", "pipe", "ignore"],
    });
    let rest = "";
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      const lines = `${rest}${text}`.split("\n");
      rest = lines.pop() ?? "";
      for (const line of lines) {
        const answer = answerIn(line);
        if (answer === undefined) continue;
        child.stdin.end();
        resolve(answer);
      }
    });
    child.stdin.on("error", reject);
    child.on("error", reject);
    child.on("close", () => reject(new Error("Codex ended without an answer.")));
    const said = [
      { id: 1, method: "initialize", params: { clientInfo: { name: "memoir", version: "1" } } },
      { method: "initialized" },
      { id: 2, method: "hooks/list", params: { cwds: [process.cwd()] } },
    ];
    for (const message of said) child.stdin.write(`${JSON.stringify(message)}\n`);
  });
}

/** The answer to the question; undefined for any other line. */
function answerIn(line: string): unknown {
  const { id, result } = recordOf(parseJson(line));
  return id === 2 ? recordOf(result) : undefined;
}

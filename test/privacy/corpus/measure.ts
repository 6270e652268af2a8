// Which cases of the corpus leak, and which look-alikes are taken out, by family and channel.
import { type SecretCase, secretCases } from "./cases.ts";
import { channels } from "./channels.ts";
import { leaks } from "./fake.ts";

/** One case in one channel. */
export interface Judged {
  case: SecretCase;
  channel: string;
  /** For a secret: what was left of it. For a look-alike: what was made of it. Undefined: as it should be. */
  wrong: string | undefined;
}

/** Runs cases, all of them if none are given, through every channel. */
export function judgeSecrets(cases: readonly SecretCase[] = secretCases()): Judged[] {
  return cases.flatMap((one) =>
    Object.entries(channels).map(([channel, keep]) => ({
      case: one,
      channel,
      wrong:
        one.secrets.length > 0
          ? leaks(textsOf(keep(one.text)), one)
          : alarm(keep(one.text), one.text),
    })),
  );
}

/** Every text in a value, keys included, one a line. */
function textsOf(value: unknown): string {
  if (typeof value === "string") return value;
  if (typeof value !== "object" || value === null) return "";
  if (Array.isArray(value)) return value.map(textsOf).join("\n");
  return Object.entries(value)
    .map(([key, item]) => `${key}\n${textsOf(item)}`)
    .join("\n");
}

function alarm(kept: unknown, before: string): string | undefined {
  const text = textsOf(kept).replaceAll(before, "");
  const at = text.indexOf("[redacted:");
  return at < 0 ? undefined : text.slice(Math.max(0, at - 40), at + 40);
}

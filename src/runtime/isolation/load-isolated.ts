// Loads a user's plugin without importing it here: a worker, or what one said earlier, tells what it is.
import type { AnyPlugin } from "../../sdk/plugin.ts";
import { type Kept, readKept, stateOf, writeKept } from "./describe-cache.ts";
import { proxyPlugin } from "./proxy-plugin.ts";
import { askThrowAway, type Subject } from "./throw-away.ts";
import type { Checked, Described } from "./wire.ts";

interface LoadIsolatedOptions extends Subject {
  /** Bytes that its worker may hold. */
  maxBytes: number;
}

/** What a plugin is. Rejects with plugin_invalid, plugin_sdk_version or plugin_deadline. */
export async function describeIsolated(subject: Subject): Promise<Described> {
  return (await answersOf(subject, {})).described;
}

/** A stand-in for the plugin, whose handlers call its worker. Rejects as `describeIsolated`. */
export async function loadIsolated(options: LoadIsolatedOptions): Promise<AnyPlugin> {
  const { source, maxBytes } = options;
  const { described } = await answersOf(options, {});
  const check = async (own: Readonly<Record<string, unknown>>) =>
    (await answersOf(options, own)).checked;
  return proxyPlugin({ source, described, check, maxBytes });
}

async function answersOf(
  subject: Subject,
  options: Readonly<Record<string, unknown>>,
): Promise<{ described: Described; checked: Checked }> {
  const { home, source } = subject;
  const text = JSON.stringify(options);
  const key = await stateOf(source);
  const kept = await readKept(home, source, key);
  const known = kept?.checks[text];
  if (kept && known) return { described: kept.described, checked: known };
  const asked = await askThrowAway(subject, options);
  const entry: Kept = {
    key,
    described: asked.described,
    checks: { ...kept?.checks, [text]: asked.checked },
  };
  await writeKept(home, source, entry);
  return asked;
}

// Waiting for what happens in another process: looked at again and again, until it holds or is long overdue.
import assert from "node:assert/strict";

/** Only what never comes is waited for this long: others may have the machine. */
const waitMs = 45_000;
const lookEveryMs = 20;

/** Waits until `holds`, and fails naming what was waited for; `seen` adds what there is instead. */
export async function until(
  what: string,
  holds: () => Promise<boolean> | boolean,
  seen: () => string = () => "",
): Promise<void> {
  const deadline = Date.now() + waitMs;
  while (!(await holds())) {
    assert.ok(Date.now() < deadline, `waited ${waitMs / 1000} s in vain until ${what}\n${seen()}`);
    await Bun.sleep(lookEveryMs);
  }
}

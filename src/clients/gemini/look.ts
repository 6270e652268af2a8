// Whether Gemini CLI runs hooks at all: its settings can switch all of them off.
import { readFile } from "node:fs/promises";
import { recordOf } from "../../text/values.ts";
import type { ClientFinding } from "../registration.ts";

/** What the settings at `path` say of hooks; nothing where they run. Never rejects. */
export async function lookAtSwitch(path: string): Promise<readonly ClientFinding[]> {
  const text = await readFile(path, "utf8").catch(() => "");
  // Loaded for doctor alone.
  const { parse } = await import("jsonc-parser");
  const { enabled } = recordOf(recordOf(parse(text)).hooksConfig);
  if (enabled !== false) return [];
  return [
    {
      state: "warn",
      message: `${path} switches all hooks off`,
      fix: "Take `hooksConfig.enabled: false` out of it, or set it to true.",
    },
  ];
}

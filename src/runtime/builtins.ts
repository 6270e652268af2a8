// The one table that imports built-in plugins: name → how to load it. Their default order is in `plugins/registry.ts`.
import type { AnyPlugin } from "../sdk/plugin.ts";

/** How a module that holds a plugin is loaded. */
export type LoadPlugin = () => Promise<{ default: AnyPlugin }>;

/** Those without a slot: they work unless `plugins.<name>.enabled` is false. */
export const builtInListeners: readonly string[] = ["memory-files", "endless", "sync", "backfill"];

/** Loaded on demand; the key is the plugin's name. */
export const builtins: Readonly<Record<string, LoadPlugin>> = {
  "capture-project": () => import("../../plugins/capture-project/index.ts"),
  "capture-skip-tools": () => import("../../plugins/capture-skip-tools/index.ts"),
  "capture-clean-prompts": () => import("../../plugins/capture-clean-prompts/index.ts"),
  "capture-privacy": () => import("../../plugins/capture-privacy/index.ts"),
  hybrid: () => import("../../plugins/observation-hybrid/index.ts"),
  structured: () => import("../../plugins/observation-structured/index.ts"),
  commands: () => import("../../plugins/observation-commands/index.ts"),
  heuristic: () => import("../../plugins/observation-heuristic/index.ts"),
  "heuristic-summary": () => import("../../plugins/summarization-heuristic/index.ts"),
  "context-handover": () => import("../../plugins/context-handover/index.ts"),
  "context-relevant": () => import("../../plugins/context-relevant/index.ts"),
  "context-moments": () => import("../../plugins/context-moments/index.ts"),
  "memory-files": () => import("../../plugins/memory-files/index.ts"),
  "semantic-search": () => import("../../plugins/semantic-search/index.ts"),
  endless: () => import("../features/endless.ts"),
  sync: () => import("../features/sync.ts"),
  backfill: () => import("../features/backfill.ts"),
  off: () => import("../../plugins/endless-mode-off/index.ts"),
  live: () => import("../../plugins/endless-live/index.ts"),
  transcript: () => import("../../plugins/endless-transcript/index.ts"),
  gateway: () => import("../../plugins/endless-gateway/index.ts"),
  sqlite: () => import("../../plugins/storage-sqlite/index.ts"),
  anthropic: () => import("../../plugins/provider-anthropic/index.ts"),
  "openai-compatible": () => import("../../plugins/provider-openai-compatible/index.ts"),
  "claude-cli": () => import("../../plugins/provider-claude-cli/index.ts"),
  "hub-folder": () => import("../../plugins/hub-folder/index.ts"),
  "hub-postgres": () => import("../../plugins/hub-postgres/index.ts"),
  none: () => import("../../plugins/provider-none/index.ts"),
};

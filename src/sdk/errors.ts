// The one catalogue of errors: a code, what it means, and the likely fix in one sentence. Agents read these texts.

/** Code → the likely fix. Never suggest anything that destroys data. */
export const errorFixes = {
  config_unreadable: "Correct the JSON in the config file; memoir runs on its defaults until then.",
  config_invalid:
    "Change the named key in the config file; `memoir config schema` prints what is allowed.",
  plugin_not_found:
    "Use a name that `memoir plugin list` shows, a path to a file, or an installed npm package.",
  plugin_invalid:
    "Export a plugin object as default; the SDK's `definePlugin` checks its shape while you type.",
  plugin_sdk_version: "Update the plugin, or memoir, so both use the same SDK version.",
  plugin_slot: "Name a plugin that declares this slot.",
  plugin_failed: "See the log (`memoir doctor` shows where); its author can fix the named hook.",
  plugin_deadline: "Raise the subscription's `deadlineMs`, or make the plugin answer faster.",
  plugin_ended:
    "Nothing to do for one call: the plugin restarts with the next; its author can correct the named place.",
  plugin_memory: "Raise `isolation.memoryMb`, or let the plugin hold less.",
  plugin_paused:
    "Nothing to do: it is tried again after the pause, or at once after `memoir plugin enable <name>`.",
  plugin_trust: "Look at the project's `.memoir/plugins`, then run `memoir plugin trust` in it.",
  plugin_test: "Correct the plugin where the test fails, then run `memoir plugin test` again.",
  plugin_install: "Check the package's name and the network, then run the command again.",
  provider_none:
    "Set a provider in config when model calls are wanted; the heuristic strategies need none.",
  provider_key:
    "Run `memoir provider key <name>`, or name an environment variable in `plugins.<name>.keyEnv`.",
  provider_auth: "Store a valid key with `memoir provider key <name>`.",
  provider_permission: "Give the key access to the model at the provider's, or set another model.",
  provider_model: "Set a model that the provider has: `memoir config set plugins.<name>.model …`.",
  provider_quota: "Add credit in the provider's console, or set another provider.",
  provider_request:
    "Check `plugins.<name>` in config against what the provider takes; `memoir provider test` tries it.",
  provider_too_large: "Lower `worker.maxBytes` or `worker.maxToolUses`: batches get smaller.",
  provider_context: "Lower `worker.maxToolUses`, or set a model that takes a longer context.",
  provider_rate: "Nothing to do: it is tried again when the provider allows.",
  provider_overloaded: "Nothing to do: it is tried again, and the heuristic takes over meanwhile.",
  provider_timeout:
    "Nothing to do when it is rare; else raise `plugins.<name>.timeoutSeconds` or set a faster model.",
  provider_connection:
    "Check the network and `plugins.<name>.baseURL`; a local model server must be running.",
  provider_answer: "Check that `plugins.<name>.baseURL` leads to what the provider plugin speaks.",
  provider_refused: "Nothing to do: the heuristic takes over for this piece.",
  provider_cut: "Nothing to do: the heuristic takes over for this piece.",
  provider_paused:
    "Nothing to do: it is asked again after the pause, or at once after `memoir provider test`.",
  provider_missing:
    "Install Claude Code and log in, or name its program in `plugins.claude-cli.command`.",
  budget_day:
    "Raise `budget.dailyTokens`, or wait for tomorrow; the heuristic continues meanwhile.",
  budget_month: "Raise `budget.monthlyDollars`; the heuristic continues meanwhile.",
  budget_session: "Raise `budget.sessionTokens`; the heuristic continues meanwhile.",
  budget_unknown:
    "Make the file `usage.db` in memoir's home writable; no model is asked while calls cannot be counted.",
  keys_unreadable:
    "Correct the JSON in `keys.json` of memoir's home, or store the key again with `memoir provider key <name>`.",
  storage_unanswered:
    "See in `memoir doctor` whether it failed to start; `slots.storage` names it, and `sqlite` is the built-in one.",
  storage_newer: "Run the memoir version that wrote this database, or a newer one.",
  storage_damaged:
    "Run `memoir doctor`: it says what is wrong with the file; memoir leaves the damaged file as it is.",
  storage_recovering:
    "Ask again in a while; `memoir status` says how far it is. The damaged file is kept.",
  storage_foreign: "Name another `path` for the `sqlite` plugin; this file is left as it is.",
  record_invalid: "The plugin that made the record can fix the named field; nothing was stored.",
  record_changed: "Look at it as it is now, then say again what it shall be.",
  session_ambiguous: "Give more characters of the session id; `memoir sessions` lists them.",
  payload_invalid:
    "Nothing to do for one event; `memoir doctor` says whether the client changed its format.",
  payload_too_large: "Nothing to do: one event this large is left out, the next ones are not.",
  access_token:
    "Send `Authorization: Bearer <token>` with the token in the file `token` of memoir's home.",
  access_refused: "Call the server from this machine, by the name localhost.",
  hub_away:
    "Nothing to do for a while: it is tried again by itself; `memoir sync status` says more.",
  hub_refused:
    "Check the hub's address, its role and its password; `memoir sync status` says more.",
  sync_refused:
    "See `memoir sync status` for what this home shares, and `memoir sync members` for who may do what.",
  sync_invitation: "Ask for another invitation: `memoir sync invite` makes one.",
  client_unknown: "Use a client that `memoir hook --help` lists.",
  server_unreachable: "Run `memoir server start`, then `memoir status`.",
  server_silent:
    "It may be busy: try again; `memoir server stop` ends it in order, and the next hook starts it again.",
  server_running: "Another memoir server owns this home; `memoir status` names it.",
  home_unusable:
    "Give yourself permission to read and write memoir's home, or set `MEMOIR_HOME` to another folder.",
  journal_unwritable:
    "Free disk space or give memoir's home its write permission back; the event can be sent again.",
  journal_damaged:
    "Nothing to do: the damaged file was put aside beside the journal and a new one was begun.",
  backfill_running: "Wait for it, or stop the command that began it.",
  transcript_unreadable:
    "Name a `.jsonl` file, a session's id that `memoir session list` shows, or `--last`.",
  restore_nothing: "Nothing to do: only transcripts that memoir rewrote can be given back.",
  restore_open: "End the session in the client, then run the command again.",
  backup_failed:
    "Free disk space, or name another folder with `memoir memory backup --to <folder>`; memory itself is as it was.",
  backup_not_found: "Name one that `memoir memory backup --list` shows.",
  backup_damaged: "Choose another one: `memoir memory backup --list`. Nothing was changed.",
  backup_newer: "Run the memoir version that made it, or a newer one. Nothing was changed.",
  import_unknown:
    "Name a file that `memoir memory export` wrote, or say `--from claude-mem` for that program's database.",
  import_newer: "Run a newer memoir (`memoir upgrade --check`). Nothing was imported.",
  record_not_found: "Check the id with `memoir search` or `memoir memory timeline`.",
  usage: "See `--help` for the command.",
  settings_unreadable: "Correct the JSON in the client's settings file, then run it again.",
  settings_unwritable: "Allow yourself to write the file, or register elsewhere with `--scope`.",
  binary_missing:
    "Run `bun run build` and then `dist/memoir install`, or name a built binary with `--binary <path>`.",
  upgrade_failed: "Check the address and your connection; what was installed before is untouched.",
  binary_gone: "Its tools are back in sessions that start after `memoir install`.",
  endless_unwritable:
    "Free disk space or give memoir's home its write permission back; until then nothing is left out.",
  recall_not_found:
    "Copy the id from the line that was left in place; what is older than `endless.keepDays` is gone.",
  recall_ambiguous: "Give more characters of the id.",
  gateway_uninstalled: "Run `memoir install` first.",
  gateway_upstream:
    "Set the API's address: `memoir config set endless.gateway.upstream https://api.anthropic.com`.",
  mcp_name_taken:
    "Give the other server another name in the client (`claude mcp`), then run `memoir install` again; memory works without these tools.",
  gateway_port:
    "End the program that holds the port, or choose another: `memoir config set endless.gateway.port <port>`.",
  gateway_proxy: "Set HTTPS_PROXY, NO_PROXY and NODE_EXTRA_CA_CERTS as Claude Code needs them.",
  file_unusable: "Check the path, who may read and write there, and whether its disk is full.",
  internal: "Please report it with the last lines of the log file.",
} as const;

/** A code of the catalogue of errors. */
export type ErrorCode = keyof typeof errorFixes;

/** What an error may say beside its message. */
export interface ErrorDetails {
  plugin?: string;
  hook?: string;
  cause?: unknown;
  /** Replaces the catalogue's sentence where something more exact is known. */
  fix?: string;
  /** The same may work when it is tried again, no sooner than after so many ms. Absent: repeating it is no use. */
  retryAfterMs?: number;
}

/** Every error memoir raises on purpose. `message` names what is wrong; `fix` what to do. */
export class MemoirError extends Error {
  override readonly name = "MemoirError";
  readonly code: ErrorCode;
  readonly fix: string;
  readonly plugin: string | undefined;
  readonly hook: string | undefined;
  /** See ErrorDetails; undefined where repeating is no use. */
  readonly retryAfterMs: number | undefined;

  constructor(code: ErrorCode, message: string, details: ErrorDetails = {}) {
    super(message, details.cause === undefined ? undefined : { cause: details.cause });
    this.code = code;
    this.fix = details.fix ?? errorFixes[code];
    this.plugin = details.plugin;
    this.hook = details.hook;
    this.retryAfterMs = details.retryAfterMs;
  }
}

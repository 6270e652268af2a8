// The server's environment is an allow-list: it would otherwise inherit a hook's, with a gateway's address or a key in it.

const allowed: ReadonlySet<string> = new Set([
  "PATH",
  "HOME",
  "USER",
  "LOGNAME",
  "LANG",
  "TZ",
  "TMPDIR",
  "TEMP",
  "TMP",
  "SHELL",
  "CLAUDE_CONFIG_DIR",
  "SYSTEMROOT",
  // What Windows starts a `.cmd` file with.
  "WINDIR",
  "COMSPEC",
  "PATHEXT",
  "USERPROFILE",
  "APPDATA",
  "LOCALAPPDATA",
]);
const allowedPrefixes = ["LC_", "XDG_", "MEMOIR_"];

/**
 * The part of `env` that a server may see, with `MEMOIR_HOME` set to `home`. `named` are variables that config asks
 * for. Names are compared as Windows does.
 */
export function serverEnvironment(
  env: Readonly<Record<string, string | undefined>>,
  home: string,
  named: readonly string[] = [],
): Record<string, string> {
  const kept: Record<string, string> = {};
  const asked = new Set(named.map((name) => name.toUpperCase()));
  for (const [name, value] of Object.entries(env)) {
    const upper = name.toUpperCase();
    if (value === undefined || upper === "MEMOIR_INTERNAL") continue;
    if (
      asked.has(upper) ||
      allowed.has(upper) ||
      allowedPrefixes.some((prefix) => upper.startsWith(prefix))
    ) {
      kept[name] = value;
    }
  }
  kept.MEMOIR_HOME = home;
  return kept;
}

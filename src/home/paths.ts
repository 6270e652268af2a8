// Every path below memoir's home, from one place. Imports nothing: the hook command uses it on its short path.

/** Absolute paths of everything memoir keeps. */
export interface Paths {
  home: string;
  config: string;
  /** The last `config` that could be read. */
  lastConfig: string;
  /** The journal's database. */
  journal: string;
  /** The built-in storage plugin's database. */
  memory: string;
  /** Every call to a model, counted. */
  usage: string;
  /** What Endless Mode took out of sessions, and its books. */
  endless: string;
  /** What is shared with other homes: keys, members, positions; mode 0600. */
  sync: string;
  /** Providers' keys, mode 0600. */
  keys: string;
  /** Events that could not reach the server, one file each. */
  spool: string;
  /** Counts events that could be kept nowhere; its bytes are there from before. */
  unkept: string;
  logs: string;
  log: string;
  /** Written by the hook command itself, bounded. */
  hookLog: string;
  socket: string;
  /** Who serves: pid, port, socket, version. */
  serverInfo: string;
  /** Held for the life of the one server of this home. */
  serverLock: string;
  /** Bearer token for loopback TCP, mode 0600. */
  token: string;
  /** Deadlines longer than the hook command's own, when a plugin declares them. */
  hookDeadlines: string;
  /** There while the server does not answer in time: hooks spool at once. */
  late: string;
  bin: string;
  /** Holds the `memoir` package that plugins import the SDK from. */
  nodeModules: string;
  /** Where a user's plugin files and packages live. */
  plugins: string;
  /** Databases of plugins, a file each. */
  data: string;
  /** When what is done by the clock was done last. */
  schedules: string;
  /** Plugins that are passed over for a while. */
  pauses: string;
  /** Who is at work right now; read after an unclean end. */
  inFlight: string;
  /** What can be rebuilt at any time. */
  cache: string;
  /** Which projects' plugins the user allowed, mode 0600. */
  trust: string;
  /** Copies of what was allowed, by hash: these run. */
  trusted: string;
}

/** Environment as a plain record; absent names are undefined. */
export type Environment = Readonly<Record<string, string | undefined>>;

/**
 * The home in force: `MEMOIR_HOME`, else `.memoir` in the user's home folder. No trailing slash. A relative one
 * begins at the user's home folder, so that processes with different working folders mean the same.
 */
export function memoirHome(env: Environment, platform: string = process.platform): string {
  const chosen = withoutEndingSlashes(env.MEMOIR_HOME ?? "", 1);
  if (chosen === "") return `${userHome(env, platform)}/.memoir`;
  // Tested without a regular expression: compiling one is felt on the hook command's path.
  if (isSlash(chosen[0]) || (chosen[1] === ":" && isSlash(chosen[2]))) return chosen;
  return `${userHome(env, platform)}/${chosen.replace(/^(~[/\\]|\.[/\\])/, "")}`;
}

/**
 * The user's home folder, or the empty string where the environment names none. On Windows HOME is Git Bash's alone and may
 * name another folder than all else: two shells would have two memories.
 */
export function userHome(env: Environment, platform: string = process.platform): string {
  const { HOME, USERPROFILE } = env;
  const [first, second] = platform === "win32" ? [USERPROFILE, HOME] : [HOME, USERPROFILE];
  return withoutEndingSlashes(first || second || "", 0);
}

function withoutEndingSlashes(path: string, least: number): string {
  let end = path.length;
  while (end > least && isSlash(path[end - 1])) end--;
  return path.slice(0, end);
}

function isSlash(character: string | undefined): boolean {
  return character === "/" || character === "\\";
}

/** All paths below a home. */
export function memoirPaths(home: string): Paths {
  return {
    home,
    config: `${home}/config.json`,
    lastConfig: `${home}/config.last.json`,
    journal: `${home}/journal.db`,
    memory: `${home}/memory.db`,
    usage: `${home}/usage.db`,
    sync: `${home}/sync.db`,
    endless: `${home}/endless.db`,
    keys: `${home}/keys.json`,
    spool: `${home}/spool`,
    unkept: `${home}/unkept`,
    logs: `${home}/logs`,
    log: `${home}/logs/memoir.log`,
    hookLog: `${home}/logs/hook.log`,
    socket: `${home}/memoir.sock`,
    serverInfo: `${home}/server.json`,
    serverLock: `${home}/server.lock`,
    token: `${home}/token`,
    hookDeadlines: `${home}/hook.json`,
    late: `${home}/late.json`,
    bin: `${home}/bin`,
    nodeModules: `${home}/node_modules`,
    plugins: `${home}/plugins`,
    data: `${home}/data`,
    schedules: `${home}/schedules.json`,
    pauses: `${home}/paused.json`,
    inFlight: `${home}/in-flight`,
    cache: `${home}/cache`,
    trust: `${home}/trust.json`,
    trusted: `${home}/trusted`,
  };
}

// `memoir completions <shell>`: scripts for bash, zsh and fish, made from the declared command line. They ask memoir only for what they
// cannot know: ids, projects, settings.

import type { TimelineItem } from "../../server/memory/timeline.ts";
import { cut, oneLine } from "../../text/text.ts";
import type { CommandData, Declared, TopicData } from "../commands/declared.ts";
import { isTopic, optionsOf } from "../commands/declared.ts";
import type { Shell } from "../commands/index.ts";
import { ifRunning, server } from "../server/client.ts";
import { printableMemory, size } from "../terminal/layout.ts";
import { answer } from "../terminal/output.ts";
import type { Terminal } from "../terminal/terminal.ts";
import { setupOf } from "./setup.ts";

/** Prints the script, or with `json` the words it is made of; with `of` what stands for such a word now. Gives 0. */
export async function printCompletions(
  shell: Shell,
  commands: Declared,
  { of, ...options }: { json?: boolean; of?: Completable },
  terminal: Terminal,
): Promise<number> {
  if (of !== undefined) {
    for (const line of await completableLines(of, terminal)) terminal.print(line);
    return 0;
  }
  const places = placesOf(commands);
  return answer(terminal, options, { shell, places }, () => [completionScript(shell, places)]);
}

/** The script for a shell. */
export function completionScript(shell: Shell, places: readonly Place[]): string {
  return scripts[shell](places);
}

const scripts: { readonly [Name in Shell]: (places: readonly Place[]) => string } = {
  bash,
  zsh,
  fish,
};

const names = (words: readonly Word[]) => words.map(({ word }) => word).join(" ");

/** The words before the one that is typed, as far as they name commands. */
function pathLoop(words: string, known: readonly Place[]): string {
  const paths = known.filter(({ path }) => path !== "").map(({ path }) => `"${path}"`);
  return `  for w in ${words}; do
    case "\${p:+$p }$w" in
      ${paths.join("|")}) p="\${p:+$p }$w";;
    esac
  done`;
}

/** What completes the value of an option, by its place and how the option is typed. */
function valueCases(
  places: readonly Place[],
  some: (values: string) => string,
  asked: (of: Completable) => string,
): string {
  const cases = places.flatMap(({ path, values }) =>
    values.map(({ options, words, asks }) => {
      const typed = options.map((option) => `"${path} ${option}"`).join("|");
      return `    ${typed}) ${asks ? asked(asks) : some(words.join(" "))}; return;;`;
    }),
  );
  return cases.join("\n");
}

function bash(places: readonly Place[]): string {
  const cases = places.map(
    ({ path, commands, options, asks = "" }) =>
      `    "${path}") c="${names(commands)}"; o="${names(options)}"; a="${asks}";;`,
  );
  return `# bash completion of memoir; put this into ~/.bashrc:  source <(memoir completions bash)
_memoir_asked() {
  local v
  while IFS=$'\t' read -r v _; do
    [[ $v == "$cur"* ]] && COMPREPLY+=("$(printf %q "$v")")
  done < <(memoir completions bash --of "$1" 2>/dev/null)
}
_memoir() {
  local p="" w c="" o="" a="" cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}"
  COMPREPLY=()
${pathLoop(`"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`, places)}
  case "$p $prev" in
${valueCases(
  places,
  (values) => `COMPREPLY=($(compgen -W "${values}" -- "$cur"))`,
  (of) => `_memoir_asked ${of}`,
)}
  esac
  case "$p" in
${cases.join("\n")}
  esac
  case "$cur" in
    -*) COMPREPLY=($(compgen -W "$o" -- "$cur"));;
    *) COMPREPLY=($(compgen -W "$c" -- "$cur")); if [[ -n $a ]]; then _memoir_asked "$a"; fi;;
  esac
}
complete -o default -F _memoir memoir
`;
}

function zsh(places: readonly Place[]): string {
  const described = (words: readonly Word[]) =>
    words.map(({ word, description }) => `'${word}${description && `:${description}`}'`).join(" ");
  const cases = places.map(
    ({ path, commands, options, asks = "" }) =>
      `    "${path}") c=(${described(commands)}); o=(${described(options)}); a="${asks}";;`,
  );
  return `#compdef memoir
# zsh completion of memoir; put this into ~/.zshrc after compinit:  source <(memoir completions zsh)
_memoir_asked() {
  local l
  local -a v
  for l in "\${(@f)$(memoir completions zsh --of $1 2>/dev/null)}"; do
    [[ -n $l ]] && v+=("\${\${l%%$'\t'*}//:/\\\\:}:\${l#*$'\t'}")
  done
  _describe -V "$1" v
}
_memoir() {
  local p="" w a=""
  local -a c o
${pathLoop(`"\${(@)words[2,CURRENT-1]}"`, places)}
  case "$p \${words[CURRENT-1]}" in
${valueCases(
  places,
  (values) => `compadd -- ${values}`,
  (of) => `_memoir_asked ${of}`,
)}
  esac
  case "$p" in
${cases.join("\n")}
  esac
  if [[ "\${words[CURRENT]}" == -* ]]; then _describe option o
  elif [[ -n $a ]]; then _memoir_asked $a
  elif (( $#c )); then _describe command c
  else _files
  fi
}
compdef _memoir memoir
`;
}

function fish(places: readonly Place[]): string {
  const asking = (of: Completable) => `'(memoir completions fish --of ${of} 2>/dev/null)'`;
  const rows = places.flatMap(({ path, commands, options, values, asks }) => {
    const at = `-n '__memoir_at "${path}"'`;
    return [
      ...commands.map(
        ({ word, description }) => `complete -c memoir ${at} -f -a ${word} -d '${description}'`,
      ),
      ...(asks ? [`complete -c memoir ${at} -f -a ${asking(asks)}`] : []),
      ...options.map(({ word, description }) => {
        const value = values.find(({ options: typed }) => typed.includes(word));
        const some = value && (value.asks ? asking(value.asks) : `'${value.words.join(" ")}'`);
        const short = value?.options.find((typed) => /^-\w$/.test(typed));
        const takes = `${short ? ` -s ${short.slice(1)}` : ""}${some ? ` -x -a ${some}` : ""}`;
        return `complete -c memoir ${at} -l ${word.slice(2)}${takes} -d '${description}'`;
      }),
    ];
  });
  const paths = places.filter(({ path }) => path !== "").map(({ path }) => `'${path}'`);
  return `# fish completion of memoir; save it:  memoir completions fish > ~/.config/fish/completions/memoir.fish
function __memoir_at
  set -l p ""
  for w in (commandline -opc)[2..-1]
    set -l next (string trim "$p $w")
    contains -- $next ${paths.join(" ")}; and set p $next
  end
  test "$p" = "$argv[1]"
end
${rows.join("\n")}
`;
}

// What can be typed after each command: the declared commands as lists of words, for every shell alike.

/** Something that can be typed, and what it is for. */
interface Word {
  word: string;
  description: string;
}

/** One command: its words joined by blanks (empty for the program itself), what may follow, and its options. */
interface Place {
  path: string;
  commands: Word[];
  options: Word[];
  /** What memoir is asked for to complete its arguments. */
  asks?: Completable;
  /** Values of options, as both are typed: some words, or what memoir is asked for. */
  values: Array<{ options: string[]; words: string[]; asks?: Completable }>;
}

const help = { word: "--help", description: "Show help" };
const json = { word: "--json", description: "Print JSON" };

/** Every place of a command line, the program first. */
export function placesOf(commands: Declared): Place[] {
  const version = { word: "--version", description: "print the version" };
  const below = Object.entries(commands).flatMap(([name, data]) => placesBelow(name, data));
  return [{ path: "", commands: named(commands), options: [version, help], values: [] }, ...below];
}

function placesBelow(path: string, data: CommandData | TopicData): Place[] {
  if (isTopic(data)) {
    const { commands } = data;
    const inner = Object.entries(commands).flatMap(([name, next]) =>
      placesBelow(`${path} ${name}`, next),
    );
    return [{ path, commands: named(commands), options: [help], values: [] }, ...inner];
  }
  const choices = data.args?.[0]?.[2]?.choices ?? [];
  const [asks] = data.args?.flatMap(([usage]) => askedFor(usage)) ?? [];
  const place: Place = {
    path,
    commands: choices.map((word) => ({ word, description: "" })),
    options: [],
    ...(asks && { asks }),
    values: [],
  };
  for (const [typed, option] of Object.entries(optionsOf(data))) {
    const word = /--[\w-]+/.exec(typed)?.[0] ?? typed;
    const { says, hidden, choices } = typeof option === "string" ? { says: option } : option;
    if (!hidden) place.options.push({ word, description: oneSentence(says) });
    const [asked] = askedFor(typed);
    const ways = typed.match(/(?<![\w-])--?[a-z][\w-]*/g) ?? [];
    if (choices || asked)
      place.values.push({
        ...{ options: ways, words: [...(choices ?? [])] },
        ...(asked && { asks: asked }),
      });
  }
  if (!place.options.some(({ word }) => word === json.word)) place.options.push(json);
  place.options.push(help);
  return [place];
}

/** The word that stands for a value says what it is: `<id...>`, `--project <project>`. */
function askedFor(usage: string): Completable[] {
  const [, word] = /[<[]([\w-]+)/.exec(usage) ?? [];
  return completable.filter((one) => one === word);
}

function named(commands: Declared): Word[] {
  return Object.entries(commands).map(([word, { does }]) => ({
    word,
    description: oneSentence(does),
  }));
}

/** One line without what shells would read as their own. */
function oneSentence(text: string): string {
  return text
    .replace(/\s+/g, " ")
    .replaceAll("'", "’")
    .replace(/[`"\\$[\]]/g, "");
}

// What the shells complete beside the command line's own words: ids, sessions, projects, settings, plugins, providers and backups. Asks a server only where one runs.

/** A value, and what it is. */
type Row = readonly [value: string, says: string];

/** By the word that stands for it in a command's help: `<id>`, `--project <project>`. */
const listers = {
  id: async () => [...(await recordIds()), ...(await sessionIds())],
  session: sessionIds,
  async project() {
    const found = await ifRunning(server.get("/api/projects", asked));
    return (found?.projects ?? []).flatMap(({ id, name }): Row[] => [
      [name, id],
      [id, name],
    ]);
  },
  async key() {
    const { configKeys } = await import("../../runtime/config/json-schema.ts");
    return [...(await configKeys())].map(([key, says]): Row => [key, says]);
  },
  plugin: (terminal) => plugins(terminal, () => true),
  provider: (terminal) => plugins(terminal, ({ fills }) => fills.includes("provider")),
  async backup(terminal) {
    const { listBackups } = await import("../../home/backups/read-backups.ts");
    return (await listBackups(setupOf(terminal).paths)).map(
      ({ name, bytes }): Row => [name, size(bytes)],
    );
  },
} as const satisfies Record<string, (terminal: Terminal) => Promise<Row[]>>;

export type Completable = keyof typeof listers;
const completable = Object.keys(listers) as Completable[];

/** Whoever presses Tab waits for it. */
const asked = { start: false, timeoutMs: 1_000 } as const;
const longest = 60;

/** One value a line, with what it is behind a tab; none where nothing can be known now. */
async function completableLines(of: Completable, terminal: Terminal): Promise<string[]> {
  const rows: readonly Row[] = await listers[of](terminal).catch(() => []);
  const unique = new Map(rows.toReversed());
  return [...unique]
    .reverse()
    .map(([value, says]) => `${value}\t${cut(oneLine(printableMemory(says)), longest)}`);
}

async function recordIds(): Promise<Row[]> {
  const [timeline, memory] = await Promise.all([
    ifRunning(server.get("/api/timeline", { query: { limit: 100 }, ...asked })),
    ifRunning(server.get("/api/search", { query: { kinds: ["memory"], limit: 100 }, ...asked })),
  ]);
  const items = (timeline?.items ?? []) as readonly TimelineItem[];
  return [...items.toReversed().flatMap(({ parts }) => parts), ...(memory?.results ?? [])].map(
    ({ id, title }): Row => [id, title],
  );
}

async function sessionIds(): Promise<Row[]> {
  const found = await ifRunning(server.get("/api/sessions", { query: { limit: 100 }, ...asked }));
  return (found?.sessions ?? []).map(({ id, title }): Row => [id.slice(0, 8), title]);
}

async function plugins(
  terminal: Terminal,
  isOne: (plugin: { fills: readonly string[] }) => boolean,
): Promise<Row[]> {
  const { currentPlugins } = await import("../plugins/list.ts");
  const { plugins: all } = await currentPlugins(terminal);
  return all.filter(isOne).map(({ name, description }): Row => [name, description ?? ""]);
}

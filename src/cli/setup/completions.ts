// `memoir completions <shell>`: scripts for bash, zsh and fish, made from the declared command line. They start no memoir while somebody types.

import type { CommandData, Declared, TopicData } from "../commands/declared.ts";
import { isTopic } from "../commands/declared.ts";
import type { Terminal } from "../terminal/terminal.ts";

/** Shells that a script can be made for. */
export const shells = ["bash", "zsh", "fish"] as const;
export type Shell = (typeof shells)[number];

/** Prints the script, or with `json` the words it is made of; gives 0. */
export async function printCompletions(
  shell: Shell,
  commands: Declared,
  options: { json?: boolean },
  terminal: Terminal,
): Promise<number> {
  const places = placesOf(commands);
  terminal.print(
    options.json ? JSON.stringify({ shell, places }) : completionScript(shell, places),
  );
  return 0;
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

function choiceCases(places: readonly Place[], answer: (values: string) => string): string {
  return places
    .flatMap(({ path, choices }) =>
      choices.map(({ option, values }) => `    "${path} ${option}") ${answer(values.join(" "))};;`),
    )
    .join("\n");
}

function bash(places: readonly Place[]): string {
  const cases = places.map(
    ({ path, commands, options }) =>
      `    "${path}") c="${names(commands)}"; o="${names(options)}";;`,
  );
  return `# bash completion of memoir; put this into ~/.bashrc:  source <(memoir completions bash)
_memoir() {
  local p="" w c="" o="" cur="\${COMP_WORDS[COMP_CWORD]}" prev="\${COMP_WORDS[COMP_CWORD-1]}"
${pathLoop(`"\${COMP_WORDS[@]:1:COMP_CWORD-1}"`, places)}
  case "$p $prev" in
${choiceCases(places, (values) => `COMPREPLY=($(compgen -W "${values}" -- "$cur")); return`)}
  esac
  case "$p" in
${cases.join("\n")}
  esac
  case "$cur" in
    -*) COMPREPLY=($(compgen -W "$o" -- "$cur"));;
    *) COMPREPLY=($(compgen -W "$c" -- "$cur"));;
  esac
}
complete -o default -F _memoir memoir
`;
}

function zsh(places: readonly Place[]): string {
  const described = (words: readonly Word[]) =>
    words.map(({ word, description }) => `'${word}${description && `:${description}`}'`).join(" ");
  const cases = places.map(
    ({ path, commands, options }) =>
      `    "${path}") c=(${described(commands)}); o=(${described(options)});;`,
  );
  return `#compdef memoir
# zsh completion of memoir; put this into ~/.zshrc after compinit:  source <(memoir completions zsh)
_memoir() {
  local p="" w
  local -a c o
${pathLoop(`"\${(@)words[2,CURRENT-1]}"`, places)}
  case "$p \${words[CURRENT-1]}" in
${choiceCases(places, (values) => `compadd -- ${values}; return`)}
  esac
  case "$p" in
${cases.join("\n")}
  esac
  if [[ "\${words[CURRENT]}" == -* ]]; then _describe option o
  elif (( $#c )); then _describe command c
  else _files
  fi
}
compdef _memoir memoir
`;
}

function fish(places: readonly Place[]): string {
  const rows = places.flatMap(({ path, commands, options, choices }) => {
    const at = `-n '__memoir_at "${path}"'`;
    const values = new Map(choices.map((choice) => [choice.option, choice.values.join(" ")]));
    return [
      ...commands.map(
        ({ word, description }) => `complete -c memoir ${at} -f -a ${word} -d '${description}'`,
      ),
      ...options.map(({ word, description }) => {
        const some = values.get(word);
        const takes = some === undefined ? "" : ` -x -a '${some}'`;
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
  /** Values of options that have only a few. */
  choices: Array<{ option: string; values: string[] }>;
}

const help = { word: "--help", description: "Show help" };
const json = { word: "--json", description: "Print JSON" };

/** Every place of a command line, the program first. */
export function placesOf(commands: Declared): Place[] {
  const version = { word: "--version", description: "print the version" };
  const below = Object.entries(commands).flatMap(([name, data]) => placesBelow(name, data));
  return [{ path: "", commands: named(commands), options: [version, help], choices: [] }, ...below];
}

function placesBelow(path: string, data: CommandData | TopicData): Place[] {
  if (isTopic(data)) {
    const { commands } = data;
    const inner = Object.entries(commands).flatMap(([name, next]) =>
      placesBelow(`${path} ${name}`, next),
    );
    return [{ path, commands: named(commands), options: [help], choices: [] }, ...inner];
  }
  const values = data.args?.[0]?.[2]?.choices ?? [];
  const place: Place = {
    path,
    commands: values.map((word) => ({ word, description: "" })),
    options: [],
    choices: [],
  };
  for (const [typed, option] of Object.entries(data.options ?? {})) {
    const word = /--[\w-]+/.exec(typed)?.[0] ?? typed;
    const { says, hidden, choices } = typeof option === "string" ? { says: option } : option;
    if (!hidden) place.options.push({ word, description: oneSentence(says) });
    if (choices) place.choices.push({ option: word, values: [...choices] });
  }
  if (!place.options.some(({ word }) => word === json.word)) place.options.push(json);
  place.options.push(help);
  return [place];
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

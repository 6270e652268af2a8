// Reduces what a shell command printed.
import * as v from "valibot";
import { isLog, kindOf } from "../read/read.ts";
import type { Reducer } from "../reducer.ts";
import { reduceText } from "../reducer.ts";
import { shortenDiff } from "../text/diff.ts";
import { shortenJson } from "../text/json.ts";
import { shortenGeneric } from "../text/log.ts";
import { firstOf } from "../text/rows.ts";
import { shortenTests } from "../text/tests.ts";

// Reduces the output of a command that ran in the background.

const TaskResponse = v.looseObject({
  task: v.looseObject({ task_type: v.literal("local_bash"), output: v.string() }),
});
const shortenTask = firstOf(shortenTests, shortenGeneric);

/** Agents' output is left alone, and so is that of commands that failed. */
export const reduceTaskOutput: Reducer = (arrived, _, policy) => {
  const parsed = v.safeParse(TaskResponse, arrived.response);
  if (!parsed.success) return undefined;
  const { task } = parsed.output;
  if (typeof task.exitCode === "number" && task.exitCode !== 0) return undefined;
  const withOutput = (output: string) => ({ ...parsed.output, task: { ...task, output } });
  return reduceText(arrived, task.output, withOutput, shortenTask, policy);
};

// Tells commands that print a file's own text, which an edit may need word for word, whatever runs them.

/** What another command is run by; the rest of the line is looked at again. */
const wrappers = [
  // sudo cat a.ts · time cat a.ts · LANG=C cat a.ts
  /^(?:sudo|time|command|nice|env)\s+(?=\S)/,
  /^\w+=\S*\s+/,
  // ssh live-01 'cat /etc/app.ini'
  /^ssh\s+(?:-[46AaCfGgKkMNnqsTtVvXxYy]+\s+|-\w\s+\S+\s+)*[^-\s]\S*\s+/,
  // docker exec app cat a.ts · docker compose exec -T app cat a.ts
  /^(?:docker|podman)(?:[\s-]compose)?\s+exec\s+(?:-\S+\s+)*\S+\s+/,
  // kubectl exec deploy/shop -- cat a.ts
  /^kubectl\s(?:.*\s)?exec\s.*?\s--\s+/,
  // bash -lc "cat a.ts"
  /^(?:ba|da|z)?sh\s+-\w*c\s+/,
];
const printers = [
  // cat a.ts · head -50 a.ts · sed -n 1,80p a.ts
  /^(?:cat|head|tail|sed|nl|bat|batcat|awk|less|more|type|tac|Get-Content)\s(?:.*\s)?[^-\s]/,
  // git show HEAD:src/a.ts · git cat-file -p HEAD:a.ts
  /^git\s+(?:-\S+\s+)*(?:show|cat-file)\s(?:\S+\s+)*['"]?[^\s:]+:[^\s:]/,
  // grep '' a.ts · grep -n "" a.ts
  /^grep\s+(?:-\w+\s+)*(?:''|""|\.|\^)\s+\S/,
  // python3 -c "print(open('a.py').read())" · node -p "fs.readFileSync('a.js')" · ruby -e "puts File.read('a.rb')"
  /^(?:python[\d.]*|node|bun|deno|ruby|perl|php)\s.*\b(?:open\(.*\.read|readFile|File\.read|Bun\.file|readTextFile|file_get_contents)/,
];
/** Behind a pipe: what only passes lines on. `xargs cat` prints what was found. */
const filters = /^(?:head|tail|sed|awk|grep|rg|cut|sort|uniq|tr|cat|nl|less|more|column|fold)\b/;
const printsArguments = /^xargs\s(?:.*\s)?(?:cat|head|tail|sed|nl)\b/;

/** More of a command is not looked at. */
const longest = 2_000;

/** True when a command's output is, at least in part, a stretch of a file: `cat a.ts`, `cd x && sed -n 1,80p a.ts`. */
export function printsFiles(command: string): boolean {
  return split(command.slice(0, longest), /&&|\|\||[;\n]/).some((part) => {
    const [first = "", ...rest] = split(part, /\|/).map((program) => program.trim());
    const last = rest.at(-1);
    if (last !== undefined && printsArguments.test(last)) return true;
    const inner = unwrapped(first);
    if (inner !== first && printsFiles(inner)) return true;
    // `cat <<EOF > file` shows nothing, and `cat x | jq .` shows what jq makes of it.
    return (
      printers.some((form) => form.test(first)) &&
      !/<<|(?<!2)>\s*[^\s&]/.test(first.replaceAll(quoted, "''")) &&
      rest.every((program) => filters.test(program))
    );
  });
}

/** What picks a part of an output, as the last program of a pipe or on a file of its own. */
const pickers = [
  // npm test | tail -40 · git log | head -5 · … | jq '.items[0]' · … | sed -n 3,9p · … | grep -A3 price
  // A hundred lines and more are only a bound, and what only lays out picks nothing: … | sed -n 1,400p · … | jq .
  /^(?:head|tail)\b(?!.*\d{3})/,
  /^(?:jq|yq|xq)\b(?!\s+(?:-\S+\s+)*(["']?)\.\1$)/,
  /^(?:sed(?! -n ["']?1,\d{3,}p)|awk|cut|grep|egrep|rg|ag|xmllint|htmlq|Select-Object|Select-String)\b/,
];
const chosen = [
  // jq '.x' a.json · grep -n total a.log
  /^(?:jq|yq|xq)\s+(?:-\S+\s+)*(?:'[^']+'|"[^"]+"|\.\S+)\s+\S/,
  /^(?:grep|egrep|rg)\s+(?:-(?!\w*[rR])\S+\s+)*(?:'[^']+'|"[^"]+"|[^-\s]\S*)\s+(?:[\w./-]*\.\w+\s*)+$/,
  // git log --author=Wei · git diff v1 v2 -- src/cart.ts
  /^git\s.*\b(?:log|diff|show|blame)\s.*(?:--author|--grep|\s-S\s?\S|\s-L\s?\S|\s--\s+\S)/,
  // git show 3f2a91c
  /^git\s+(?:-\S+\s+)*show\s+(?:-\S+\s+)*[\w^~.-]+$/,
  // kubectl get pod web -o yaml
  /^(?:kubectl|oc)\s.*\s-o\s*(?:yaml|json\S*|jsonpath\S*)/,
];
/** What was chosen stays whole up to so many characters. */
export const longestChosen = 10_000;
/** A question to a database: by columns, or for some of the rows. */
export const query =
  /\bselect\b(?!\s+\*)[\s\S]+\bfrom\b|\bselect\b[\s\S]+\b(?:where|limit|group\s+by|having)\b/i;

/** True when the command itself says which part of an output is wanted. */
export function isChosen(command: string): boolean {
  const text = command.slice(0, longest);
  if (query.test(text)) return true;
  return split(text, /&&|\|\||[;\n]/).some((part) => {
    const programs = split(part, /\|/).map((program) => program.trim());
    const last = programs.length > 1 ? (programs.at(-1) ?? "") : "";
    return (
      pickers.some((form) => form.test(last)) ||
      chosen.some((form) => form.test(unwrapped(programs[0] ?? "")))
    );
  });
}

const going = /^(?:cd|pushd)\s/;
/** What is run, by its interpreter too: `python3 manage.py migrate` is not about manage.py. */
const program =
  /^(?:\S*\/)?(?:(?:python[\d.]*|node|deno|bun|ruby|perl|php|(?:ba|da|z)?sh|npx)\s+(?:run\s+)?(?:-\S+\s+)*)?\S+/;
const thing = /(?<![\w@.:/~-])(?!-)[\w@.:/~-]{4,}/g;

/**
 * What a command is about, as far as it has names that little else has: files, addresses, ids; none for a folder, whatever numbers the
 * path to it has, or a word. A second command on the same thing asks for what the first did not show.
 */
export function thingsOf(command: string): string[] {
  return split(command.slice(0, longest), /&&|\|\||[;\n|]/)
    .filter((part) => !going.test(part))
    .flatMap((part) => unwrapped(part).replace(program, "").match(thing) ?? [])
    .filter((name) => /\.[A-Za-z]\w*$|\d[^\d/]*\d[^/]*$|:\/\//.test(name) && /[A-Za-z]/.test(name));
}

const quoted = /"(?:[^"\\]|\\.)*"|'[^']*'/g;

/** Parts of a command; what is quoted is not parted. */
function split(command: string, at: RegExp): string[] {
  const kept: string[] = [];
  const bare = command.replaceAll(quoted, (text) => `\uE000${kept.push(text) - 1}\uE001`);
  return bare
    .split(at)
    .map((part) =>
      part.replaceAll(/\uE000(\d+)\uE001/g, (_, number) => kept[Number(number)] ?? "").trim(),
    );
}

const fileName = /[\w~@+-][\w./~@+-]*\.[A-Za-z]\w*/g;
const readOnly: ReadonlySet<unknown> = new Set(["prose", "commented", "data", "log", "generated"]);

/** First lines that show what a file is whose name says nothing. */
const mostJudged = 400;

/** Whether a command names a file that an agent may edit: not only data, logs and texts. */
function mayBeEdited(command: string, text: string): boolean {
  const names = command.slice(0, longest).match(fileName) ?? [];
  const lines = text.split("\n", mostJudged);
  const isSafe = (name: string) => {
    const kind = kindOf(name, lines);
    return kind === undefined ? isLog(name, lines) : readOnly.has(kind);
  };
  return names.length === 0 || !names.every(isSafe);
}

/** The command that others run, without its quotes. */
function unwrapped(command: string): string {
  for (const wrapper of wrappers) {
    const rest = command.replace(wrapper, "");
    if (rest !== command) return rest.trim().replace(/^(["'])([\s\S]*)\1$/, "$2");
  }
  return command;
}

const Response = v.looseObject({
  stdout: v.string(),
  stderr: v.string(),
  interrupted: v.literal(false),
  isImage: v.optional(v.literal(false)),
  persistedOutputPath: v.optional(v.undefined()),
});

const shorten = firstOf(shortenDiff, shortenTests, shortenJson, shortenGeneric);

/**
 * Shortens `stdout`. Left alone: images, what was interrupted, what the client itself cut to a preview, and commands
 * that print files, since an edit may follow. `stderr` stays as it is.
 */
export const reduceBash: Reducer = (arrived, seen, policy) => {
  const parsed = v.safeParse(Response, arrived.response);
  const command = typeof arrived.input.command === "string" ? arrived.input.command : "";
  if (!parsed.success) return undefined;
  const response = parsed.output;
  const { stdout } = response;
  if (printsFiles(command) && (stdout.length <= longestChosen || mayBeEdited(command, stdout)))
    return undefined;
  const isWanted = () => isChosen(command) || seen.wasCut(thingsOf(command), command);
  if (response.stdout.length <= longestChosen && isWanted()) return undefined;
  const withStdout = (stdout: string) => ({ ...response, stdout });
  const reduced = reduceText(arrived, response.stdout, withStdout, shorten, policy, { command });
  const tail = response.stderr === "" ? "" : `\n${response.stderr}`;
  return reduced && { ...reduced, before: reduced.before + tail, after: reduced.after + tail };
};

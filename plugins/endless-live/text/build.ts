// Shortens what compilers, linters, package managers and image builders print: progress goes, errors and warnings stay once.

import type { Policy } from "../policy.ts";
import { type LogKind, shortenLog } from "./log.ts";
import type { Row } from "./rows.ts";
import type { Shorten } from "./shortened.ts";
import { isTrouble } from "./trouble.ts";

const command =
  /(?:^|[\s;&|(])(?:(?:npm|pnpm|yarn|bun)\s+(?:i|ci|install|add|run\s+\S*(?:build|lint|check|compile)\S*|build|audit)|npx\s+(?:tsc|eslint|vite|webpack)|tsc|eslint|biome|vite\s+build|webpack|rollup|esbuild|pip3?\s+install|uv\s+(?:pip|sync|add)|poetry\s+install|cargo\s+(?:build|check|clippy|install|fetch)|rustc|go\s+(?:build|vet|mod|get|install|generate)|golangci-lint|make|cmake|ninja|gcc|g\+\+|clang(?:\+\+)?|mvn|gradle|\.\/gradlew|dotnet\s+(?:build|restore)|docker(?:\s+compose|-compose)?\s+(?:build|pull|push|up)|apt(?:-get)?\s+\S*install|brew\s+install|bundle\s+install|gem\s+install|mix\s+(?:compile|deps\.\w+)|terraform|ansible-playbook|ruff|mypy|pylint|swift\s+build|xcodebuild|git\s+(?:push|clone|fetch|pull))\b/;

const progress = [
  // Bars and percentages.
  /(?:^|\s)\[?[=#█▓▒░━─>.\s-]{8,}\]?\s*\d{1,3}(?:\.\d+)?\s?%/,
  /^\s*(?:[\w ./:@-]+\s)?\d{1,3}(?:\.\d+)?\s?%(?:\s*[|[(].*)?$/,
  /^[⠁-⣿◐◓◑◒]\s/u,
  // One line for each thing fetched or compiled.
  /^\s*(?:Compiling|Downloading|Downloaded|Checking|Fresh|Fetching|Unpacking|Installing|Preparing|Updating|Building wheel|Collecting|Using cached|Requirement already satisfied|Resolving|Linking|Extracting|Pulling|Selecting previously|Setting up|Reading package|Processing triggers)\b(?!.*\berror\b)/i,
  /^\s*(?:Get|Hit|Ign):\d+ /,
  /^npm (?:http|timing|sill|verb)\b/,
  /^#\d+ (?:sha256:|extracting|\d+\.\d+ (?:Get|Selecting|Unpacking|Setting up|Preparing|Reading)|transferring|CACHED|DONE)/,
  /^\s*[0-9a-f]{12}: (?:Pulling|Waiting|Download|Verifying|Pull complete|Pushed|Preparing|Layer|Mounted|Already)/,
  /^go: downloading /,
  /^\[\s*\d+\/\d+\]\s/,
  /^\[\s*\d+%\]\s/,
  /^(?:remote: )?(?:Counting|Compressing|Receiving|Writing|Resolving|Enumerating)\s\w+:/,
  /^\[INFO\]\s*(?:Download|$|-{5,})/,
  /^make(?:\[\d+\])?: (?:Entering|Leaving) directory/,
];

const isProgress = (line: string): boolean =>
  line.length < 400 && progress.some((form) => form.test(line)) && !isTrouble(line);

/** Totals, and what a script says that it runs next. */
const total =
  /^> \S|^\s*(?:Checked \d+|added|removed|changed|audited|up to date|found|Finished|Successfully|BUILD|Build|built in|Done|✖ \d+|\d+ (?:errors?|warnings?|problems?))\b/i;

/** Most lines of one compiler message. */
const mostOfOne = 30;

/** An error's own paragraph: from the line that tells it to the blank line after, within the budget. */
function messages(rows: readonly Row[], policy: Policy): Set<number> {
  const found = new Set<number>();
  let budget = policy.failureCharacters;
  for (let at = 0; at < rows.length && budget > 0; at++) {
    if (!/\berror\b|\bpanic/i.test(rows[at]?.text ?? "") || !isTrouble(rows[at]?.text ?? ""))
      continue;
    for (let to = at; to < Math.min(rows.length, at + mostOfOne); to++) {
      const row = rows[to];
      if (!row || (to > at && row.text.trim() === "")) break;
      if (!found.has(row.line)) budget -= row.text.length;
      found.add(row.line);
    }
  }
  return found;
}

const kind: LogKind = {
  how: "kept errors, warnings and the last lines",
  isNoise: isProgress,
  listsNoise: false,
  isTotal: (line) => total.test(line),
  whole: messages,
};

/** Commands that build, check, install or fetch; and any output with that much progress in it. */
export const shortenBuild: Shorten = (text, policy, origin) =>
  command.test(origin.command) || isMostlyProgress(text)
    ? shortenLog(text, policy, origin, kind)
    : undefined;

function isMostlyProgress(text: string): boolean {
  const some = text.split("\n", 400);
  const shown = some.filter((line) => line.trim() !== "");
  return shown.length >= 20 && shown.filter(isProgress).length > shown.length / 3;
}

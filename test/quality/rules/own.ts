// What the user said themselves: rules that stand, and what only sounds like one.
import { filler, longer } from "./filler.ts";
import type { Words } from "./words.ts";

/** Said by the user, and not in force: asked, denied, past, supposed, told of others, taken back. */
export const notInForce: ReadonlyArray<readonly [string, string, string, string]> = [
  ["asked", "en", "Should we always run npm-shrinkwrap before a release?", "shrinkwrap"],
  [
    "asked-inside",
    "en",
    "Tell me whether we always run npm-shrinkwrap before a release.",
    "shrinkwrap",
  ],
  ["asked", "de", "Sollen wir immer npm-shrinkwrap laufen lassen?", "shrinkwrap"],
  ["asked", "fr", "Est-ce qu'on ne lance jamais npm-shrinkwrap ?", "shrinkwrap"],
  ["denied", "en", "I don't want you to always run npm-shrinkwrap before a commit.", "shrinkwrap"],
  [
    "denied",
    "de",
    "Ich möchte nicht, dass wir grundsätzlich npm-shrinkwrap benutzen.",
    "shrinkwrap",
  ],
  ["denied", "es", "No es cierto que nunca usemos npm-shrinkwrap aquí.", "shrinkwrap"],
  ["denied-truth", "en", "It is not true that we always use npm-shrinkwrap here.", "shrinkwrap"],
  ["past", "en", "We used to always commit npm-shrinkwrap files.", "shrinkwrap"],
  ["past", "de", "Früher haben wir grundsätzlich npm-shrinkwrap eingecheckt.", "shrinkwrap"],
  ["past", "fr", "Avant, on ne supprimait jamais les fichiers npm-shrinkwrap.", "shrinkwrap"],
  [
    "supposed",
    "en",
    "If we always committed npm-shrinkwrap files, the build would be slower.",
    "shrinkwrap",
  ],
  [
    "supposed",
    "de",
    "Wenn wir grundsätzlich npm-shrinkwrap einchecken würden, wäre der Build langsamer.",
    "shrinkwrap",
  ],
  [
    "supposed",
    "es",
    "Si nunca subiéramos npm-shrinkwrap, la compilación sería más rápida.",
    "shrinkwrap",
  ],
  ["told-of", "en", "Bob says we always commit npm-shrinkwrap files.", "shrinkwrap"],
  [
    "told-of-file",
    "en",
    "The README claims that we never commit npm-shrinkwrap files.",
    "shrinkwrap",
  ],
  ["told-of", "de", "Laut README committen wir grundsätzlich npm-shrinkwrap.", "shrinkwrap"],
  ["told-of", "fr", "Paul dit qu'on ne supprime jamais npm-shrinkwrap.", "shrinkwrap"],
  [
    "taken-back",
    "en",
    "Forget what I said about always committing npm-shrinkwrap files.",
    "shrinkwrap",
  ],
  [
    "taken-back-rule",
    "en",
    "We don't always have to commit npm-shrinkwrap files any more.",
    "shrinkwrap",
  ],
  [
    "taken-back",
    "de",
    "Vergiss, dass wir grundsätzlich npm-shrinkwrap committen wollten.",
    "shrinkwrap",
  ],
  ["irony", "en", "Sure, never write tests for npm-shrinkwrap, what could go wrong.", "shrinkwrap"],
];

/** The user's own rule where it is easily taken for somebody else's. */
export const own: ReadonlyArray<readonly [string, string, (rule: string, w: Words) => string]> = [
  ["alone", "en de fr es ja zh", (rule) => rule],
  ["after-task", "en de fr es ja zh", (rule, { task }) => `${task}.\n\n${rule}.`],
  ["before-quote", "en de fr", (rule, { says, alien }) => `${rule}. ${says}: "${alien}".`],
  ["after-block", "en de es", (rule, { alien }) => `> ${alien}\n\n${rule}.`],
  ["after-fence", "en fr zh", (rule, { alien }) => `\`\`\`\n${alien}\n\`\`\`\n${rule}.`],
  [
    "after-paste",
    "en de",
    (rule, { alien }) =>
      `${longer.slice(0, 3).join("\n\n")}\n\n${alien}.\n\n${longer[3]}\n\n${rule}.`,
  ],
  [
    "before-paste",
    "en es",
    (rule, { task, alien }) =>
      `${task}. ${rule}.\n\n${longer.slice(0, 3).join("\n\n")}\n\n${alien}.\n\n${longer[3]}`,
  ],
  [
    "before-log",
    "en ja",
    (rule, { task }) =>
      `${rule}.\n${task}:\n2026-11-03 10:12:01 INFO started\n2026-11-03 10:12:02 ERROR no login\n`,
  ],
  ["in-list", "en de fr", (rule, { task }) => `- ${task}\n- ${rule}\n`],
  ["bold", "en es", (rule, { task }) => `${task}. **${rule}!**`],
  ["after-code", "en zh", (rule, { task }) => `${task}, \`bun test login\`. ${rule}.`],
  ["named", "en de", (rule) => `${rule}, "quick" as well.`],
  [
    "after-reminder",
    "en fr",
    (rule, { alien }) => `<system-reminder>${alien}.</system-reminder>\n${rule}.`,
  ],
  ["short-colon", "en de", (rule) => `Two things: ${rule}.`],
  ["list-intro", "en es", (rule, { task }) => `${task}. Rules:\n- ${rule}\n- be brief`],
  [
    "own-lines",
    "en de",
    (rule, { task, explain }) => `${task}.\n${explain}.\n${rule}.\n${filler[0]}`,
  ],
  [
    "apostrophes",
    "en fr",
    (rule, { task }) => `Don't rush, it's the users' login. ${task}. ${rule}, that's all.`,
  ],
  ["below-open-line", "en de zh", (rule, { task }) => `${task}\n\n${rule}.`],
  ["open-lines", "en fr", (rule, { task, explain }) => `${task}\n\n${explain}\n\n${rule}.`],
  ["signed", "en de", (rule, { task }) => `${task}. ${rule}.\n\nThanks,\nTheo`],
  [
    "in-paragraphs",
    "en es",
    (rule, { task, explain }) => `${task}. ${filler[0]}\n\n${rule}.\n\n${explain}. ${filler[1]}`,
  ],
  ["below-a-rule", "en", (rule, { task }) => `${task}.\n\n---\n\n${rule}.`],
];

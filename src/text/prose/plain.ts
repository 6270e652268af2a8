// Markdown, terminal output and client markup as plain one-line text.
import { stripAnsi } from "../text.ts";

const clientBlock =
  /<(system-reminder|local-command-caveat|local-command-stdout|local-command-stderr|task-notification|command-message|command-name|command-contents)\b[^>]{0,200}>[\s\S]*?(?:<\/\1>|$)/gi;
const clientTag =
  /<\/?(?:tool_use_error|error|persisted-output|command-args|user-prompt-submit-hook|summary|analysis|result|output|bash-input|bash-stdout|bash-stderr)\b[^>]{0,200}>/gi;
const controls = /(?![\n\r\t])[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]|\ufe0e|\ufe0f/gu;
const pictures =
  /[\u2190-\u21ff](?=\s*$)|[\u2300-\u23ff\u25a0-\u27bf\u2b00-\u2bff\ue000-\uf8ff]|[\ud800-\udfff]/g;

/** Takes out terminal colours, control characters and anything outside the BMP; line breaks stay. */
export function cleanText(text: string): string {
  return stripAnsi(text).replace(controls, "").replace(/\r\n?/g, "\n");
}

/** Takes out what the client wrapped around a text: reminders and command echoes whole, other tags alone. */
export function withoutClientMarkup(text: string): string {
  return text.includes("<") ? text.replace(clientBlock, " ").replace(clientTag, " ") : text;
}

/** One line of plain text: no Markdown, no pictographs, single spaces. Code spans keep their content. */
export function plainLine(markdown: string): string {
  return markdown
    .replace(/!?\[([^\]\n]{0,200})\]\((?:[^()\n]|\([^()\n]{0,100}\)){0,400}\)/g, "$1")
    .replace(/\*\*(?=[^\s*])([^*\n]*[^\s*])\*\*/g, "$1")
    .replace(/(?<![\w*/])\*(?=[^\s*/])([^*\n]*[^\s*])\*(?![\w*/])|~~/g, "$1")
    .replace(/(?<![\w/*])\*\*(?=\w)|(?<=[\w.:!?)])\*\*(?![\w/*])|^\*\*\s|\s\*\*$/g, "")
    .replace(/(?<![\w/])_(\S(?:[^_\n]*\S)?)_(?![\w/])/g, "$1")
    .replace(/`+/g, "")
    .replace(pictures, "")
    .replace(/[\u2013\u2014]/g, "-")
    .replace(/[\u2018\u2019]/g, "'")
    .replace(/[\u201c\u201d]/g, '"')
    .replace(/\s+/g, " ")
    .trim();
}

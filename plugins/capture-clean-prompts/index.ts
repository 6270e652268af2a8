// Reduces prompts to what the user meant, and drops those that only the client wrote.
import { type ClientEvent, type Drop, definePlugin } from "../../src/sdk/index.ts";
import { isClientNote } from "../../src/text/index.ts";

// What the user meant by a prompt, without what the client wrapped around it. Pure.

/** The cleaned prompt, or why it is no prompt at all. */
type Cleaned = { text: string } | { drop: string };

/** Blocks that the client puts into a prompt; their content is nobody's request. */
const clientBlocks = [
  "system-reminder",
  "local-command-stdout",
  "local-command-stderr",
  "local-command-caveat",
  "bash-stdout",
  "bash-stderr",
  "user-prompt-submit-hook",
  "ide_opened_file",
  "ide_selection",
  "ide_diagnostics",
];
/** Blocks by which the client reports that something in the background ended. */
const notificationBlocks = [
  "task-notification",
  "agent-notification",
  "background-task-notification",
];
/** The sentence that follows some notifications. */
const notificationTail =
  /^(?:Read the output file to retrieve the (?:full )?result\b[^\n]*|Full transcript available at:[^\n]*)$/gm;

/** Commands that steer the client and ask nothing of the agent. */
const clientCommands = new Set(
  "add-dir advisor agents autocompact bashes btw bug cd clear color compact config context copy cost desktop doctor effort exit export extra-usage fast feedback heapdump help hooks ide install-github-app install-slack-app keybindings login logout mcp memory mobile model output-style passes permissions plugin privacy-settings quit rate-limit-options recap release-notes reload-plugins reload-skills remote-control remote-env rename resume rewind sandbox scroll-speed settings skills stats status statusline stickers tasks teleport terminal-setup theme todos tui upgrade usage usage-credits vim voice web-setup".split(
    " ",
  ),
);

/** A command with a name of its own; a path has more slashes. */
const slashCommand = /^\/+([A-Za-z][^\s/]*)(?=\s|$)/;

/**
 * Cleans one prompt: client blocks go, a command becomes `/name arguments` however it was wrapped. A prompt that holds
 * nothing but notes of the client or a client command is dropped.
 */
export function cleanPrompt(prompt: string): Cleaned {
  let text = prompt;
  for (const block of clientBlocks) text = removeBlock(text, block);
  const before = text;
  for (const block of notificationBlocks) text = removeBlock(text, block);
  if (text !== before) text = text.replace(notificationTail, "");
  if (isClientNote(text) || (text !== before && text.trim() === ""))
    return { drop: "client notification" };
  const command = blockContent(text, "command-name");
  if (command !== undefined) {
    const args = blockContent(text, "command-args") ?? "";
    const rest = removeBlock(
      removeBlock(removeBlock(text, "command-name"), "command-message"),
      "command-args",
    );
    const parts = [`/${command.trim().replace(/^\/+/, "")}`, args.trim(), rest.trim()];
    text = parts.filter((part) => part !== "").join(" ");
  }
  text = unwrap(unwrap(text, "bash-input"), "user-memory-input").trim();
  if (text === "" && prompt.trim() !== "") return { drop: "client output" };
  const slash = slashCommand.exec(text);
  if (!slash) return { text };
  if (clientCommands.has(slash[1] ?? "") && slash[0].length === text.length)
    return { drop: "client command" };
  return { text: text.replace(/^\/+/, "/") };
}

/** The text without any `<name …>…</name>`. */
function removeBlock(text: string, name: string): string {
  return replaceBlocks(text, name, () => "");
}

/** The text with `<name>…</name>` replaced by what stands inside. */
function unwrap(text: string, name: string): string {
  return replaceBlocks(text, name, (content) => content);
}

function blockContent(text: string, name: string): string | undefined {
  let found: string | undefined;
  replaceBlocks(text, name, (content) => {
    found ??= content;
    return "";
  });
  return found;
}

/** Looks for each end once, so that the work stays linear; a block without its end is left as it is. */
function replaceBlocks(
  text: string,
  name: string,
  replacement: (content: string) => string,
): string {
  const close = `</${name}>`;
  let result = "";
  let from = 0;
  for (;;) {
    const start = text.indexOf(`<${name}`, from);
    if (start < 0) break;
    const inner = text.indexOf(">", start) + 1;
    const end = inner > 0 ? text.indexOf(close, inner) : -1;
    if (end < 0) break;
    // `<task>` must not answer for `<task-list>`.
    if (!/[\s>]/.test(text.charAt(start + name.length + 1))) {
      result += text.slice(from, inner);
      from = inner;
      continue;
    }
    result += text.slice(from, start) + replacement(text.slice(inner, end));
    from = end + close.length;
  }
  return from === 0 ? text : result + text.slice(from);
}

export default definePlugin({
  name: "capture-clean-prompts",
  description: "Strips client wrappers from prompts; drops client notifications.",
  sdk: 1,
  slot: "capture",
  hooks: {
    capture: {
      filter: { event: ["UserPromptSubmit"] },
      handler: (event): ClientEvent | Drop | undefined => {
        if (event.name !== "UserPromptSubmit") return undefined;
        const cleaned = cleanPrompt(event.prompt);
        if ("drop" in cleaned) return cleaned;
        return cleaned.text === event.prompt ? undefined : { ...event, prompt: cleaned.text };
      },
    },
  },
});

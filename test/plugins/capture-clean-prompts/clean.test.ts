// What a user meant, for every wrapper a client puts around it.
import { describe, expect, test } from "bun:test";
import { cleanPrompt } from "../../../plugins/capture-clean-prompts/index.ts";

const notification =
  "<task-notification>\n<task-id>b7</task-id>\n<status>completed</status>\n</task-notification>";

const table: Array<[name: string, prompt: string, expected: string | { drop: string }]> = [
  ["plain", "fix the login", "fix the login"],
  ["kept as it is inside", "fix  this:\n\n  code", "fix  this:\n\n  code"],
  ["slash command", "/review the auth module", "/review the auth module"],
  ["a command before a sentence", "/commit We keep SQLite", "/commit We keep SQLite"],
  [
    "wrapped command before a sentence",
    "<command-name>/commit</command-name>\n<command-args>Wir behalten SQLite</command-args>",
    "/commit Wir behalten SQLite",
  ],
  ["several slashes", "//review it", "/review it"],
  ["namespaced command", "/acme:plan next sprint", "/acme:plan next sprint"],
  ["a path stays", "/home/ada/x.ts is broken", "/home/ada/x.ts is broken"],
  ["slashes alone stay", "// comment", "// comment"],
  [
    "wrapped command",
    "<command-message>acme:plan</command-message>\n<command-name>/acme:plan</command-name>\n<command-args>the\nsprint</command-args>",
    "/acme:plan the\nsprint",
  ],
  ["wrapped command without arguments", "<command-name>/review</command-name>", "/review"],
  [
    "wrapped client command",
    "<command-name>/mcp</command-name>\n<command-message>mcp</command-message>\n<command-args></command-args>",
    { drop: "client command" },
  ],
  [
    "wrapped client command with words",
    "<command-name>/compact</command-name>\n<command-args>keep the plan</command-args>",
    "/compact keep the plan",
  ],
  [
    "wrapped command with more behind it",
    "<command-name>/review</command-name>\n<command-args>the cart</command-args>\nand the mails",
    "/review the cart and the mails",
  ],
  [
    "two wrapped commands: the first",
    "<command-name>/review</command-name><command-name>/plan</command-name>",
    "/review",
  ],
  ["client command", "/clear", { drop: "client command" }],
  ["client command of newer clients", "/remote-env", { drop: "client command" }],
  ["client command with words", "/compact keep the plan", "/compact keep the plan"],
  ["client word without a slash", "help", "help"],
  ["notification", notification, { drop: "client notification" }],
  [
    "notification with its tail",
    `${notification}\nRead the output file to retrieve the result: /tmp/x.output`,
    { drop: "client notification" },
  ],
  ["two notifications", `${notification}\n${notification}`, { drop: "client notification" }],
  ["notification and a request", `${notification}\nnow fix it`, "now fix it"],
  [
    "agent notification",
    "<agent-notification>\n<agent-id>a7</agent-id>\n</agent-notification>",
    { drop: "client notification" },
  ],
  [
    "what a hook says to go on",
    "Stop hook feedback:\n- [lint.sh]: Always run the lint",
    { drop: "client notification" },
  ],
  [
    "a hook that stopped it",
    "Operation stopped by hook: Another session is active",
    { drop: "client notification" },
  ],
  ["words about it", "Stop hook feedback is shown twice", "Stop hook feedback is shown twice"],
  ["reminder", "<system-reminder>be good</system-reminder>fix it", "fix it"],
  ["opened file", "<ide_opened_file>The user opened a.ts</ide_opened_file>\nfix it", "fix it"],
  [
    "only client output",
    "<local-command-stdout>ok</local-command-stdout>",
    { drop: "client output" },
  ],
  ["shell input", "<bash-input>bun test</bash-input>", "bun test"],
  ["an unclosed wrapper stays", "<system-reminder>be good", "<system-reminder>be good"],
  [
    "a longer name stays",
    "<system-reminders>x</system-reminders>",
    "<system-reminders>x</system-reminders>",
  ],
  [
    "a longer name stays, before one that goes",
    "<system-reminders>x</system-reminders> fix it<system-reminder>y</system-reminder>",
    "<system-reminders>x</system-reminders> fix it",
  ],
  ["nothing", "", ""],
  ["blanks", "  ", ""],
];

describe("cleanPrompt", () => {
  for (const [name, prompt, expected] of table) {
    test(name, () => {
      expect(cleanPrompt(prompt)).toEqual(
        typeof expected === "string" ? { text: expected } : expected,
      );
    });
  }
  test("cleaning is linear for hostile prompts", () => {
    for (const piece of ["<command-name>", "<system-reminder", "/", "<task-notification>x"]) {
      cleanPrompt(piece.repeat(50_000));
    }
  });
});

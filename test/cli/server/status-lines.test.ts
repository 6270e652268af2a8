// What `memoir status` shows a person.
import { expect, test } from "bun:test";
import pc from "picocolors";
import { statusLines } from "../../../src/cli/server/status-lines.ts";
import type { ServerStatus } from "../../../src/server/schemas/status.ts";
import { quietStatus as quiet } from "../../support/quiet-status.ts";

const render = (change: Partial<ServerStatus>) =>
  statusLines(
    { ...quiet, ...change },
    { colors: pc.createColors(false), now: () => 7_200_000, width: undefined },
  ).join("\n");

test("a quiet server shows no trouble", () => {
  const text = render({});
  expect(text).toContain("memoir 1.2.3  running  pid 7, up 2h");
  expect(text).toContain("captured  nothing yet");
  expect(text).toContain("waiting   nothing");
  expect(text).toContain(
    "3 observations, 1 summary, 1 session, 0 projects; 2.0 MB, journal 1.0 kB",
  );
  expect(text).not.toContain("wrong");
});

test("of a search index that was damaged it is said that it was made anew, and when", () => {
  const index = { isWhole: true, records: 9, indexed: 9, madeAnewAt: 7_020_000 };
  expect(render({ storage: { ...quiet.storage, index } })).toContain(
    "search was made anew 3m ago: it was damaged, incomplete or of another version",
  );
});

test("what was captured, left out, processed and skipped, each with its reason", () => {
  const counters = {
    "event:Stop": 2,
    "event:PostToolUse": 9,
    "drop:skipped tool": 3,
    "settled:stored": 5,
    "settled:skipped": 4,
    "settled:parked": 0,
    "skip:routine": 4,
  };
  const text = render({
    journal: {
      ...quiet.journal,
      counters,
      pendingEvents: 1,
      pendingWork: 1,
      leasedWork: 2,
    } as ServerStatus["journal"],
    refused: { payload_invalid: 2 },
    spool: { waiting: 4 },
  });
  expect(text).toContain("11 events: 9 PostToolUse, 2 Stop");
  expect(text).toContain("left out 3: 3 skipped tool");
  expect(text).toContain("refused 2: 2 payload_invalid");
  expect(text).toContain("9 tool uses: 5 stored, 4 skipped");
  expect(text).toContain("skipped 4: 4 routine");
  expect(text).toContain("1 event, 3 pieces of work, 4 in the spool");
  expect(text).not.toContain("parked");
});

test("search by meaning says whom it asks, and when it does not work", () => {
  const meant = (meaning: object) =>
    render({ storage: { ...quiet.storage, turns: 9, meaning } as ServerStatus["storage"] });
  const model = "nomic at 127.0.0.1:11434";
  expect(meant({ model, turns: 4 })).toContain(
    "meaning of 4 of 9 turns by nomic at 127.0.0.1:11434",
  );
  expect(meant({ model, turns: 9, trouble: "it is down." })).toContain(
    "by nomic at 127.0.0.1:11434; words alone find: it is down.",
  );
  expect(render({})).not.toContain("meaning");
});

test("a kind of hint that nobody used is said to be silent, and where", () => {
  const silent = [
    { project: "example.com/acme/shop", kind: "failure", keptBack: 3 },
    { project: "/home/dev/till", kind: "file", keptBack: 0 },
  ];
  const text = render({ journal: { ...quiet.journal, silent } as ServerStatus["journal"] });
  expect(text).toContain(
    "hints     failure: silent in shop, nobody used them; 3 kept back in the last week",
  );
  expect(text).toContain("file: silent in till, nobody used them (`memoir memory stats`)");
  expect(render({})).not.toContain("hints");
});

const troubles: Array<[string, Partial<ServerStatus>, string]> = [
  [
    "a config problem",
    {
      config: {
        path: "/h/config.json",
        broken: false,
        problems: [{ path: "slots", message: "", text: "slots: no" }],
      },
    },
    "/h/config.json: slots: no",
  ],
  [
    "a failed plugin",
    {
      plugins: [
        {
          name: "mine",
          description: "",
          slots: [],
          fills: [],
          origin: "file",
          state: "failed",
          error: "line 3",
        },
      ],
    },
    "plugin mine: line 3",
  ],
  [
    "a plugin that fails when it is called",
    {
      subscriptions: [
        {
          plugin: "shy",
          hook: "Stop",
          kind: "sequence",
          order: "normal",
          deadlineMs: 100,
          calls: 7,
          failures: 2,
          p50: 1,
          p99: 1,
          lastError: "plugin shy failed in Stop: boom",
        },
      ],
    },
    "plugin shy failed in Stop: boom (2 of 7 calls)",
  ],
  ["withheld text", { textWithheld: true }, "all text is withheld"],
  [
    "an unreadable storage",
    { storage: { error: "database disk image is malformed" } },
    "storage: database disk",
  ],
  ["an unreadable journal", { journal: { error: "disk I/O error" } }, "journal: disk I/O error"],
  [
    "parked work",
    {
      journal: {
        ...quiet.journal,
        parkedWork: 2,
        parked: [{ id: 1, kind: "observe", session: "s", reason: "no title", at: 0 }],
      } as ServerStatus["journal"],
    },
    "2 pieces of work parked; the last because: no title",
  ],
];
for (const [what, change, text] of troubles) {
  test(`${what} is shown`, () => {
    expect(render(change)).toMatch(/\n {2}wrong /);
    expect(render(change)).toContain(text);
  });
}

test.each([
  [0, "0 events in the spool"],
  [1, "1 event in the spool"],
])("of a journal that cannot be read only the spool is known: %d", (waiting, words) => {
  const shown = render({ journal: { error: "disk I/O error" }, spool: { waiting } });
  expect(shown).toMatch(new RegExp(`\\n +waiting +${words}\\n`));
});

test("lines fit a narrow screen", () => {
  const plugins = ["one", "two", "three", "four"].map((name) => ({
    name: `plugin-${name}`,
    description: "",
    slots: [],
    fills: [],
    origin: "file" as const,
    state: "running" as const,
  }));
  const terminal = { colors: pc.createColors(false), now: () => 0, width: 40 };
  const lines = statusLines({ ...quiet, plugins }, terminal);
  for (const line of lines.slice(1)) expect(line.length).toBeLessThanOrEqual(40);
  const at = lines.findIndex((line) => line.includes("4 running"));
  expect(lines[at + 1]).toMatch(/^ {12}plugin-/);
});

test("what Endless Mode keeps is a line where there is any, and damage is told", () => {
  const kept = { contents: 2, references: 3, characters: 90_000, bytes: 20_000, oldestAt: 0 };
  const text = render({ endless: { kept, fileBytes: 40_000, damaged: [] } });
  expect(text).toContain("endless   3 originals of 90 kB kept in 40 kB");
  expect(render({})).not.toContain("endless");
  const broken = { kept: null, fileBytes: 1, damaged: ["/h/endless.db.damaged-1"], error: "full" };
  const wrong = render({ endless: broken });
  expect(wrong).toContain("endless: full");
  expect(wrong).toContain("put aside as /h/endless.db.damaged-1");
});

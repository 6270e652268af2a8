// The second look: what departs from the rest of its output comes back in place, whatever printed it; what is like the rest does not.
import { describe, expect, test } from "bun:test";
import { askedIn } from "../../../../plugins/endless-live/look/asked.ts";
import { lookAgain } from "../../../../plugins/endless-live/look/look.ts";
import { cutTelling } from "../../../../plugins/endless-live/look/score.ts";

const lines = (count: number, line: (at: number) => string) =>
  Array.from({ length: count }, (_, at) => line(at));
const names = ["Warenkorb", "取消订单", "la factura", "refund", "возврат", "le panier"];
/** Everything between the first two and the last line is left out. */
const look = (all: readonly string[], firstLine = 1, prompt = "") => {
  const mark = `… lines ${firstLine + 2}–${firstLine + all.length - 2}`;
  const text = [...all.slice(0, 2), mark, ...all.slice(-1)].join("\n");
  const leftOut = `${all.length - 3} of ${all.length} lines`;
  return lookAgain(
    all.join("\n"),
    { text, leftOut, how: "cut" },
    { firstLine, asked: askedIn([prompt]) },
  );
};
const back = (all: readonly string[], prompt?: string) =>
  look(all, 1, prompt)
    .text.split("\n")
    .slice(2, -1)
    .filter((line) => !line.startsWith("…"));

describe("comes back", () => {
  const ok = (at: number) => `ok ${at + 1} - ${names[at % 6]} ${names[(at * 5) % 6]}`;
  test.each([
    ["a rare first word", "not ok 61 - refund Warenkorb"],
    ["a word of no list, in any script", "ok 61 - 已撤销"],
    ["another form", "at src/till/close.ts:88"],
    ["a missing usual word", "61 - refund Warenkorb"],
  ])("%s", (_, line) => {
    expect(back(lines(120, ok).with(60, line))).toEqual([line]);
  });

  test("a line without the word that all others have, and like them in all else", () => {
    const parcels = ["sealed crate", "crate sealed lorry", "lorry sealed", "sealed lorry crate"];
    const all = lines(120, (at) => parcels[at % 4] ?? "");
    expect(back(all.with(61, "lorry crate"))).toEqual(["lorry crate"]);
  });

  test("the one answer of its kind in a web server's log", () => {
    const served = (at: number, status: number) =>
      `10.0.${at % 7}.${at % 250} - - [04/Nov/2025:02:${10 + (at % 49)}:07 +0000] "GET /${names[at % 6]}/${at} HTTP/1.1" ${status} ${200 + at * 31} "-" "Mozilla/5.0 (X11; Linux) Chrome/12${at % 10}.0"`;
    const all = lines(190, (at) => served(at, [200, 200, 304, 200, 404][at % 5] ?? 200));
    expect(back(all.with(133, served(133, 502)))).toEqual([served(133, 502)]);
  });

  const row = (at: number) => `node-${at}  Ready   ${20 + ((at * 7) % 30)}ms   eu-${at % 3}`;
  test.each([
    ["a rare value in a uniform column", "node-60  Drained   31ms   eu-0"],
    ["a number far from all others", "node-60  Ready   9412ms   eu-0"],
    ["a negative one", "node-60  Ready   -31ms   eu-0"],
  ])("%s", (_, line) => {
    expect(back(lines(120, row).with(60, line))).toEqual([line]);
  });

  test("a change of state, where it begins", () => {
    const all = lines(120, (at) => `tick ${at} role=${at < 70 ? "leader" : "follower"} ok`);
    expect(back(all)).toEqual(["tick 70 role=follower ok"]);
  });

  test("the details below a line, and what it stands under", () => {
    const all = lines(120, (at) => `served order ${at}`);
    all.splice(50, 3, "stock of hall B", "  recount differs", "    by 3 pieces");
    expect(back(all)).toEqual(["stock of hall B", "  recount differs", "    by 3 pieces"]);
  });
});

describe("what was asked for", () => {
  const served = (at: number, what = "served") =>
    `order ${at} was ${what} in the hall as usual, and then closed`;

  test("brings a short line between two such along", () => {
    const all = lines(120, (at) => served(at))
      .with(60, "crate of Emden")
      .with(62, "lorry of Emden");
    const found = ["crate of Emden", served(61), "lorry of Emden"];
    expect(back(all, "what of Emden?")).toEqual(found);
  });

  test("is not what has far less of it than another", () => {
    const all = lines(120, (at) => served(at, at % 17 === 16 ? "parked" : "served"));
    const found = "crate 7713 of Emden, at dock B7, parked";
    const prompt = "where is crate 7713 of Emden, dock B7, parked?";
    expect(back(all, "what is parked?")).toContain(all[33] ?? "");
    const kept = back(all.with(90, found), prompt);
    expect([kept.includes(found), kept.includes(all[33] ?? "")]).toEqual([true, false]);
  });

  test("brings its value along where that stands below its name", () => {
    const all = lines(120, (at) => (at % 2 === 0 ? `part-${at}-of-hall` : `${at * 3}`));
    expect(back(all.with(60, "tcp-keepalive"), "what is tcp-keepalive?")).toContain("183");
  });

  test("shows in a long line that stays cut", () => {
    const long = lines(200, (at) => `--with-module-${at}`)
      .with(150, "--with-http_v2")
      .join(" ");
    const all = lines(60, (at) => served(at)).with(0, long);
    const text = [long.slice(0, 500), "… lines 2–59", all[59]].join("\n");
    const cut = { text, leftOut: "58 of 60 lines", how: "cut" };
    const looked = (prompt: string) =>
      lookAgain(all.join("\n"), cut, { asked: askedIn([prompt]) }).text.split("\n")[0];
    expect(looked("has it http_v2?")).toContain("asked for, or unlike the rest: …");
    expect(looked("has it http_v2?")).toContain("--with-http_v2");
    expect(looked("what of Emden?")).toBe(long.slice(0, 500));
  });

  test("may be what several words say of which each is common", () => {
    const [halls, ways] = [
      ["Emden", "Husum", "Kiel"],
      ["edi", "web", "phone"],
    ] as const;
    const all = lines(150, (at) => `${at} | ${halls[at % 3]} | ${ways[Math.floor(at / 3) % 3]}`);
    const kept = back(all, "the latest edi order of Emden");
    expect(kept[0]).toBe("9 | Emden | edi");
  });

  test("comes with what its item is known by", () => {
    const fields = (at: number) => [
      `"id": "order ${at} of the hall"`,
      '"open": false',
      `"to": "${names[at % 6]}"`,
      '"state": "shipped as usual, and then closed in the hall"',
      `"client": "${1_000 + at}"`,
    ];
    const item = (at: number) => `  {\n    ${fields(at).join(",\n    ")}\n  },`;
    const all = lines(60, item).join("\n").split("\n");
    expect(back(all, "what of client 1030?")).toContain('    "id": "order 30 of the hall",');
  });

  test("takes little room where a third of the lines has as much of it", () => {
    const prompt = "which lorry of Emden is parked?";
    const found = (every: number) =>
      back(
        lines(400, (at) => served(at, at % every === 1 ? "parked as a lorry of Emden" : "served")),
        prompt,
      ).filter((line) => line.includes("parked"));
    expect(found(3).join("\n").length).toBeWithin(1_200, 1_700);
    expect(found(8)).toHaveLength(49);
  });

  test("comes first where it says it in fewer words", () => {
    const long = (at: number) => `LEDGER_7 ${at} ${"and what else there was to say ".repeat(12)}`;
    const all = lines(300, (at) =>
      at % 8 === 3 ? long(at) : served(at, at > 200 && at % 16 === 7 ? "LEDGER_7" : "served"),
    );
    const short = all.filter((line) => line.includes("LEDGER_7 in"));
    const kept = new Set(back(all, "what of LEDGER_7?"));
    expect(short.filter((line) => !kept.has(line))).toEqual([]);
  });
});

test("nothing does of lines that are alike, or each of their own", () => {
  expect(back(lines(200, (at) => `served order ${at} in ${5 + (at % 9)} ms`))).toEqual([]);
  const own = lines(40, (at) => `${String.fromCharCode(97 + (at % 26)).repeat(4 + at)} ${at}`);
  expect(back(own)).toEqual([]);
});

test("marks tell how the missing lines look, once for each form, and the last line counts them", () => {
  const all = lines(120, (at) => `served order ${at} to ${names[at % 6]}`);
  const { text, leftOut } = look(all.with(60, "shard moved to node-7"), 101);
  expect(text.split("\n").slice(2, 5)).toEqual([
    "… lines 103–160, like: served order 2 to la factura",
    "shard moved to node-7",
    "… lines 162–219, like line 103",
  ]);
  expect(leftOut).toBe("116 of 120 lines");
});

test("no more comes back than there is room for", () => {
  const all = lines(2_000, (at) =>
    at % 40 === 7 ? `alarm-${"x".repeat(60)} ${at}` : `tick ${at}`,
  );
  expect(look(all).text.length).toBeLessThan(4_000);
});

test("where lines were put in another order, what departs follows with its number", () => {
  const all = lines(60, (at) => `src/a/file-${at}.ts`).with(30, "src/a/.env.live");
  const short = { text: "src/a/: file-0.ts … and 59 more", leftOut: "59 names", how: "grouped" };
  expect(lookAgain(all.join("\n"), short).text).toBe(
    [short.text, "… unlike the rest:", "31: src/a/.env.live"].join("\n"),
  );
  const whole = { ...short, text: `src/a/:\n${all.map((line) => line.slice(6)).join(" ")}` };
  expect(lookAgain(all.join("\n"), whole).text).toBe(whole.text);
});

describe("a long line", () => {
  test.each(["; ", ",", "、", ":", " "])("parted by %j keeps the part that departs", (by) => {
    const parts = lines(200, (at) => `slot${at}=free`).with(150, "slot150=LOCKED");
    const cut = cutTelling(parts.join(by), 300);
    expect(cut).toStartWith(parts.join(by).slice(0, 250));
    expect(cut).toContain(["slot149=free", "slot150=LOCKED", "slot151=free"].join(by));
    expect(cut.length).toBeLessThan(500);
  });

  test("that is short, or of one piece, is only cut", () => {
    expect(cutTelling("a;".repeat(50), 300)).toBe("a;".repeat(50));
    expect(cutTelling("x".repeat(900), 300)).toBe(`${"x".repeat(300)}… (+600 characters)`);
  });
});

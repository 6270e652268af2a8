// What a user typed, what a message comes to, and the tables of languages: each entry's example is its test.
import { describe, expect, test } from "bun:test";
import { wholeRequestOf } from "../../../src/text/prose/own-words.ts";
import { denied, saysOtherwise, undoes } from "../../../src/text/prose/phrases.ts";
import {
  askedOf,
  isFiller,
  meaningOf,
  overlap,
  requestOf,
  sentencesOf,
  startsDangling,
  titleOf,
} from "../../../src/text/prose/plain.ts";
import { bestOf, isAnnouncement, statementsOf, tellings } from "../../../src/text/prose/telling.ts";

describe("words that tell nothing", () => {
  test.each([
    ["en", "Yes please, go ahead and do it now!"],
    ["de", "Ja bitte, mach das so weiter"],
    ["fr", "Oui parfait, vas-y, merci"],
    ["es", "Sí, perfecto, adelante por favor"],
    ["pt", "Sim, perfeito, continue por favor"],
    ["it", "Sì, vai avanti, grazie"],
    ["ru", "Да, продолжай, пожалуйста"],
    ["ar", "نعم، تابع من فضلك"],
    ["zh", "好的，请继续吧"],
    ["ja", "はい、続けてください"],
    ["ko", "네, 계속 해주세요"],
  ])("%s: %s", (_, example) => {
    expect(isFiller(example)).toBe(true);
  });

  test.each([
    "fix the login",
    "yes, but keep the old name",
    "bitte den Warenkorb reparieren",
    "请修复购物车",
    "カートを直してください",
    "npm test",
  ])("not %s", (text) => {
    expect(isFiller(text)).toBe(false);
  });
});

test.each([
  ["en", "Now let me look at the tests"],
  ["en", "Based on the docs, here's what you need to know"],
  ["de", "Ich schaue mir die Tests an"],
  ["de", "Hier ist die Zusammenfassung der Änderungen"],
  ["fr", "Je vais lire les tests"],
  ["fr", "Voici le résumé des changements"],
  ["es", "Ahora voy a leer las pruebas"],
  ["zh", "让我看一下测试"],
])("%s announces: %s", (_, example) => {
  expect(isAnnouncement(example)).toBe(true);
});

describe("the request of a prompt", () => {
  const cases: Array<[string, string]> = [
    ["Hi! Please fix the login loop.", "Please fix the login loop."],
    ["ok, rename the store", "rename the store"],
    [
      "Maybe like this then:\nYou have an open session",
      "Maybe like this then: You have an open session",
    ],
    ["/commit We decided to keep SQLite", "We decided to keep SQLite"],
    ["commit: We decided to keep SQLite", "We decided to keep SQLite"],
    ["fix: the cart", "fix: the cart"],
    ["continue", ""],
    ["2", ""],
    ["<task-notification>done</task-notification>", ""],
    ["This session is being continued from a previous conversation that ran out", ""],
    ["## Umbau\n\nBenenne den Dienst um. Danach die Tests.", "Umbau Benenne den Dienst um."],
    ["购物车的总额不对。请修复。", "购物车的总额不对。"],
    [
      'How about instead of "1 other session(s) (no conflicts)." - "These others:" and a list',
      'How about instead of "1 other session(s) (no conflicts)." - "These others:" and a list',
    ],
    [
      "+ // Get or create\n+ id, err = create()\n\nisn't this trying twice?",
      "isn't this trying twice?",
    ],
    [
      "Error: boom\n    at run (src/a.ts:3)\n\nWhy does the build stop?",
      "Why does the build stop?",
    ],
  ];
  test.each(cases)("%j → %j", (prompt, request) => {
    expect(requestOf(prompt)).toBe(request);
  });

  test("is of a long paste what was typed beside it, else what went wrong in it", () => {
    const log = Array.from({ length: 30 }, (_, at) => `=> building ${at} 0.${at}s`).join("\n");
    const failed = `${log}\nError: failed to solve: npm ci did not complete`;
    expect(wholeRequestOf(`${failed}\n\nWhy does it stop?`, 200)).toBe("Why does it stop?");
    expect(wholeRequestOf(failed, 200)).toBe("Error: failed to solve: npm ci did not complete");
    const spec = "The exporter writes one header a file, and it is told which. ".repeat(10).trim();
    expect(wholeRequestOf(spec, 200)).toBe(spec);
  });

  test("is shortened between words, and says so", () => {
    const title = titleOf("word ".repeat(60));
    expect(title.length).toBeLessThanOrEqual(90);
    expect(title).toEndWith("word…");
    expect(titleOf("Fix the cart:")).toBe("Fix the cart");
  });

  test("has no client markup in it", () => {
    expect(askedOf("<system-reminder>be brief</system-reminder>Fix it now")).toBe("Fix it now");
  });
});

test("sentences end where a reader would end them", () => {
  expect(sentencesOf("See auth.ts v1.2, e.g. line 3. Then stop! 好。完了？ Ja z.B. so.")).toEqual([
    "See auth.ts v1.2, e.g. line 3.",
    "Then stop!",
    "好。",
    "完了？",
    "Ja z.B. so.",
  ]);
});

test("statements keep the heading and the line that introduces them", () => {
  const found = statementsOf(
    "# Next\n\nChanged `a.ts`:\n- one thing\n- another\n\nAll of it is tested.\n\n```\ncode.\n```",
  );
  expect(found.map(({ kind, text, section, lead }) => [kind, text, section, lead])).toEqual([
    ["item", "one thing", "Next", "Changed a.ts"],
    ["item", "another", "Next", "Changed a.ts"],
    ["sentence", "All of it is tested.", "Next", ""],
  ]);
});

describe("a statement", () => {
  const texts = (markdown: string) =>
    statementsOf(markdown).map(({ text, lead }) => (lead === "" ? text : `${lead} > ${text}`));

  test("of a list goes on in the lines indented below it", () => {
    expect(
      texts(
        "- The dialog handles both sources, persists refs on save,\n  and shows them after a reload.\n- Short one\nA paragraph",
      ),
    ).toEqual([
      "The dialog handles both sources, persists refs on save, and shows them after a reload.",
      "Short one",
      "A paragraph",
    ]);
  });

  test("begins where a line begins in bold, or breaks off on purpose", () => {
    expect(
      texts(
        "**1. Login fixed** - The call is back\n**2. Build** - No missing imports\n\nOne line  \nAnother line",
      ),
    ).toEqual([
      "Login fixed - The call is back",
      "Build - No missing imports",
      "One line",
      "Another line",
    ]);
    expect(texts("**✅ Root cause:** the cache\n**✅ Fixed:** the key")).toEqual([
      "Root cause: the cache",
      "Fixed: the key",
    ]);
  });

  test("says where it bears a cross or an empty box", () => {
    const states = statementsOf(
      "✅ **Unit tests pass**\n❌ **Integration tests fail**\n\n- ❌ one more\n- [ ] cover the receipt\n- [x] count once",
    );
    expect(states.map(({ text, state }) => [text, state])).toEqual([
      ["Unit tests pass", undefined],
      ["❌ Integration tests fail", "failed"],
      ["❌ one more", "failed"],
      ["cover the receipt", "open"],
      ["count once", undefined],
    ]);
  });

  test("has the lead of its own list, not of one inside it or beside it", () => {
    expect(
      texts("Flow:\n- Creates a state with:\n  - an id\n  - a time\n- Shows a warning"),
    ).toEqual([
      "Creates a state with > an id",
      "Creates a state with > a time",
      "Flow > Shows a warning",
    ]);
  });

  test("is also what introduces no list, but code", () => {
    expect(
      texts("The handler should send the `content` of the message directly:\n\n```\nsend()\n```\n"),
    ).toEqual(["The handler should send the content of the message directly: …"]);
    expect(texts("Here is what all of them changed in it:\n\n```\nsend()\n```")).toEqual([]);
  });
});

describe("what is worth telling", () => {
  const backing = { names: ["src/cart.ts", "totalOf"], asked: "Fix the cart total" };
  const closing = [
    "Perfect!",
    "",
    "The total was wrong because `totalOf` counted a voucher twice.",
    "I fixed the cart total. All 12 tests of src/cart.ts pass now. Let me know what you think!",
    "Should I also look at the receipt?",
  ].join("\n");

  test("is what shares names with the work, in the order it was said", () => {
    const best = bestOf(tellings(closing, backing), 2).map(({ text }) => text);
    expect(best).toEqual([
      "The total was wrong because totalOf counted a voucher twice.",
      "All 12 tests of src/cart.ts pass now.",
    ]);
  });

  test("is no question, no cheer, no repetition of the request", () => {
    const none = tellings(closing, backing).filter(({ worth }) => worth === 0);
    expect(none.map(({ text }) => text)).toEqual([
      "Perfect!",
      "I fixed the cart total.",
      "Let me know what you think!",
      "Should I also look at the receipt?",
    ]);
  });

  test("names the file that a list is about", () => {
    const [one] = tellings("**src/cart.ts**:\n- counts each voucher only once now", backing);
    expect(one?.text).toBe("src/cart.ts: counts each voucher only once now");
  });

  test("is no place without a word about it, and no quotation alone", () => {
    const worthless = tellings(
      '- File: src/cart.ts:761\n- Location: `src/cart.ts`\n- "This button is oddly placed," "the spacing looks broken."\n- "We discuss every change of the frame',
      { names: [], asked: "" },
    );
    expect(worthless.map(({ worth }) => worth)).toEqual([0, 0, 0, 0]);
  });

  test("names what a short entry of a list is about", () => {
    const found = tellings("The states of a session are:\n- `new`: no local file yet", backing);
    expect(found.map(({ text }) => text)).toEqual([
      "The states of a session are: new: no local file yet",
    ]);
  });

  test("needs no language", () => {
    const german =
      "Erledigt.\n\nDie Summe war falsch, weil `totalOf` den Gutschein doppelt zählte.";
    expect(bestOf(tellings(german, backing), 1)[0]?.text).toStartWith("Die Summe war falsch");
    const chinese = "好的。\n\n总额错误是因为 `totalOf` 重复计算了优惠券。";
    expect(bestOf(tellings(chinese, backing), 1)[0]?.text).toStartWith("总额错误");
  });
});

test("two texts are alike by what they mean, also without spaces", () => {
  expect(overlap("Keep SQLite for sessions", "For sessions we keep SQLite")).toBe(1);
  expect(overlap("我们决定使用 PostgreSQL 数据库", "我们决定使用 PostgreSQL")).toBeGreaterThan(0.9);
  expect(overlap("我们决定使用缓存", "请修复登录页面")).toBe(0);
  expect(meaningOf("the of and").size).toBe(0);
});

test("a fact that only points is dangling, one that names something is not", () => {
  expect(startsDangling("It also adds a retry after one second")).toBe(true);
  expect(startsDangling("This makes src/cart.ts count vouchers once")).toBe(false);
  expect(startsDangling("One retry is made after a second")).toBe(false);
});

test.each([
  ["For sessions we always use Redis", "We always use SQLite for sessions", true],
  ["A seat is held for 10 minutes", "A seat is held for 7 minutes", true],
  ["Die Sitzungen liegen in Postgres", "Die Sitzungen liegen in Redis", true],
  ["Sessions keep to SQLite, not Redis", "Keep sessions in SQLite, not in Redis", false],
  ["We use SQLite for sessions and for carts", "We use SQLite for sessions", false],
  ["Menus are drawn with Canvas", "We always use SQLite for sessions", false],
  ["always write the test first", "write the test first, always", false],
])("%s: otherwise than: %s: %p", (newer, older, wanted) => {
  expect(saysOtherwise(newer, older)).toBe(wanted);
});

test.each<[string, string, string, boolean]>([
  ["en", "remove transcript_path again", "Keep the TranscriptPath in the session", true],
  ["en", "Revert the retry of failed mails", "Failed mails get a retry", true],
  ["en", "Drop the unused cart_id in cart.ts", "Round the total in cart.ts", false],
  ["en", "Remove a mail from the session", "Keep cart_total in the mail of a session", false],
  ["en", "Remove cart_total", "Removed cart_total from the session", false],
  ["en", "Do not send a mail. Keep the retry", "Failed mails get a retry", false],
  ["de", "cart_total wieder entfernen", "Wir halten cart_total in der Sitzung", true],
  ["fr", "Supprime cart_total", "On garde cart_total", true],
  ["es", "Elimina cart_total", "Guardamos cart_total", true],
  ["ru", "Удали cart_total", "Храним cart_total", true],
  ["ja", "cart_totalを削除して", "cart_totalを保存する", true],
  ["zh", "删除 cart_total", "保存 cart_total", true],
  ["ko", "cart_total 삭제해줘", "cart_total 저장", true],
])("%s: %s, undoes: %s: %p", (_, newer, older, wanted) => {
  expect(undoes(newer, older)).toBe(wanted);
});

test.each([
  ["en", "Don't ever push to main", "Always push to main"],
  ["de", "Nie auf main pushen", "Immer auf main pushen"],
  ["fr", "Ne pousse jamais sur main", "Pousse toujours sur main"],
  ["es, pt, it", "Nunca uses npm", "Siempre usa npm"],
  ["ru", "Никогда не трогай main", "Всегда трогай main"],
  ["ja", "mainにpushしないでください", "必ずmainにpushしてください"],
  ["zh", "不要推送到主分支", "务必推送到主分支"],
  ["ko", "npm을 사용하지 마", "항상 npm을 사용해"],
])("%s denies: %s, and not: %s", (_, negative, positive) => {
  expect([denied(negative ?? ""), denied(positive ?? "")]).toEqual([true, false]);
});
test("a denial of the other is none: never without", () => {
  expect(denied("Never push without asking")).toBe(false);
  expect(denied("We keep amounts in cents, not floats")).toBe(false);
  expect(denied("From now on, not in floats")).toBe(true);
});

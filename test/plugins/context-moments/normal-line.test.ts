// Lines of failures are the same wherever and whenever they are printed, and different where they say something else.
import { describe, expect, test } from "bun:test";
import { normalLine, tellingLines } from "../../../plugins/context-moments/likeness.ts";

/** What the failure says, here and elsewhere. */
const same: ReadonlyArray<readonly [string, string, string]> = [
  [
    "paths",
    "Cannot find module '/home/ada/shop/src/cart.ts' from 'src/main.ts'",
    "Cannot find module '/Users/bob/w/shop/src/cart.ts' from '/b/src/main.ts'",
  ],
  ["Windows paths", String.raw`Cannot open C:\Users\ada\cart.ts`, "Cannot open /srv/cart.ts"],
  ["places", "src/cart.ts:12:3 expected a semicolon", "cart.ts:140:27 expected a semicolon"],
  ["counts", "3 tests failed of 120", "17 tests failed of 98"],
  ["durations", "the request timed out after 1.2s", "the request timed out after 950 ms"],
  ["dates", "refused at 2026-11-02T12:00:01.123Z by peer", "refused at 2026-01-30 by peer"],
  ["times of day", "job stopped at 12:30:01 by signal", "job stopped at 9:05 by signal"],
  [
    "addresses in memory",
    "segfault at 0x7fff5f cause unknown",
    "segfault at 0xdeadbeef cause unknown",
  ],
  ["network addresses", "connect refused 127.0.0.1:5432", "connect refused 10.0.0.7:5432"],
  ["ports given out", "connect refused 127.0.0.1:41833", "connect refused 127.0.0.1:60122"],
  ["URLs", "cannot fetch http://a.example/x?y=1 now", "cannot fetch https://b.example/z now"],
  ["commits", "bad object 22f106e5c in index", "bad object a8b7786 in index"],
  [
    "UUIDs",
    "no session 8463c716-a2ea-4c14-9efa-87158ebd9f20 here",
    "no session fa812bfe-b295-4cca-9c2f-fdf01028cb46 here",
  ],
  [
    "names of temporary files",
    "cannot read tmp.x81a of worker3",
    "cannot read tmp.x9a of worker12",
  ],
  ["German", "Datei 3 von 7 fehlt: /a/b/konto.csv", "Datei 5 von 9 fehlt: /c/konto.csv"],
  ["Arabic digits", "فشل الاختبار رقم ٣", "فشل الاختبار رقم ٤٥"],
  ["Japanese", "エラー：接続できません（12行目）", "エラー：接続できません（340行目）"],
];

/** Look-alikes that say something else. */
const different: ReadonlyArray<readonly [string, string, string]> = [
  ["the file", "Cannot find module '/a/cart.ts'", "Cannot find module '/a/login.ts'"],
  ["codes of compilers", "error TS2345: wrong type", "error TS2322: wrong type"],
  ["codes of Rust", "error[E0308]: mismatch", "error[E0382]: mismatch"],
  ["codes of the system", "ENOENT: open failed", "EACCES: open failed"],
  ["ports of services", "connect refused 127.0.0.1:5432", "connect refused 127.0.0.1:6379"],
  ["ports by their names", "cannot listen on port 4173", "cannot listen on port 8080"],
  ["answers of servers", "the URL returned error: 401", "the URL returned error: 503"],
  ["status codes", "Request failed with status code 404", "Request failed with status code 500"],
  ["exit codes", "the hook ended with code 2", "the hook ended with code 137"],
  ["names", "undefined is not a function: parse", "undefined is not a function: render"],
  ["scripts", "接続できません", "接続されました"],
];

describe("a line", () => {
  test.each(same)("is the same without %s", (_, one, other) => {
    expect(normalLine(one)).toBe(normalLine(other));
  });
  test.each(different)("differs by %s", (_, one, other) => {
    expect(normalLine(one)).not.toBe(normalLine(other));
  });
  test("of any length takes no time to speak of", () => {
    expect(normalLine("a/".repeat(100_000)).length).toBeLessThanOrEqual(300);
    expect(tellingLines("x".repeat(2_000_000)).length).toBeLessThanOrEqual(2);
  });
});

describe("of a text", () => {
  test("colours, the client's words, what passed, and what says nothing are left out", () => {
    const text = [
      "Exit code 1",
      "\u001b[31mTypeError: cart is undefined\u001b[39m",
      "✓ adds a voucher [2ms]",
      "(pass) subtracts a voucher",
      "ok  \tshop.example/agent/registry\t(cached)",
      "?   \tshop.example/money/cents\t[no test files]",
      "--- PASS: TestVoucher_IsSubtracted (0.01s)",
      "----------",
      "FAIL",
      "TypeError: cart is undefined",
    ].join("\n");
    expect(tellingLines(text)).toEqual(["TypeError: cart is undefined"]);
  });
  test("what a program logs below a warning tells nothing", () => {
    const text = [
      "2026-02-01 10:00:01 INFO reading the cart of the shop",
      "[DEBUG] the voucher of the cart is read",
      'time=10:00:01 level=info msg="the cart is open"',
      '{"level":"debug","msg":"the cart is closed"}',
      'time=10:00:01 level=error msg="the cart is gone"',
      "the info of the cart is missing",
    ].join("\n");
    expect(tellingLines(text)).toEqual([
      'time=# level=error msg="the cart is gone',
      "the info of the cart is missing",
    ]);
  });
  test("line ends that a program wrote out are line ends", () => {
    expect(tellingLines(String.raw`failed:\n\n[FORMAT] Code is not formatted`)).toEqual([
      "FORMAT] Code is not formatted",
    ]);
  });
});

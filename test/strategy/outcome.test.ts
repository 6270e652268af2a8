// What came of a turn in a line: what it rests on, and where a long sentence is cut.
import { expect, test } from "bun:test";
import type { Evidence, NewTurn } from "../../src/sdk/turn.ts";
import {
  belowTitle,
  decides,
  type OutcomeBasis,
  outcomeOf,
  subjectOf,
} from "../../src/strategy/outcome.ts";
import { sampleTurn } from "../support/sample-records.ts";

const prompt = (text: string): Evidence => ({ kind: "prompt", text });
const closing = (text: string): Evidence => ({ kind: "closing", text });
const published = (about: string, text: string): Evidence => ({ kind: "published", about, text });
const cart = [{ path: "src/cart.ts", changed: true, symbols: ["totalOf", "voucherOf"] }];

const outcome = (pieces: Evidence[], files: NewTurn["files"] = []) =>
  outcomeOf(
    sampleTurn({
      ...{ pieces, files },
      end: pieces.some(({ kind }) => kind === "interrupted") ? "interrupted" : "closed",
    }),
  );

test.each<[string, Evidence[], NewTurn["files"], OutcomeBasis, string]>([
  [
    "of a comparison the side that holds now",
    [
      prompt("make the totals faster"),
      closing(
        "All green.\n\n## Before (one query an item)\n**Cost of `totalOf`:** 2 queries, 2 parses\n\n## After (one query a cart)\n**Cost of `totalOf`:** 1 query, cached by id",
      ),
    ],
    cart,
    "said",
    "Cost of totalOf: 1 query, cached by id",
  ],
  [
    "a carried out plan whose title has a label, by that alone",
    [{ kind: "plan", text: "# Fix: vouchers are lost" }, prompt("go on"), closing("All done.")],
    cart,
    "plan",
    "Fix: vouchers are lost",
  ],
  [
    "the work rather than tests of it",
    [
      prompt("mend it"),
      closing(
        "All green.\n\n**`src/cart.test.ts`** - Added 3 tests of lapsed vouchers.\n\n**`src/cart.ts`** - Added a check that skips lapsed vouchers.",
      ),
    ],
    [...cart, { path: "src/cart.test.ts", changed: true }],
    "said",
    "Added a check that skips lapsed vouchers (cart.ts)",
  ],
  [
    "tests, where nothing else was changed",
    [
      prompt("add tests"),
      closing(
        "All green.\n\n**`src/cart.test.ts`** - Added 3 tests of lapsed vouchers.\n\n**`src/carts.ts`** - Shared a cart with lapsed vouchers.",
      ),
    ],
    [{ path: "src/cart.test.ts", changed: true }],
    "said",
    "Added 3 tests of lapsed vouchers (cart.test.ts); Shared a cart with lapsed vouchers (carts.ts)",
  ],
  [
    "what was done about it rather than why",
    [
      prompt("lint fails"),
      closing("The two carts were shared by design, so I added `//nolint` lines to each of them."),
    ],
    cart,
    "said",
    "I added //nolint lines to each of them",
  ],
  [
    "what is so, where the last clause goes on with what else was done",
    [
      prompt("mend it"),
      closing("Checkout safety: Renamed the cart of `totalOf`, and added a voucher."),
    ],
    cart,
    "said",
    "Checkout safety: Renamed the cart of totalOf, and added a voucher",
  ],
  [
    "beside what was done what else was done, and not a detail of it",
    [
      prompt("mend it"),
      closing(
        "**1. Removed the second look at `voucherOf`** (2 places)\n- `cart.ts:12`: Simplified `totalOf` to 1 plain check of it\n\n**2. Fixed the checkout of empty carts**\n- More of it",
      ),
    ],
    cart,
    "said",
    "Removed the second look at voucherOf (2 places); Fixed the checkout of empty carts",
  ],
  [
    "a heading that says what was done in a file rather than an entry below it",
    [
      prompt("mend it"),
      closing(
        "All green.\n\n### 1. `src/cart.ts` - Added a second look at vouchers\n- Added `voucherOf` as a variable of 2 functions",
      ),
    ],
    cart,
    "said",
    "Added a second look at vouchers (cart.ts); Added voucherOf as a variable of 2 functions",
  ],
  [
    "a line that leads to what it shows, where it says so much",
    [
      prompt("show both"),
      closing(
        "Done. Now each later run of `totalOf` shows the voucher that was counted too:\n\n```\none\ntwo\n```",
      ),
    ],
    cart,
    "said",
    "Now each later run of totalOf shows the voucher that was counted too",
  ],
  [
    "a commit",
    [
      prompt("commit"),
      { kind: "commit", text: "fix(cart): count vouchers once (#7)\n\nBody" },
      closing("Committed."),
    ],
    [],
    "commit",
    "Count vouchers once",
  ],
  [
    "of several commits the one that was asked for",
    [
      prompt("vouchers are counted twice"),
      { kind: "commit", text: "Satisfy the linter" },
      { kind: "commit", text: "Count vouchers once" },
    ],
    [],
    "commit",
    "Count vouchers once",
  ],
  [
    "a pull request",
    [
      prompt("open a PR"),
      published("pull request https://a.example/pull/1", "feat: count vouchers once\n\nWhy"),
    ],
    [],
    "commit",
    "Count vouchers once",
  ],
  [
    "a closing that is one short sentence",
    [prompt("Why does the test fail?"), closing("The sign of tax is wrong.")],
    [],
    "answer",
    "The sign of tax is wrong (Why does the test fail?)",
  ],
  ["a tag", [prompt("tag it"), published("tag v1.2.0", "x")], [], "commit", "Tagged v1.2.0"],
  [
    "a plan that nothing was done for",
    [prompt("yes"), { kind: "plan", text: "# Plan: Count vouchers once\n\n1. Edit" }],
    [],
    "plan",
    "Plan: Count vouchers once",
  ],
  [
    "a plan that the prompt hands over, carried out",
    [prompt("Implement the following plan:\n\n# Count vouchers once\n\n1. Edit"), closing("Done.")],
    cart,
    "plan",
    "Implemented: Count vouchers once",
  ],
  [
    "a plan that was carried out, and none of its details",
    [
      prompt("yes"),
      { kind: "plan", text: "# Plan: Count vouchers once\n\n1. Edit" },
      closing(
        "All 3 tests pass.\n\n- `cart.ts` has a type for cents\n- `totalOf` counts vouchers once now",
      ),
    ],
    cart,
    "plan",
    "Implemented: Count vouchers once",
  ],
  [
    "a plan that was carried out in part, as its closing says",
    [
      prompt("yes"),
      { kind: "plan", text: "# Plan: Count vouchers once\n\n1. Edit" },
      closing("`totalOf` counts vouchers once now; the page still counts them twice."),
    ],
    cart,
    "plan",
    "totalOf counts vouchers once now; the page still counts them twice",
  ],
  [
    "the plan of a turn that was stopped",
    [
      prompt("yes"),
      { kind: "plan", text: "# Plan: Count vouchers once\n\n1. Edit" },
      { kind: "interrupted", text: "" },
    ],
    cart,
    "plan",
    "Stopped while implementing: Count vouchers once",
  ],
  [
    "a plan that says what is wrong by what was done, where something was",
    [
      { kind: "plan", text: "# Fix: vouchers are not counted" },
      prompt("go on"),
      closing("Added a log line to `totalOf` that names each voucher that is skipped."),
    ],
    cart,
    "said",
    "Added a log line to totalOf that names each voucher that is skipped",
  ],
  [
    "a plan of what is not to be by that: it says nothing that is wrong",
    [
      { kind: "plan", text: "# Count vouchers when no owner is set" },
      prompt("go on"),
      closing("Changed `totalOf` so that it counts vouchers of nobody."),
    ],
    cart,
    "plan",
    "Implemented: Count vouchers when no owner is set",
  ],
  [
    "a plan that says what is to be mended by that, whatever detail the closing tells",
    [
      { kind: "plan", text: "# Fix: vouchers of lapsed carts" },
      prompt("go on"),
      closing("Added a log line to `totalOf` that names each one that is skipped."),
    ],
    cart,
    "plan",
    "Fix: vouchers of lapsed carts",
  ],
  [
    "a plan that says what is wrong by its own words where the closing says nothing that was done",
    [
      { kind: "plan", text: "# Fix: vouchers are not counted" },
      prompt("go on"),
      closing("All done."),
    ],
    cart,
    "plan",
    "Fix: vouchers are not counted",
  ],
  [
    "of a pull request without a title what its body begins with",
    [
      prompt("open a PR"),
      published("pull request", "## Summary\n\n- Count vouchers once\n- Tests"),
    ],
    [],
    "commit",
    "Count vouchers once",
  ],
  [
    "a commit that only its files' names, or what was said on the way, speak of",
    [
      prompt("1"),
      { kind: "said", text: "The voucher is next." },
      { kind: "commit", text: "Total the voucher" },
      closing("Review passed for both of the shops."),
    ],
    [{ path: "src/cart.ts", changed: true }],
    "commit",
    "Total the voucher",
  ],
  [
    "a line that introduces a list with the names of its entries",
    [
      prompt("add tests"),
      closing(
        "Done. Added 3 tests covering:\n\n1. **None** - no voucher\n2. **One** - a voucher\n3. **Two** - both",
      ),
    ],
    cart,
    "said",
    "Added 3 tests covering: None, One, Two",
  ],
  [
    "a line with the code that it introduces",
    [
      prompt("is the limit configurable?"),
      closing(
        "No - it's hardcoded as a constant:\n\n```ts\nconst mostVouchers = 3;\n```\n\nShall I change that?",
      ),
    ],
    [],
    "answer",
    "It's hardcoded as a constant: const mostVouchers = 3 (is the limit configurable?)",
  ],
  [
    "a sentence of few words with what explains it",
    [
      prompt("the comment is wrong"),
      closing("Comment updated. The behavior is now accurately documented."),
    ],
    cart,
    "said",
    "Comment updated. The behavior is now accurately documented",
  ],
  [
    "what was done rather than what was wrong",
    [
      prompt("vouchers vanish"),
      closing(
        "**Problem:** When a cart merges with another one, 1 voucher is lost.\n\n**Fix:** Now `totalOf` keeps both.",
      ),
    ],
    cart,
    "said",
    "Fix: Now totalOf keeps both",
  ],
  [
    "the same in German",
    [
      prompt("gutscheine verschwinden"),
      closing(
        "**Problem:** Wenn zwei Körbe verschmelzen, verschwindet 1 Gutschein.\n\n**Lösung:** `totalOf` behält jetzt beide.",
      ),
    ],
    cart,
    "said",
    "Lösung: totalOf behält jetzt beide",
  ],
  [
    "no sentence that only cheers",
    [
      prompt("is the voucher counted?"),
      closing("There is an easy way to see the voucher counted! It is counted in `totalOf`."),
    ],
    [],
    "answer",
    "It is counted in totalOf",
  ],
  [
    "not how checks went",
    [
      prompt("count the voucher"),
      closing(
        "All tests now pass, and so do the counts of the voucher. `totalOf` counts 2 of them.",
      ),
    ],
    cart,
    "said",
    "totalOf counts 2 of them",
  ],
  [
    "no label that only announces",
    [prompt("is it counted?"), closing("Good news: the voucher is counted in `totalOf` twice.")],
    [],
    "answer",
    "The voucher is counted in totalOf twice",
  ],
  [
    "what was changed where the work was stopped",
    [prompt("yes"), { kind: "interrupted", text: "" }],
    [...cart, { path: "src/shop.ts", changed: true }],
    "changed",
    "Stopped after changes to cart.ts, shop.ts",
  ],
  [
    "the same without a word of English in German",
    [
      prompt("Ergänze eine Suche über alle Artikel und zeige die Treffer nach dem Datum."),
      { kind: "interrupted", text: "" },
    ],
    [...cart, { path: "src/shop.ts", changed: true }],
    "changed",
    "cart.ts, shop.ts: Ergänze eine Suche über alle Artikel und zeige die Treffer nach dem Datum",
  ],
  [
    "what was said under a heading, behind a cheer and what the checks said",
    [
      prompt("yes, go on"),
      closing(
        "Perfect! All 12 tests pass, lint is clean. Here's a summary:\n\n## Summary\n\n- `totalOf` counts each voucher once\n- `voucherOf` is gone",
      ),
    ],
    cart,
    "said",
    "totalOf counts each voucher once",
  ],
  [
    "the line that introduces a list before its entries",
    [
      prompt("ok"),
      closing(
        "Done!\n\nMoved the vouchers of `totalOf` into `voucherOf`:\n\n- `src/cart.ts`: calls `voucherOf` now",
      ),
    ],
    cart,
    "said",
    "Moved the vouchers of totalOf into voucherOf",
  ],
  [
    "the heading of a document",
    [prompt("how do we count?"), closing("# Plan: Count each voucher once\n\n## Steps\n\n1. Look")],
    [],
    "answer",
    "Count each voucher once",
  ],
  [
    "an answer",
    [prompt("where are vouchers counted?"), closing("Ah. Vouchers are counted in `totalOf`.")],
    [],
    "answer",
    "Vouchers are counted in totalOf",
  ],
  [
    "what was done before the file that it was done in",
    [prompt("add tests"), closing("- `src/cart.test.ts` - Two tests of vouchers added")],
    cart,
    "said",
    "Two tests of vouchers added (cart.test.ts)",
  ],
  [
    "not what goes on with another sentence's matter",
    [
      prompt("mend it"),
      closing("So `cart.ts` lacks a voucher. Each voucher counts once in `cart.ts`."),
    ],
    cart,
    "said",
    "Each voucher counts once in cart.ts",
  ],
  [
    "not a commit that was made beside the work",
    [
      prompt("mend the vouchers"),
      { kind: "commit", text: "Initial commit" },
      closing("Vouchers count once in `totalOf` now."),
    ],
    cart,
    "said",
    "Vouchers count once in totalOf now",
  ],
  [
    "a sentence without its greeting, with the label that is code",
    [prompt("go on"), closing("Done - added StepsCount: 1 to both calls of `totalOf` today.")],
    cart,
    "said",
    "Added StepsCount: 1 to both calls of totalOf today",
  ],
  [
    "never what is still to do",
    [
      prompt("mend the vouchers"),
      closing("Done.\n\n## Next steps\n\n- Vouchers of `cart.ts` need 3 tests"),
    ],
    [],
    "asked",
    "mend the vouchers?",
  ],
  [
    "a failure that went away",
    [
      prompt("go on"),
      {
        kind: "repair",
        text: "--- Error: vouchers counted twice\n\n→ src/cart.ts",
        about: "bun test",
      },
      closing("All tests pass."),
    ],
    cart,
    "repair",
    "Fixed: Error: vouchers counted twice",
  ],
  [
    "the file that changed and what was asked",
    [prompt("Mend the vouchers"), closing("Done.")],
    cart,
    "changed",
    "cart.ts (totalOf, …): Mend the vouchers",
  ],
  [
    "what a line presents, and no heading below it",
    [
      prompt("in which order do I merge the PRs?"),
      closing("Here are the PRs in the order to merge them:\n\n## Stack 1\n\n- **PR #1** - totals"),
    ],
    [],
    "answer",
    "The PRs in the order to merge",
  ],
  [
    "no line that leads on without what it leads to",
    [
      prompt("look at the voucher script"),
      closing("The voucher script has three issues:\n\n1. It hardcodes the path\n2. It never ends"),
    ],
    [],
    "answer",
    "The voucher script has three issues: It hardcodes the path; It never ends",
  ],
  [
    "not the clause that is taken back",
    [
      prompt("is the voucher counted?"),
      closing(
        "The message says that the voucher was counted in every single cart of the whole shop and of all the other shops in town, but that is simply not true. The voucher is never read.",
      ),
    ],
    [],
    "answer",
    "The voucher is never read",
  ],
  [
    "of a sentence that begins with its reason what came of it too",
    [
      prompt("keep the old voucher"),
      closing("Instead of a new voucher for each of the carts, we keep the old one."),
    ],
    [],
    "answer",
    "Instead of a new voucher for each of the carts, we keep the old one",
  ],
  [
    "of a reason behind a label too",
    [
      prompt("keep the voucher"),
      closing(
        "Problem: When the cart moves to the place in which another cart began, the voucher of the other one in the same shop is overwritten at once.",
      ),
    ],
    [],
    "answer",
    "Problem: When the cart moves to the place in which another cart began, the voucher of the other one in the same shop…",
  ],
  [
    "the sentence behind a quotation's end, whole",
    [
      prompt("why the git CLI?"),
      closing('It answers "is anything uncommitted?" The git CLI reads the worktree.'),
    ],
    [],
    "answer",
    "The git CLI reads the worktree",
  ],
  [
    "what stands around parentheses where they are in its midst, and nothing from inside",
    [
      prompt("go on"),
      closing(
        "The readings of each total return interfaces (the pattern of `totalOf` in `cart.ts` wants 2 of them) as all of the shops in town have had them since the very beginning of each and every cart.",
      ),
    ],
    [],
    "answer",
    "The readings of each total return interfaces as all of the shops in town have had them since the very beginning…",
  ],
  [
    "a plan that waits for a yes",
    [
      prompt("how do we count?"),
      {
        kind: "closing",
        text: "# Plan: Count each voucher once\n\n1. Look",
        about: "ExitPlanMode",
      },
    ],
    [],
    "answer",
    "Plan: Count each voucher once",
  ],
  [
    "no heading that repeats what was asked",
    [
      prompt("how do we count a voucher?"),
      closing("# How we count a voucher\n\nEach of them is counted in `totalOf`."),
    ],
    [],
    "answer",
    "Each of them is counted in totalOf",
  ],
  [
    "two entries of work, without their places where both find no room else",
    [
      prompt("go on"),
      closing(
        "- Added a field for the agent and the day of the voucher (src/shop/cart.ts:212)\n- Moved the total of the voucher to `totalOf` (src/shop/cart.ts:264)",
      ),
    ],
    cart,
    "said",
    "Added a field for the agent and the day of the voucher; Moved the total of the voucher to totalOf",
  ],
  [
    "no heading of a section",
    [
      prompt("in which order do I merge the PRs?"),
      closing(
        "Sure.\n\n## Order to merge the PRs of the stack\n\nMerge the PR of totals before that of vouchers.",
      ),
    ],
    [],
    "answer",
    "Merge the PR of totals before that of vouchers",
  ],
  [
    "a command that is all the answer",
    [prompt("how do I push it?"), closing("```bash\ngit push origin main\n```\n\nOr simply.")],
    [],
    "answer",
    "git push origin main",
  ],
  [
    "no entry of a place, and no entry of a list of commits",
    [
      prompt("where are the vouchers of the cart counted?"),
      closing(
        "Line 988: worktree.Status()\n\n- `6d61daaa` - count the vouchers of the cart once\n\nLine 1013: the vouchers are counted before the total is known.",
      ),
    ],
    [],
    "answer",
    "The vouchers are counted before the total is known",
  ],
  [
    "no word that greets",
    [prompt("why?"), closing("Interesting - the handler of vouchers doesn't call `totalOf`.")],
    [],
    "answer",
    "The handler of vouchers doesn't call totalOf",
  ],
  [
    "no bare verdict on the work",
    [
      prompt("Mend the cart"),
      closing("All work for this PR is now complete. The total counts each voucher once."),
    ],
    cart,
    "said",
    "The total counts each voucher once",
  ],
  [
    "no word about another time",
    [
      prompt("Mend the cart"),
      closing(
        "Next time you push, look at the log of `totalOf`. The cart counts each voucher once.",
      ),
    ],
    cart,
    "said",
    "The cart counts each voucher once",
  ],
  [
    "of an answer that takes back what it concedes",
    [
      prompt("is anything of the cart not tested?"),
      closing(
        "The tests of the cart count `totalOf` of 3 vouchers (cart_test.ts:12).\n\n- `totalOf` of one voucher\n- `voucherOf` without a name\n\nBut nothing tests that a voucher of `voucherOf` lapses.",
      ),
    ],
    [],
    "answer",
    "Nothing tests that a voucher of voucherOf lapses",
  ],
  [
    "what is wrong, not what looks fine",
    [prompt("Things look ok now. But the total of the cart is NaN")],
    [],
    "asked",
    "The total of the cart is NaN?",
  ],
  [
    "what was done before how it was broken, each in its section",
    [
      prompt("a lapsed voucher counts"),
      closing(
        "## The bug\nThe `cart` page read a voucher of yesterday as if it were valid.\n\n## The fix\n1. Moved the check of its day into `lapse.ts`\n",
      ),
    ],
    [{ path: "src/lapse.ts", changed: true }],
    "said",
    "Moved the check of its day into lapse.ts",
  ],
  [
    "what was done because of what was found",
    [
      prompt("lint fails"),
      closing(
        "The two helpers that make a cart of the shop and each of its many tills return interfaces on purpose (a factory for each of the shops), so I added `nolint` marks with a reason to each of them and to the tests.",
      ),
    ],
    cart,
    "said",
    "I added nolint marks with a reason to each of them and to the tests",
  ],
  [
    "a heading that says what was done",
    [
      prompt("a lapsed voucher counts"),
      closing(
        "All green.\n\n## Summary: Fixed vouchers that lapse at midnight\n### The bug\nThe day of a voucher was read in another time zone.",
      ),
    ],
    cart,
    "said",
    "Fixed vouchers that lapse at midnight",
  ],
  [
    "what was said on the way where the closing says that it passed",
    [
      prompt("the cart shows lapsed vouchers"),
      { kind: "said", text: "I changed `voucherOf` to compare days in UTC.\n\nLet me build it:" },
      closing("Build complete. Try it again."),
    ],
    cart,
    "said",
    "I changed voucherOf to compare days in UTC",
  ],
  [
    "an answer's line in bold before what leads to it",
    [
      prompt("what happens when the push comes first"),
      closing(
        "The push that comes first is fine, it takes the `main` branch along. But the issue is this:\n\n**The pushed note lacks its second half.**\n\nIt comes with the next push.",
      ),
    ],
    [],
    "answer",
    "The pushed note lacks its second half",
  ],
  [
    "what is said of options before each of them",
    [
      prompt("why does main fail"),
      closing(
        "**Option 1: Drop `parallel`** (simplest)\n- Follows what `TestCart` does\n\n**Option 2: Take a path**\n- Tests pass `dir` themselves\n\nThe first is what `cart_test.go` does already.",
      ),
    ],
    [],
    "answer",
    "The first is what cart_test.go does already",
  ],
  [
    "what was found before a few words about understanding",
    [
      prompt("how are carts and shops related"),
      closing(
        "Now I understand the carts. Let me propose this.\n\n## Mapping\nCarts are tied to visitors, not to shops at all. They are read once.",
      ),
    ],
    [],
    "answer",
    "Carts are tied to visitors, not to shops at all",
  ],
  [
    "what was done before a fact that the same names back",
    [
      prompt("vouchers of the cart count twice"),
      closing(
        "Vouchers of the cart stand in 2 lists of `totalOf`. I moved both of the lists into `voucherOf`.",
      ),
    ],
    cart,
    "said",
    "I moved both of the lists into voucherOf",
  ],
  [
    "a numbered heading that says what was done",
    [
      prompt("sum fails"),
      closing(
        "## Changes\n### 1. Fixed rounding of whole carts (`cart.ts`)\n- Before: cents were dropped",
      ),
    ],
    cart,
    "said",
    "Fixed rounding of whole carts (cart.ts)",
  ],
  [
    "headings that each say what was done",
    [
      prompt("the cart is wrong"),
      closing(
        "Perfect!\n\n### 1. Fixed `cart.ts` (src/cart.ts:4)\n- Previously: counted 2 vouchers\n\n### 2. Added `voucherOf`\n- Now: counts one",
      ),
    ],
    cart,
    "said",
    "Fixed cart.ts (src/cart.ts:4); Added voucherOf",
  ],
  [
    "no word that greets before what is only announced",
    [
      prompt("no"),
      closing(
        "Got it. Let me refine the design of it.\n\nThe parts:\n1. The reader of vouchers (read.ts)\n2. The writer of totals (write.ts)",
      ),
    ],
    [],
    "answer",
    "The reader of vouchers (read.ts); The writer of totals (write.ts)",
  ],
  [
    "the command that an answer begins with",
    [
      prompt("how do I get the newest vouchers?"),
      closing(
        "```bash\nshop fetch vouchers\n```\n\nThis fetches them. If there is a local copy of `vouchers` already, you can force it:\n\n```bash\nshop fetch vouchers --force\n```",
      ),
    ],
    [],
    "answer",
    "shop fetch vouchers",
  ],
  [
    "no condition without what it leads to",
    [
      prompt("how do I get the newest vouchers?"),
      closing(
        "This fetches the vouchers from the shop and updates the copy. If there is a local copy of `vouchers` with 2 changes, you can force it:\n\n```bash\na\nb\n```",
      ),
    ],
    [],
    "answer",
    "This fetches the vouchers from the shop and updates the copy (how do I get the newest vouchers?)",
  ],
  [
    "an entry without the word that leads to the next one",
    [
      prompt("when is a cart full?"),
      closing(
        "A cart is full only if:\n- It holds the 9 vouchers of `totalOf`, OR\n- It was paid for",
      ),
    ],
    [],
    "answer",
    "A cart is full only if: It holds the 9 vouchers of totalOf; It was paid for",
  ],
  [
    "a cheer is no answer",
    [
      prompt("I opened a PR with feedback"),
      closing("Sure, go ahead and let me know the feedback!"),
    ],
    [],
    "asked",
    "I opened a PR with feedback?",
  ],
  [
    "an answer's first whole sentence, though an entry further on repeats the question",
    [
      prompt("is the voucher of the cart counted once?"),
      closing(
        "The counting is sound everywhere today.\n\n- `cart.ts` - The voucher of the cart counted",
      ),
    ],
    [],
    "answer",
    "The counting is sound everywhere today (is the voucher of the cart counted once?)",
  ],
  [
    "a heading with a label before what stands below it",
    [
      prompt("review the cart"),
      closing(
        "# Review of the cart\n\n## Verdict: ready to merge with one change\n\n**Good:**\n- Few files (3 of them)",
      ),
    ],
    [],
    "answer",
    "Verdict: ready to merge with one change (review the cart)",
  ],
  [
    "of what rests on something what it says",
    [
      prompt("is it counted?"),
      closing("Looking at `totalOf` in the cart, each voucher is counted at the till."),
    ],
    [],
    "answer",
    "Each voucher is counted at the till",
  ],
  [
    "a short answer with its yes or no",
    [prompt("is it counted?"), closing("No, it is never counted.")],
    [],
    "answer",
    "No, it is never counted",
  ],
  [
    "no file alone",
    [
      prompt("mend both"),
      closing("**File:** `src/cart.ts`\n\nAdded a limit to vouchers that are read first."),
    ],
    cart,
    "said",
    "Added a limit to vouchers that are read first",
  ],
  [
    "what was done behind a label before a heading that names a subject",
    [
      prompt("mend it"),
      closing(
        "## Summary: Vouchers of the cart\n\n**Fix:** Added a check that skips each lapsed one",
      ),
    ],
    cart,
    "said",
    "Fix: Added a check that skips each lapsed one",
  ],
  [
    "what was done before the names that it leads to, where these find no room",
    [
      prompt("update the skill"),
      closing(
        "Updated the skill of vouchers with:\n\n1. New step 5 counts each of them once again after all of the moves between carts and shops that were made today",
      ),
    ],
    cart,
    "said",
    "Updated the skill of vouchers",
  ],
  [
    "not that all was addressed",
    [
      prompt("Mend all issues"),
      closing("All issues have been addressed.\n\n- Removed the second count of each voucher"),
    ],
    cart,
    "said",
    "Removed the second count of each voucher",
  ],
  [
    "what a request leads up to",
    [prompt("looking at the tests: I feel that the voucher is never counted in them")],
    [],
    "asked",
    "I feel that the voucher is never counted in them?",
  ],
  [
    "what the user is asked where the prompt asks nothing",
    [
      prompt("yes"),
      { kind: "passed", text: "", about: "ls src" },
      closing("Which of the vouchers shall I read first?"),
    ],
    [],
    "asked",
    "Which of the vouchers shall I read first?",
  ],
  [
    "what was done in a file before a line that only shows the files",
    [
      prompt("yes"),
      closing(
        "Here's a summary of the changes:\n\n1. `src/cart.ts`: Added a mark to each voucher\n2. `src/shop.ts`: Reads it",
      ),
    ],
    cart,
    "said",
    "Added a mark to each voucher (cart.ts)",
  ],
  [
    "not what the speaker is able to do now",
    [
      prompt("suggest improvements of the cart's docs"),
      closing(
        "Based on my look at them, I can now suggest improvements of the docs.\n\nTwo lines of the docs name vouchers that are gone.",
      ),
    ],
    [],
    "answer",
    "Two lines of the docs name vouchers that are gone",
  ],
  [
    "no offer, and no option with a letter",
    [
      prompt("go on"),
      closing(
        "I can begin with the totals of `totalOf`, or wait.\n\n- **A) Count in `totalOf`** once\n- **B) Count in `voucherOf`** once\n\nThe plan of both is in `plan.md` now.",
      ),
    ],
    cart,
    "said",
    "The plan of both is in plan.md now",
  ],
  [
    "a name with the line that says that it was removed",
    [
      prompt("drop the old voucher"),
      closing("All clean. Here's what was removed:\n\n- `voucherOf()` of `cart.ts` (37 lines)"),
    ],
    cart,
    "said",
    "What was removed: voucherOf() of cart.ts",
  ],
  [
    "an entry with the word that says what was done with it",
    [prompt("clean up"), closing("Removed:\n- `voucherOf` of each cart that nobody calls")],
    cart,
    "said",
    "Removed: voucherOf of each cart that nobody calls",
  ],
  [
    "a long sentence that speaks of a commit, which is no step that is left",
    [
      prompt("mend it"),
      closing(
        "Done. Now the cart keeps the whole error of each voucher, with the commit message in which it was seen first of all by one of the many people of the shop.",
      ),
    ],
    cart,
    "said",
    "Now the cart keeps the whole error of each voucher",
  ],
  [
    "what was said before the heading that names its subject",
    [
      prompt("mend vouchers"),
      closing("## Summary: Vouchers of shops\n\nEach voucher of `totalOf` counts once now."),
    ],
    cart,
    "said",
    "Each voucher of totalOf counts once now",
  ],
  [
    "a line that says it whole before a sentence that is only a part of one",
    [
      prompt("we have totals in the cart. how is it filled?"),
      closing(
        "`totalOf` is filled in one place during live runs:\n\n**`cart.ts:12`** - Inside the handler of the cart (which runs each time it is filled).",
      ),
    ],
    [],
    "answer",
    "totalOf is filled in one place during live runs: Inside the handler of the cart (which runs each time it is filled)",
  ],
  [
    "no clause that breaks off before parentheses in its midst",
    [
      prompt("why is it slow?"),
      closing(
        "The cart is slow in two places. The fact that the voucher lies inside the `cart` folder of the shop (and not beside it, where a shop has its vouchers) adds to it.",
      ),
    ],
    [],
    "answer",
    "The cart is slow in two places",
  ],
  [
    "an answer before what the speaker says of themselves",
    [
      prompt("why is the voucher counted twice?"),
      closing("I see the problem with the voucher now. The cart counts it once for each line."),
    ],
    [],
    "answer",
    "The cart counts it once for each line",
  ],
  [
    "the verdict and no heading that says what the text is about",
    [
      prompt("review the vouchers"),
      closing(
        "## Review: PR #7 - Vouchers\n\nNice work.\n\n## Verdict: Approve with one change (review the vouchers)",
      ),
    ],
    [],
    "answer",
    "Verdict: Approve with one change (review the vouchers)",
  ],
  [
    "no line that shows what stands below it",
    [
      prompt("how does a cart look?"),
      closing(
        "A voucher of `cart.json` looks like this:\n\n```json\n{\n}\n```\n\nThe total of a voucher is in cents.",
      ),
    ],
    [],
    "answer",
    "The total of a voucher is in cents (how does a cart look?)",
  ],
  [
    "what was done before a heading of what was tested",
    [
      prompt("test the vouchers"),
      closing("## Test Results: Vouchers of the cart\n\n- Fixed the harness of `totalOf`"),
    ],
    cart,
    "said",
    "Fixed the harness of totalOf",
  ],
  [
    "what is so before what may be",
    [
      prompt("why is the voucher of the cart lost?"),
      closing("The loader could drop the voucher. `totalOf` drops the voucher."),
    ],
    [],
    "answer",
    "totalOf drops the voucher",
  ],
  [
    "of places what is said of each of them",
    [
      prompt("what did the reviewer find?"),
      closing(
        "The reviewer found 2 issues:\n\n**1. `cart.ts:12`** - Vouchers vanish without an error\n> It is silent.\n\n**2. `read.ts:7`** - Totals are read twice\n> Read once.",
      ),
    ],
    [],
    "answer",
    "The reviewer found 2 issues: Vouchers vanish without an error; Totals are read twice",
  ],
  [
    "what points back with what was asked",
    [prompt("where's the total rounded?"), closing("It's in `src/read.ts`.")],
    [],
    "answer",
    "It's in src/read.ts (where's the total rounded?)",
  ],
  [
    "what could be said of anything with what is said next",
    [
      prompt("do all changes of the branch look fine?"),
      closing("The changes look fine. The branch of these vouchers is ready to merge."),
    ],
    [],
    "answer",
    "The changes look fine; The branch of these vouchers is ready to merge",
  ],
  [
    "the first of two things done behind a dash",
    [
      prompt("yes"),
      closing(
        "The change is clean - added a warning to `totalOf` when it reads nothing so that the loss is seen by all people of the shop, and parted the two checks of it for clarity.",
      ),
    ],
    cart,
    "said",
    "Added a warning to totalOf when it reads nothing so that the loss is seen by all people of the shop",
  ],
  [
    "the answer behind the words that lead up to it",
    [
      prompt("is the voucher tested?"),
      closing("So to answer your question directly: the voucher of `totalOf` has no test at all."),
    ],
    [],
    "answer",
    "The voucher of totalOf has no test at all",
  ],
  [
    "what an entry goes on with",
    [
      prompt("mend the reader"),
      closing(
        "Fixed.\n\nThe function now:\n- Splits by 2 blank lines\n- Finds the first of all prompts",
      ),
    ],
    cart,
    "said",
    "The function now: Splits by 2 blank lines; Finds the first of all prompts",
  ],
  [
    "a commit's subject that could be any with the first entry of its body",
    [
      prompt("go on"),
      { kind: "commit", text: "fix: address the feedback\n\n- Vouchers are counted once\n- More" },
      closing("Pushed."),
    ],
    cart,
    "commit",
    "Address the feedback: Vouchers are counted once",
  ],
  [
    "such a subject with the scope that the commit names",
    [
      prompt("go on"),
      {
        kind: "commit",
        text: "fix(checkout): address the feedback\n\n- Vouchers are counted once\n- More",
      },
      closing("Pushed."),
    ],
    cart,
    "commit",
    "Checkout: Address the feedback: Vouchers are counted once",
  ],
  [
    "not a pull request of which the body alone was written again",
    [
      prompt("link the two issues"),
      published(
        "pull request https://example.com/7",
        "## Summary\n\n- Wire vouchers into the cart",
      ),
      closing("Both issues of the voucher are linked in the description of #7."),
    ],
    [],
    "answer",
    "Both issues of the voucher are linked in the description of #7",
  ],
  [
    "of work what was done before a yes to the question",
    [
      prompt("is the voucher of the receipts fixed?"),
      closing(
        "Yes, we just mended the voucher of the receipts.\n\nNow the loader in `lapse.ts` keeps its day.",
      ),
    ],
    cart,
    "said",
    "Now the loader in lapse.ts keeps its day",
  ],
  [
    "no place that was looked at without what stands there",
    [
      prompt("is the voucher kept?"),
      closing(
        "Looking at `totalOf` (line 7):\n\n```ts\nkeep();\nkeep();\n```\n\nIt keeps the voucher.",
      ),
    ],
    [],
    "answer",
    "It keeps the voucher",
  ],
  [
    "a message with what it reads now, and none of its other lines",
    [
      prompt("reword the warning"),
      closing(
        "Done. The warning of the cart now reads:\n\n> Another cart is open. You can go on here.\n>\n> To resume `totalOf` instead: shop resume 7",
      ),
    ],
    cart,
    "said",
    "The warning of the cart now reads: Another cart is open",
  ],
  [
    "of work what else was done",
    [
      prompt("address the review"),
      closing(
        "I've fixed two issues in `totalOf`.\n\n### Silent errors\n\nAdded a warning for lapsed vouchers.\n\n### Staging\n\nNothing was `staged` before the cart was read.",
      ),
    ],
    cart,
    "said",
    "I've fixed two issues in totalOf; Added a warning for lapsed vouchers",
  ],
  [
    "an answer in other words than the question with the one question that finds room",
    [
      prompt(
        "I looked at the shop all day and saw the same thing over and over at each of its tills. Is it ready for the customers?",
      ),
      closing("`voucherOf` lapses at midnight."),
    ],
    [],
    "answer",
    "voucherOf lapses at midnight (Is it ready for the customers?)",
  ],
  [
    "a verdict with what it is of",
    [prompt("use the careful reviewer on this"), closing("Approved with minor suggestions.")],
    [],
    "answer",
    "Approved with minor suggestions (use the careful reviewer on this)",
  ],
  [
    "no address of what was asked",
    [prompt("see https://example.com/carts/7"), closing("`voucherOf` lapses at midnight.")],
    [],
    "answer",
    "voucherOf lapses at midnight",
  ],
  [
    "of a list what stands before an entry that only leads on",
    [
      prompt("how do we count?"),
      closing(
        "Both tills count with `totalOf` alike:\n\n- The cart counts each voucher\n- The till is then used for:\n  - Receipts of the day\n  - Letters",
      ),
    ],
    [],
    "answer",
    "Both tills count with totalOf alike: The cart counts each voucher",
  ],
  [
    "of work that asks which way to go none of the ways",
    [
      prompt("ok do that"),
      { kind: "said", text: "Moved `totalOf` into the cart." },
      closing(
        "Ways around the circle:\n\n1. Keep the names in `cart.ts`, and their values in the till\n2. Create `names.ts` with just the values\n\nOption 2 is cleanest - a tiny file for `voucherOf`.\n\nWhich way do you prefer?",
      ),
    ],
    cart,
    "said",
    "Moved totalOf into the cart",
  ],
  [
    "of work that asks whether to commit what its bullets say",
    [
      prompt("ok do that"),
      closing("Done!\n\n- `totalOf` counts each voucher once\n\nShall I commit?"),
    ],
    cart,
    "said",
    "totalOf counts each voucher once",
  ],
  [
    "no failure that only says that something failed",
    [prompt("yes"), { kind: "repair", text: "[test] ERROR task failed\n\n→ src/cart.ts" }],
    cart,
    "changed",
    "Changed cart.ts (totalOf, …)",
  ],
  [
    "of work no guess at what is wrong",
    [
      prompt("totalOf is not set when the cart is saved"),
      closing(
        "The issue might be that `totalOf` isn't set before the cart is saved. Let me see it run.\n\nThe script shows the file of each cart with its vouchers now.",
      ),
    ],
    cart,
    "said",
    "The script shows the file of each cart with its vouchers now",
  ],
  [
    "an entry of an answer with what its section is about",
    [
      prompt("compare them"),
      closing(
        "## Identical code of both tills\n\n- `totalOf` stands twice, word by word (cart.ts, till.ts)\n- `voucherOf` nearly so",
      ),
    ],
    [],
    "answer",
    "Identical code of both tills: totalOf stands twice, word by word (cart.ts, till.ts)",
  ],
  [
    "a verdict with what else was found rather than with a request",
    [
      prompt("use the careful reviewer on this"),
      closing(
        "**Verdict: approved with changes**\n\nThe whole review was written to `review-01.md`.",
      ),
    ],
    [],
    "answer",
    "Verdict: approved with changes; The whole review was written to review-01.md",
  ],
  [
    "what names something without a remark that asks nothing",
    [prompt("ooh, we caught something"), closing("`git add` changed the index from 48f5 to bfb7.")],
    [],
    "answer",
    "git add changed the index from 48f5 to bfb7",
  ],
  [
    "of a commit that was made again what was done now",
    [
      prompt("is this line there twice?"),
      { kind: "commit", text: "Count vouchers once", toolUseId: "t1" },
      { kind: "passed", text: "", about: 'git commit --amend -m "…"', toolUseId: "t1" },
      closing("Moved the line of vouchers into `totalOf` of the cart."),
    ],
    cart,
    "said",
    "Moved the line of vouchers into totalOf of the cart",
  ],
  [
    "a commit that was made again where nothing else is said",
    [
      prompt("lint"),
      { kind: "commit", text: "Count vouchers once", toolUseId: "t1" },
      { kind: "passed", text: "", about: "git commit --amend --no-edit", toolUseId: "t1" },
      closing("Done."),
    ],
    [],
    "commit",
    "Count vouchers once",
  ],
  ["what was asked", [prompt("Mend the vouchers")], [], "asked", "Mend the vouchers?"],
  ["nothing", [prompt("yes")], [], "asked", ""],
])("%s", (_, pieces, files, basis, title) => {
  const found = outcome(pieces, files);
  expect([found.basis, found.title]).toEqual([basis, title]);
});

test.each([
  [
    "Both calls of `fetch` have a limit of 2 minutes now, with an error that says so in all the languages of the shop and of its customers abroad",
    "Both calls of fetch have a limit of 2 minutes now",
  ],
  [
    "It calls `git push origin entire/sessions --force` and waits for the answer of the remote side before each and every other repository of the whole big town does",
    "It calls git push origin entire/sessions --force and waits for the answer of the remote side…",
  ],
  [
    "The vouchers and the totals of each cart in every shop of the town are counted at the end of each day of the week by `sum the vouchers of` once",
    "The vouchers and the totals of each cart in every shop of the town are counted at the end of each day…",
  ],
  [
    "Each voucher of the shop is now read by cart, shop, and till before any of the totals of the town is counted by the people in the office",
    "Each voucher of the shop is now read by cart, shop, and till…",
  ],
  [
    "The voucher is really needed - it exists because the totals named so in `cart.ts`, in each of the shops, hide it from them and from all of the others",
    "The voucher is really needed",
  ],
  [
    "The total of vouchers is checked in packages/shop/src/server/cart.test.ts:12 again",
    "The total of vouchers is checked in cart.test.ts:12 again",
  ],
  [
    "购物车的总额已经修复了，因为优惠券被重复计算了两次，现在每张优惠券只会计算一次，并且增加了测试用例，还更新了相关的说明文档",
    "购物车的总额已经修复了，因为优惠券被重复计算了两次，现在每张优惠券只会计算一次，并且增加了测试用例",
  ],
])("a title is cut at a clause or a word: %s", (text, title) => {
  expect(outcome([prompt("go on"), closing(text)]).title).toBe(title);
});

const plan: Evidence = { kind: "plan", text: "# Plan: Count vouchers once" };
const ran = (kind: Evidence["kind"], about: string): Evidence => ({ kind, text: "ok", about });
const passed = ran("passed", "mise run test 2>&1");
const stoppedAt = (about: string, text = ""): Evidence => ({ kind: "refusal", text, about });
const atCheck = stoppedAt("mise run test:ci 2>&1");
const todo = (text: string): Evidence => ({ kind: "todo", text });
const says = (text: string): Evidence => ({ kind: "said", text });
const ofPlan = (pieces: Evidence[]): NewTurn =>
  sampleTurn({ pieces: [plan, ...pieces], files: cart, end: "interrupted" });

test.each<[string, Evidence[]]>([
  ["one that had passed", [passed, stoppedAt("mise run test")]],
  ["more of one that had passed", [passed, atCheck]],
  [
    "one that was mended",
    [ran("failure", "npm test"), ran("repair", "npm test"), stoppedAt("npm test -- all")],
  ],
  [
    "one that was mended, shown in part",
    [ran("failure", "npm test | head"), passed, ran("passed", "npm test"), atCheck],
  ],
  [
    "one behind what is no check",
    [ran("failure", "curl shop"), ran("failure", "Read test/a.ts"), passed, atCheck],
  ],
  ["one that broke off", [passed, { ...atCheck, kind: "interrupted" }]],
  ["one with one entry left", [passed, atCheck, todo("- [x] Count\n- [ ] Test")]],
  [
    "one that was announced",
    [says("The tests do not pass."), says("They do now."), passed, atCheck],
  ],
])("a plan whose work was stopped at its last check, %s, was done", (_, pieces) => {
  expect(outcomeOf(ofPlan(pieces)).title).toBe("Implemented: Count vouchers once");
  // A turn that broke off was not stopped by anybody.
  expect(outcomeOf({ ...ofPlan(pieces), end: "open" }).title).toBe("Count vouchers once");
});

test.each<[string, Evidence[]]>([
  ["a check that nothing came before", [atCheck]],
  ["a check of something else", [passed, stoppedAt("mise run lint")]],
  ["a check by something else", [passed, stoppedAt("npm run test")]],
  ["another check of its program", [ran("passed", "make test"), stoppedAt("make test-db-reset")]],
  ["a check behind one whose end is not known", [ran("ran", "mise run test"), atCheck]],
  ["a check behind one that failed last", [passed, ran("failure", "mise run test"), atCheck]],
  ["a check behind another that failed", [ran("failure", "npm run lint"), passed, atCheck]],
  ["a check behind parts that failed", [ran("failure", "cd a && make lint"), passed, atCheck]],
  ["a check, with what is wrong", [passed, { ...atCheck, text: "no, totals are still off" }]],
  ["a check with two entries left", [passed, atCheck, todo("- [ ] Count\n- [ ] Test")]],
  ["a check behind what is not so", [passed, says("Vouchers are not counted yet."), atCheck]],
  ["a check behind a reserve", [passed, says("It counts. However, totals differ."), atCheck]],
  ["a change", [passed, stoppedAt("Edit src/cart.ts")]],
  ["a change behind a check", [passed, atCheck, stoppedAt("Edit src/cart.ts")]],
  ["nothing that is known", [passed, { kind: "interrupted", text: "" }]],
])("a plan whose work was stopped at %s was not done", (_, pieces) => {
  expect(outcomeOf(ofPlan(pieces)).title).toBe("Stopped while implementing: Count vouchers once");
});

test.each([
  ...["mise run test && rm src/cart.ts", "mise run test; make", "mise run test | sh"],
  ...["mise run test\nrm src/cart.ts", "mise run test & make", "rm src/cart.ts && mise run test"],
  ...["git checkout totals", "git commit -m test", "mkdir tests", "grep test src"],
  ...["npm i vitest", "npx create-vite test", "docker rm test", "make clean", "deploy"],
])("a plan whose work was stopped at %j, which had passed before, was not done", (about) => {
  const pieces = [passed, ran("passed", about), stoppedAt(about)];
  expect(outcomeOf(ofPlan(pieces)).title).toStartWith("Stopped while implementing: ");
});

test("work stopped at its last check is told by what was said of it, and as stopped where nothing was", () => {
  const said = says("I've added a mark for each voucher of a cart.");
  const end = { files: cart, end: "interrupted" as const };
  expect(outcomeOf(sampleTurn({ ...end, pieces: [said, passed, atCheck] })).title).toBe(
    "I've added a mark for each voucher of a cart",
  );
  expect(outcomeOf(sampleTurn({ ...end, pieces: [passed, atCheck] })).title).toBe(
    "Stopped after changes to cart.ts (totalOf, voucherOf)",
  );
});

test("a whole sentence takes on an entry of its list only where both are short", () => {
  const titleOf = (whole: string) =>
    outcome([prompt("go on"), closing(`${whole}.\n\n- Added \`markOf\` to each voucher`)], cart)
      .title;
  const short = "Implemented `countOf` for vouchers of carts";
  expect(titleOf(short)).toBe(
    "Implemented countOf for vouchers of carts; Added markOf to each voucher",
  );
  const long = "Implemented `countOf` for all the vouchers of carts of several buyers";
  expect(titleOf(long)).toBe(long.replaceAll("`", ""));
});

test("what carries it is quoted in the closing's order", () => {
  const text =
    "Done!\n\n- `totalOf` counts each voucher once\n- It asks `voucherOf` 2 times\n\nShall I commit?";
  expect(outcome([prompt("yes"), closing(text)], cart).said).toBe(
    "totalOf counts each voucher once. It asks voucherOf 2 times.",
  );
});

test.each([
  ["fix(cart)!: count once (#7)\n\nbody", "Count once"],
  ["[shop] add retries", "Add retries"],
  [undefined, ""],
])("a commit's title: %j", (message, title) => {
  expect(subjectOf(message)).toBe(title);
});

test.each<[string[], string]>([
  [["https://example.com/shop/pull/2", "Mail was slow"], ""],
  [["This is PR https://example.com/shop/pull/2"], ""],
  [["Commit `1a2b3c4`."], ""],
  [["#12"], ""],
  [["Count the vouchers once", "Count the voucher onc"], "Count the voucher onc"],
  [
    ["Draft PR opened: https://example.com/shop/pull/2"],
    "Draft PR opened: https://example.com/shop/pull/2",
  ],
  [["Ship it", "Mail"], "Ship it"],
  [["你好"], "你好"],
  [["Commit it"], "Commit it"],
  [["Count the vouchers once", "Facade"], "Facade"],
  [[], ""],
])("below a title stands of %j %j", (texts, wanted) => {
  expect(belowTitle("Count the vouchers once", texts, 0.75)).toBe(wanted);
});

test("a line that leads to a list is said with the list", () => {
  const text =
    "The cart rounds now.\n\nI changed `totalOf` in cart.ts so that it now:\n- reads the voucher of the cart first\n- rounds to cents";
  const { said } = outcome([prompt("round the cart"), closing(text)], cart);
  expect(said).toContain("so that it now: reads the voucher of the cart first; rounds to cents.");
  const asks = "The cart rounds now.\n\nI changed `totalOf` in cart.ts:\n- shall I commit it?";
  expect(outcome([prompt("round the cart"), closing(asks)], cart).said).not.toContain("shall I");
});

test.each<[string, Evidence, boolean]>([
  ["a choice", { kind: "choice", text: "Redis" }, true],
  ["an accepted plan", { kind: "plan", text: "# Move" }, true],
  ["a refusal with a reason", { kind: "refusal", text: "use npm ci", about: "rm -rf x" }, true],
  ["a refusal without one", { kind: "refusal", text: " ", about: "rm -rf x" }, false],
  ["a refusal that asks", { kind: "refusal", text: "why not npm ci?", about: "rm -rf x" }, false],
  [
    "a refusal of a change that was then made in another way",
    { kind: "refusal", text: "call it total", about: "Edit src/cart.ts" },
    false,
  ],
])("%s decides: %#", (_, piece, is) => {
  expect(decides(piece, cart)).toBe(is);
});

test.each<[string, string, string, string]>([
  [
    "in the sentence behind it",
    "Fixed the rounding of `totalOf`. However, my fix breaks the checkout.",
    "Fixed the rounding of totalOf; however, my fix breaks the checkout",
    "Fixed the rounding of totalOf. However, my fix breaks the checkout.",
  ],
  [
    "a sentence further on",
    "Fixed the rounding of `totalOf`. The till prints it. However, my fix breaks the checkout.",
    "Fixed the rounding of totalOf; however, my fix breaks the checkout",
    "Fixed the rounding of totalOf. However, my fix breaks the checkout.",
  ],
  [
    "behind its list",
    "Fixed the rounding of `totalOf`:\n\n- Cents are rounded once\n- Vouchers come first\n\nUnfortunately, the checkout's test still fails.",
    "Fixed the rounding of totalOf: Cents are rounded once; Vouchers come first; unfortunately, the checkout's test still fails",
    "Fixed the rounding of totalOf: Cents are rounded once; Vouchers come first. Unfortunately, the checkout's test still fails.",
  ],
  [
    "in German",
    "Die Rundung in `totalOf` ist behoben. Allerdings schlägt der Test der Kasse noch fehl.",
    "Die Rundung in totalOf ist behoben; allerdings schlägt der Test der Kasse noch fehl",
    "Die Rundung in totalOf ist behoben. Allerdings schlägt der Test der Kasse noch fehl.",
  ],
  [
    "where there is no room for both in a title",
    "Fixed the rounding of `totalOf` for every cart with vouchers and its mail. However, my fix breaks all four tests of the checkout and the mailer.",
    "Fixed the rounding of totalOf for every cart with vouchers and its mail",
    "Fixed the rounding of totalOf for every cart with vouchers and its mail. However, my fix breaks all four tests of the checkout and the mailer.",
  ],
  [
    "not of another case",
    "Fixed the rounding of `totalOf`. However, if a cart is empty, nothing is rounded.",
    "Fixed the rounding of totalOf",
    "Fixed the rounding of totalOf. However, if a cart is empty, nothing is rounded.",
  ],
])("keeps what takes a result back: %s", (_, text, title, said) => {
  const made = outcome([prompt("round the cart"), closing(text)], cart);
  expect([made.title, made.said]).toEqual([title, said]);
});

test.each([
  ["### The Problem", "### The Fix"],
  ["## Root Cause", "## Result"],
  ["### Die Ursache", "### Die Lösung"],
  ["## Le problème", "## La correction"],
  ["## El problema", "## La solución"],
])("below %s stands what was wrong, and below %s what is so now", (wrong, mended) => {
  const text = `${wrong}\n- Sample carts had a price of zero\n- Vouchers there were counted twice\n\n${mended}\n- Both prices are read from the list by default`;
  expect(outcome([prompt("the cart is odd"), closing(text)], cart).said).toBe(
    "Both prices are read from the list by default.",
  );
});

test.each([
  ["## The Problem", "## Where"],
  ["## Problem and Fix", "## Result"],
])("below %s and %s the first is told", (first, second) => {
  const text = `${first}\n- Vouchers of sample carts were counted twice\n\n${second}\n- The list of prices is read in one place`;
  expect(outcome([prompt("the cart is odd"), closing(text)], cart).said).toStartWith("Vouchers");
});

test.each([
  [
    "The cart is slow, so I have barely touched it.",
    "The cart is slow, so I have barely touched it",
  ],
  [
    "The totals are wrong in many places, but I have not changed them at all.",
    "The totals are wrong in many places, but I have not changed them at all",
  ],
  [
    "The totals are wrong by design, so I added a note to each.",
    "I added a note to each (look at the cart)",
  ],
])("a conclusion is the title where it says what was done: %s", (text, title) => {
  expect(outcome([prompt("look at the cart"), closing(text)], cart).title).toBe(title);
});

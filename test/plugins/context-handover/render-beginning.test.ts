// What the last session began with, before what it was asked last.
import { expect, test } from "bun:test";
import { type ShortPiece, turn } from "../../support/turns.ts";
import { told } from "./render-room.ts";

/** A session of one turn after the other, as the last of the note. */
function session(...turns: ReadonlyArray<readonly ShortPiece[]>): string {
  const made = turns.map((pieces, at) =>
    turn(at + 1, [...pieces], { session: "long", changed: ["src/cart.ts"] }),
  );
  const line = told(...made.toReversed())
    .split("\n")
    .find((one) => one.includes("prompts: "));
  return line ?? "";
}

const began: ShortPiece[] = [
  ["prompt", "can you find out why discounts are lost when a cart is merged?"],
  ["closing", "mergeCarts in src/cart.ts drops the coupon of the older cart."],
];
const ended: ShortPiece[] = [
  ["prompt", "the integration tests are failing"],
  ["closing", "All tests of src/cart.ts pass; the fixture has two coupons now."],
];

test("a long session is shown by its first request and its last", () => {
  expect(session(began, ended)).toContain(
    "prompts: 2 · “can you find out why discounts are lost when a cart is merged?” … “the integration tests are failing” · “All",
  );
});

test("of a long request it is the first sentence that says something", () => {
  const guess: ShortPiece[] = [
    ["prompt", "Hi! The score of the model fell in March. My guess is the new pricing."],
    ["closing", "The new pricing in src/cart.ts is not it: the tracker counts twice."],
  ];
  expect(session(guess, ended)).toContain("· “The score of the model fell in March.” … “the");
});

test("a greeting or a yes is no beginning: the first request that says something is", () => {
  const hello: ShortPiece[] = [
    ["prompt", "hello there"],
    ["closing", "Hi. What shall we do?"],
  ];
  expect(session(hello, began, ended)).toContain("prompts: 3 · “can you find out why");
});

test("of a session that began with a plan it is the plan's title", () => {
  const planned: ShortPiece[] = [
    ["plan", "# Plan: Keep coupons of merged carts\n\n1. Merge the lists."],
    ["closing", "mergeCarts in src/cart.ts keeps the coupons of both carts."],
  ];
  expect(session(planned, ended)).toContain("prompts: 2 · Keep coupons of merged carts … “the");
});

test("a plan that was made in the session does not stand for the request", () => {
  const asked = began.slice(0, 1);
  const made: ShortPiece[] = [...asked, ["plan", "1. Read both carts\n2. Merge", "accepted"]];
  expect(session([...made, ["closing", "src/cart.ts merges both."]], ended)).toContain(
    "prompts: 2 · “can you find out why discounts are lost when a cart is merged?” … “the",
  );
});

test("a commit at the end says by itself what all of it was for", () => {
  const committed: ShortPiece[] = [
    ["prompt", "commit this please, with a short subject"],
    ["commit", "Keep the coupons of both carts when they are merged", "a81be3f (main)"],
    ["closing", "Committed src/cart.ts."],
  ];
  expect(session(began, committed)).not.toContain("can you find out");
});

test("the same request again is said once", () => {
  const [asked] = began as [ShortPiece];
  const again: ShortPiece[] = [asked, ["closing", "mergeCarts in src/cart.ts keeps both coupons."]];
  expect(session(began, again).match(/can you find out/g)).toHaveLength(1);
});

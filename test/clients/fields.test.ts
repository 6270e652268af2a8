// The fields of payloads are those of events: a field that one of them alone has does not compile here.
import { expect, test } from "bun:test";
import type { eventPayloads } from "../../src/clients/normal/payload.ts";
import type { ClientEvents, EventBase } from "../../src/sdk/events.ts";

type Payloads = typeof eventPayloads;
type Name = keyof Payloads;
type Camel<Word> = Word extends `${infer First}_${infer Rest}`
  ? `${First}${Capitalize<Camel<Rest>>}`
  : Word;

/** Names of fields that a payload brings, and that its event has beside those of every event. */
type Brought<Of extends Name> = Camel<keyof Payloads[Of]["entries"]>;
type Had<Of extends Name> = Exclude<keyof ClientEvents[Of], keyof EventBase | "name">;
/** `PostToolUse has durationMs`. */
type Odd<Of extends Name> =
  | `${Of} brings ${Exclude<Brought<Of>, Had<Of>> & string}`
  | `${Of} has ${Exclude<Had<Of>, Brought<Of>> & string}`;

test("each event has the fields of its payload, and no others", () => {
  const odd: never[] = [] as Array<{ [Of in Name]: Odd<Of> }[Name]>;
  expect(odd).toEqual([]);
});

// Makes the cases of the third and the wider corpus: random tokens, passwords that people choose, encodings.
import { Buffer } from "node:buffer";
import { createRandom, type Faked, fake } from "./fake.ts";

const alphabets: Readonly<Record<string, string>> = {
  q: "QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L",
  A: "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz",
};

const nouns =
  "Kestrel Bramble Harbour Walnut Lantern Pepper Quarry Saddle Thistle Biscuit Magnolia Ferrari Arsenal Napoli Sommer Welcome Dragon Monkey Sunshine Buster";
const tails = ["2019", "2023", "2025", "77", "123", "1987", "42", "007"];
const signs = ["!", "@", "#", "$", "&", "%", "*", "?", "!!", "="];

/** A password as a person makes one up; with a sign in it or, where a text could not hold one, without. */
function chosen(kind: string, random: () => number): string {
  const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)] as T;
  const noun = (): string => pick(nouns.split(" "));
  if (kind === "words") return `${noun()} ${noun()} ${noun()} ${pick(tails)}`.toLowerCase();
  const plain = pick([
    () => `${noun()}${pick(tails)}`,
    () => `${noun().toLowerCase()}${noun()}${pick(tails)}`,
    () => `${noun().toLowerCase().replaceAll("e", "3").replaceAll("a", "4")}${pick(tails)}x`,
    () => `${noun().toLowerCase()}-${noun().toLowerCase()}-${pick(tails)}`,
    () => `${noun().toLowerCase()}.${noun().toLowerCase()}${pick(tails)}`,
  ])();
  if (kind === "plain") return plain;
  return pick([
    () => `${plain}${pick(signs)}`,
    () => `${noun()}${pick(signs)}${plain}`,
    () => `${plain}${pick(signs)}${pick(signs)}x`,
  ])();
}

const encoders: Readonly<Record<string, (text: string) => string>> = {
  base64: (text) => Buffer.from(text).toString("base64"),
  base64url: (text) => Buffer.from(text).toString("base64url"),
  hex: (text) => Buffer.from(text).toString("hex"),
  url: encodeURIComponent,
  json: (text) => JSON.stringify(text).slice(1, -1),
  json2: (text) => JSON.stringify(JSON.stringify(text).slice(1, -1)).slice(1, -1),
  html: (text) =>
    [...text].map((sign) => (/\w/.test(sign) ? sign : `&#${sign.charCodeAt(0)};`)).join(""),
  unicode: (text) =>
    [...text]
      .map((sign) =>
        /\w/.test(sign) ? sign : `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`,
      )
      .join(""),
};

/**
 * The case of a template of `fake`, which may also hold: `{uuid}`; `{q58}` (base 32 of bech32), `{A34}` (letters of both
 * cases); `{plain}`, `{signed}` and `{words}`, passwords that a person would choose; and `⟦base64|…⟧` and other
 * encodings, whose result must not be kept where what they encode holds a secret.
 */
export function filled(template: string, seed: string): Faked {
  const random = createRandom(`third ${seed}`);
  const ready = template
    .replaceAll("{uuid}", "{h8}-{h4}-4{h3}-a{h3}-{h12}")
    .replace(/\{(plain|signed|words)\}/g, (_, kind: string) => chosen(kind, random))
    .replace(/\{([qA])(\d+)\}/g, (_, name: string, count: string) =>
      Array.from({ length: Number(count) }, () => {
        const from = alphabets[name] ?? "";
        return from.charAt(Math.floor(random() * from.length));
      }).join(""),
    );
  const { text } = fake(ready.replaceAll("«", "\uE000").replaceAll("»", "\uE001"), seed);
  const encoded = text.replace(/⟦(\w+)\|([^⟧]*)⟧/g, (_, how: string, inner: string) => {
    const encode = encoders[how];
    if (!encode) throw new Error(`no encoding ${how} in the template of ${seed}`);
    const bare = encode(inner.replace(/[\uE000\uE001]/g, ""));
    return inner.includes("\uE000") ? `\uE000${bare}\uE001` : bare;
  });
  const secrets = [...encoded.matchAll(/\uE000([^\uE001]*)\uE001/g)].map((hit) => hit[1] ?? "");
  return { text: encoded.replace(/[\uE000\uE001]/g, ""), secrets };
}

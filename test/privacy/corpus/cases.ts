// The corpus of secrets: every case by its family and name, made anew at each run from a seed.

import { Buffer } from "node:buffer";
import { isSetAside } from "../../quality/set-aside.ts";
import crossed from "./crossed.json" with { type: "json" };
import { type Faked, fake } from "./fake.ts";
import { filled } from "./filled.ts";
import first from "./texts/first.txt" with { type: "text" };
import rarer from "./texts/rarer.txt" with { type: "text" };
import second from "./texts/second.txt" with { type: "text" };
import third from "./texts/third.txt" with { type: "text" };
import wider from "./texts/wider.txt" with { type: "text" };

/** One text to be redacted, or, without secrets, to be left alone. */
export interface SecretCase extends Faked {
  id: string;
  family: string;
  /** One of the third that is only reported. */
  aside: boolean;
}

/** True for a family of which nothing is aside any more: all its misses were looked at, so that no figure of it tells of others. */
export const isBurnt = (family: string): boolean => /^third corpus|drawn again$/.test(family);

/** Family, name and template of each case of a file: below `#####` and a family each stands under `===` and its name; ␛ is an escape, ‸ a space without width. */
export function casesOf(
  file: string,
): Array<readonly [family: string, name: string, template: string]> {
  return file.split(/^##### /m).flatMap((part) => {
    const [head = "", ...cases] = part.replace(/\n{1,2}$/, "").split(/\n=== /);
    return cases.map((one) => {
      const end = one.indexOf("\n");
      const template = one
        .slice(end + 1)
        .replaceAll("␛", "\u001b")
        .replaceAll("‸", "\u200b");
      return [head, one.slice(0, end), template] as const;
    });
  });
}

/** The tables are lists of a name and a template. */
type Table = ReadonlyArray<readonly [name: string, template: string]>;
const tables = crossed as unknown as Readonly<Record<keyof typeof crossed, Table>>;

/** Every case: those that are templates crossed with places or ways of writing, then those of the files. */
export function secretCases(): SecretCase[] {
  const cases: SecretCase[] = [];
  const add = (family: string, name: string, template: string, change?: Change): void => {
    const id = `${family}/${name}`;
    const faked = fake(template, id);
    cases.push({ id, family, aside: isSetAside(id), ...(change ? change(faked) : faked) });
  };
  const { tokenPlaces, meetings } = tables;
  for (const [service, token] of tables.serviceTokens) {
    // Each service in two places: every place gets its share.
    const first = service.length % tokenPlaces.length;
    for (const at of [first, (first + 2) % tokenPlaces.length]) {
      const [place, around] = tokenPlaces[at] ?? ["alone", "%"];
      const template = around.replace("%", () => token);
      add("service tokens", `${service}, ${place}`, template);
    }
  }
  for (const [place, around] of tables.openPlaces)
    for (const [name, value] of tables.signedValues)
      add("unquoted values", `${place}, ${name}`, put(around, value));
  for (const [place, around] of tables.closedPlaces)
    for (const [name, value] of tables.closedValues)
      add("quoted values", `${place}, ${name}`, put(around, value));
  for (const [kind, key] of keys)
    for (const [name, wrap] of wrappings) add("private keys", `${kind}, ${name}`, key, lines(wrap));
  for (const [name, template] of encodable)
    for (const [way, encode] of encodings) add("encodings", `${name}, ${way}`, template, encode);
  for (const [name, template] of privates) add("private passages", name, template);
  for (const [at, [service, token]] of tables.documentedTokens.entries()) {
    const [place, around] = meetings[at % meetings.length] ?? ["alone", "%"];
    const template = around.replace("%", () => token);
    add("second corpus: tokens", `${service}, ${place}`, template);
  }
  for (const one of [first, second, rarer].flatMap(casesOf)) add(...one);
  for (const [family, name, template] of [third, wider].flatMap(casesOf)) {
    const id = `${family}/${name}`;
    const aside = !isBurnt(family) && isSetAside(id);
    cases.push({ id, family, aside, ...filled(template, id) });
  }
  return cases;
}

type Change = (faked: Faked) => Faked;

const put = (around: string, value: string): string => around.replace("%", () => `«${value}»`);

const pem = (name: string, last = "=="): string =>
  [
    `-----BEGIN ${name}-----`,
    "«{b64}»",
    "«{b64}»",
    "«{b64}»",
    `«{b30}»${last}`,
    `-----END ${name}-----`,
  ].join("\n");

const keys: ReadonlyArray<readonly [string, string]> = [
  ["rsa", pem("RSA PRIVATE KEY")],
  ["pkcs8", pem("PRIVATE KEY")],
  ["ec", pem("EC PRIVATE KEY", "")],
  ["openssh", pem("OPENSSH PRIVATE KEY")],
  ["encrypted", pem("ENCRYPTED PRIVATE KEY")],
  ["pgp", pem("PGP PRIVATE KEY BLOCK")],
];

type Wrap = (lines: readonly string[]) => string;
const each =
  (prefix: (number: number) => string, end = "") =>
  (all: readonly string[]) =>
    all.map((line, at) => `${prefix(at + 1)}${line}${end}`).join("\n");

const wrappings: ReadonlyArray<readonly [string, Wrap]> = [
  ["plain", each(() => "")],
  ["cat -n", each((number) => `${String(number).padStart(6)}\t`)],
  ["numbered with an arrow", each((number) => `${String(number).padStart(6)}→`)],
  ["grep -H", each(() => "deploy/keys/id.pem:")],
  ["grep -Hn", each((number) => `deploy/keys/id.pem:${number}:`)],
  ["grep context", each((number) => `deploy/id.pem-${number}-`)],
  ["added", each(() => "+")],
  ["removed", each(() => "-")],
  ["side by side", each(() => "        > ")],
  ["log", each(() => "2026-01-02T03:04:05.678Z [web-1] INFO  ")],
  ["compose log", each(() => "web-1  | ")],
  ["comment #", each(() => "# ")],
  ["comment //", each(() => "  // ")],
  ["comment *", each(() => " * ")],
  ["quoted mail", each(() => "> > ")],
  ["joined strings", each(() => '  "', '\\n" +')],
  ["one line", (all) => all.join("")],
  ["one line with blanks", (all) => all.join(" ")],
  ["escaped", (all) => `PRIVATE_KEY="${all.join("\\n")}\\n"`],
  ["escaped twice", (all) => `{"body":"{\\"key\\":\\"${all.join("\\\\n")}\\"}"}`],
  ["json", (all) => JSON.stringify({ type: "service_account", private_key: all.join("\n") })],
  ["yaml", (all) => `key: |\n${each(() => "    ")(all)}\nnext: 1`],
  ["crlf", (all) => all.join("\r\n")],
  ["torn end", (all) => all.slice(0, 4).join("\n")],
  ["torn beginning", (all) => all.slice(2).join("\n")],
  ["torn end, numbered", (all) => each((number) => `${number}\t`)(all.slice(0, 4))],
  ["url", (all) => `key=${encodeURIComponent(all.join("\n"))}`],
];

const lines =
  (wrap: Wrap): Change =>
  ({ text, secrets }) =>
    found(wrap(text.split("\n")), [...secrets, ...secrets.map(encodeURIComponent)]);

/** The text with those of the secrets that it holds. */
const found = (text: string, secrets: readonly string[]): Faked => ({
  text,
  secrets: [...new Set(secrets)].filter((secret) => text.includes(secret)),
});

const encodable: ReadonlyArray<readonly [string, string]> = [
  ["password in JSON", '{"user": "ada", "password": "«{x5}{d3}»", "port": 1}'],
  ["env file", "DB_HOST=db\nDB_PASSWORD=«{a12}»\nPORT=1\n"],
  ["github token", '{"token": "ghp_«{a36}»"}'],
  ["aws pair", "aws_access_key_id=AKIA«{t16}»\naws_secret_access_key=«{b40}»\n"],
  ["address", "postgres://shop:«{a12}»@db.local:5432/shop"],
  ["slack token", "send as xoxb-«{d12}-{d12}-{a24}» to it"],
  ["stripe", "key sk_live_«{a24}» here and there"],
];

const escaped =
  (encode: (text: string) => string): Change =>
  ({ text, secrets }) =>
    found(encode(text), [...secrets, ...secrets.map(encode)]);
/** Base 64 leaves no secret in one piece: what must go is the whole. */
const whole =
  (encode: (text: string) => string, around: (text: string) => string): Change =>
  ({ text }) => ({
    text: around(encode(text)),
    secrets: [encode(text)],
  });
const base64 = (text: string): string => Buffer.from(text).toString("base64");
const html = (text: string): string =>
  text.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;");
const unicode = (text: string): string =>
  text.replace(/[^\w ]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, "0")}`);

const encodings: ReadonlyArray<readonly [string, Change]> = [
  ["base 64", whole(base64, (text) => `decoded: ${text}`)],
  ["base 64 in JSON", whole(base64, (text) => `{"content":"${text}","encoding":"base64"}`)],
  [
    "base 64 of URLs",
    whole(
      (text) => Buffer.from(text).toString("base64url"),
      (text) => `state=${text}`,
    ),
  ],
  ["URL", escaped(encodeURIComponent)],
  ["URL in a query", escaped((text) => `https://x.acme.com/?data=${encodeURIComponent(text)}&a=1`)],
  ["JSON in JSON", escaped((text) => JSON.stringify({ body: text, ok: true }))],
  [
    "JSON in JSON in JSON",
    escaped((text) => JSON.stringify({ a: JSON.stringify({ body: text }) })),
  ],
  ["HTML", escaped(html)],
  [
    "HTML numbers",
    escaped((text) => text.replace(/["&<>=:]/g, (sign) => `&#${sign.charCodeAt(0)};`)),
  ],
  ["unicode escapes", escaped(unicode)],
  [
    "hex escapes",
    escaped((text) => text.replace(/["{}=]/g, (sign) => `\\x${sign.charCodeAt(0).toString(16)}`)),
  ],
];

const wide = (text: string): string =>
  text.replace(/[!-~]/g, (sign) => String.fromCharCode(sign.charCodeAt(0) + 0xfee0));
const spread = (text: string, sign: string): string => [...text].join(sign);
const passage = "«rosebud {a12}»";

const privates: ReadonlyArray<readonly [string, string]> = [
  ["plain", `a <private>${passage}</private> b`],
  ["two lines", `a <private>\n${passage}\n${passage}\n</private> b`],
  ["capitals", `a <PRIVATE>${passage}</Private> b`],
  ["attributes", `a <private why="x">${passage}</private> b`],
  ["nested", `a <private>x<private>y</private>${passage}</private> b`],
  ["unclosed", `a <private>${passage}`],
  ["unopened", `${passage}</private> b`],
  ["full-width brackets", `a ＜private＞${passage}＜/private＞ b`],
  ["full-width slash", `a <private>${passage}＜／private＞ b`],
  ["full-width letters", `a ${wide("<private>")}${passage}${wide("</private>")} b`],
  ["small brackets", `a ﹤private﹥${passage}﹤/private﹥ b`],
  [
    "zero-width space",
    `a <${spread("private", "\u200b")}>${passage}</${spread("private", "\u200b")}> b`,
  ],
  ["zero-width joiner", `a <pri\u200dvate>${passage}</priv\u200date> b`],
  ["byte order mark", `a \ufeff<\ufeffprivate>${passage}</private\ufeff> b`],
  ["soft hyphen", `a <pri\u00advate>${passage}</pri\u00advate> b`],
  ["word joiner", `a <private\u2060>${passage}</\u2060private> b`],
  ["html", `a &lt;private&gt;${passage}&lt;/private&gt; b`],
  ["json", `{"a":"\\u003cprivate\\u003e${passage}\\u003c/private\\u003e"}`],
  ["url", `a=%3Cprivate%3E${passage}%3C%2Fprivate%3E`],
  ["mixed", `a <private>${passage}&lt;/private&gt; b`],
  ["full-width with zero-width", `a ＜pri\u200bvate＞${passage}＜/private＞ b`],
  ["blanks", `a < private >${passage}< / private > b`],
];

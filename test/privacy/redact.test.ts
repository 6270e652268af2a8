// Secrets go, everything else stays. The fake secrets are put together here, so that no file holds one in one piece.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: a placeholder in somebody's file is what is tested
import { describe, expect, test } from "bun:test";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { redactDeep, redactText, scrubDeep } from "../../src/privacy/redact.ts";

/** What each line of a file beside this one says. */
function readLines(name: string): unknown[] {
  const text = readFileSync(join(import.meta.dirname, name), "utf8");
  return text
    .trimEnd()
    .split("\n")
    .map((line) => JSON.parse(line));
}

const of = (...parts: string[]): string => parts.join("");
const alnum = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V2w3X4y5Z6a7B8c9D0e1F2";
const hex = "0123456789abcdef".repeat(8);
const take = (count: number): string => alnum.slice(0, count);
const pem = (body: string, end = "\n"): string =>
  [
    `${of("-----BEGIN RSA ", "PRIVATE KEY-----")}`,
    body,
    body,
    `${of("-----END RSA ", "PRIVATE KEY-----")}`,
  ].join(end);
/** Text, what must be gone, and the kind that the mark names. */
const secrets: ReadonlyArray<readonly [name: string, text: string, gone: string, kind: string]> = [
  ...readLines("redact-gone.jsonl").map((row) => row as [string, string, string, string]),
  ["aws secret", `aws_secret_access_key = ${take(40)}`, take(40), "key"],
  ["token after a JSON escape", `line\\n${of("gh", "p_")}${take(36)}\\n`, take(36), "github-token"],
  [
    "token after a unicode escape",
    `\\u0022${of("gh", "p_")}${take(36)}\\u0022`,
    take(36),
    "github-token",
  ],
  ["private key", `a\n${pem(take(64))}\nb`, take(64), "private-key"],
  ["private key in JSON", JSON.stringify({ k: pem(take(64)) }), take(64), "private-key"],
  [
    "private key in a patch",
    pem(take(64))
      .split("\n")
      .map((line) => `+${line}`)
      .join("\n"),
    take(64),
    "private-key",
  ],
  ["private key removed by a patch", pem(take(64), "\n-"), take(64), "private-key"],
  [
    "private key numbered",
    pem(take(64))
      .split("\n")
      .map((line, i) => `  ${i + 1}→${line}`)
      .join("\n"),
    take(64),
    "private-key",
  ],
  ["private key torn", pem(take(64)).slice(0, 130), take(64), "private-key"],
  ["private key without its beginning", pem(take(64)).slice(60), take(64).slice(40), "private-key"],
  [
    "private key without its beginning, in a patch",
    pem(take(64), "\n+").slice(60),
    take(64).slice(40),
    "private-key",
  ],
  [
    "private key without its beginning, in JSON",
    JSON.stringify(pem(take(64))).slice(60),
    take(64).slice(40),
    "private-key",
  ],
  [
    "private key without its beginning, in JSON in JSON",
    JSON.stringify(JSON.stringify(pem(take(64)))).slice(60),
    take(64),
    "private-key",
  ],
  ["aws pair", `${of("AK", "IA")}IOSFODNN7QWERTYU,${take(40)}`, take(40), "aws-key"],
  [
    "as grep shows it",
    `key = "\u001b[01;31m\u001b[K${of("gh", "p_")}${take(36)}\u001b[m\u001b[K"`,
    take(36),
    "github-token",
  ],
  [
    "signed url",
    `https://s3.example/x?X-Amz-Signature=${hex.slice(0, 64)}&a=1`,
    hex.slice(0, 64),
    "signature",
  ],
];

describe("secrets go", () => {
  for (const [name, text, gone, kind] of secrets) {
    test(name, () => {
      const result = redactText(text);
      expect(result.text).not.toContain(gone);
      expect(result.text).toContain(`[redacted:${kind}]`);
      expect(result.count).toBeGreaterThan(0);
      expect(redactText(result.text)).toEqual({ text: result.text, count: 0 });
    });
  }
  test("what stands around a secret stays", () => {
    expect(redactText("postgres://shop:hunter22@db.local/shop").text).toBe(
      "postgres://shop:[redacted:password]@db.local/shop",
    );
    expect(redactText('{"password": "hunter22", "user": "bob"}').text).toBe(
      '{"password": "[redacted:password]", "user": "bob"}',
    );
    expect(redactText(`a\n${pem(take(64))}\nb`).text).toBe("a\n[redacted:private-key]\nb");
  });

  test("of a value that holds a token, what stands before and behind the token goes too", () => {
    const token = `${of("gh", "p_")}${take(36)}`;
    expect(redactText(`{"password": "front9 ${token} back9", "user": "bob"}`).text).toBe(
      '{"password": "[redacted:github-token]", "user": "bob"}',
    );
    expect(redactText(`${token} x ${token}`)).toEqual({
      text: "[redacted:github-token] x [redacted:github-token]",
      count: 2,
    });
  });

  test("of a script for PowerShell in base 64, what it keeps in quotes goes, whatever signs it has", () => {
    const command = (value: string) =>
      `powershell -enc ${Buffer.from(`Join-Shop 'till' '${value}'`, "utf16le").toString("base64")}`;
    expect(redactText(command("q7,Vr9;kL2|pW4")).text).toBe("powershell -enc [redacted:secret]");
    for (const plain of ["C:\\shop\\till", "north,south"])
      expect(redactText(command(plain)).count).toBe(0);
  });

  test("a token may begin behind a letter that no token has", () => {
    const token = `${of("gh", "p_")}${take(36)}`;
    for (const before of ["é", "{", "日", "~"])
      expect(redactText(`${before}${token}`).text).toBe(`${before}[redacted:github-token]`);
  });
});

const harmless = readLines("redact-stays.jsonl").map(String);

describe("the rest stays", () => {
  for (const text of harmless) {
    test(text.slice(0, 70), () => expect(redactText(text)).toEqual({ text, count: 0 }));
  }
});

describe("redactDeep", () => {
  test("a string under a secret's name goes whole", () => {
    const value = {
      user: "bob",
      password: "two words",
      nested: [{ apiKey: "abcdef" }, { token: ["abcdef", "ghijkl"] }],
      env: [{ name: "DB_PASSWORD", value: "abcdef" }],
      pin: { password: 123456 },
      usage: { tokens: 12, max_tokens: 9 },
    };
    expect(redactDeep(value)).toEqual({
      value: {
        user: "bob",
        password: "[redacted:password]",
        nested: [{ apiKey: "[redacted:key]" }, { token: ["[redacted:token]", "[redacted:token]"] }],
        env: [{ name: "DB_PASSWORD", value: "[redacted:password]" }],
        pin: { password: "[redacted:password]" },
        usage: { tokens: 12, max_tokens: 9 },
      },
      count: 6,
    });
  });
  test("headers that carry nothing but a secret", () => {
    const value = {
      headers: { Authorization: "Basic YTpi", cookie: ["a=b", "c=d"], accept: "*/*" },
    };
    expect(redactDeep(value).value).toEqual({
      headers: {
        Authorization: "[redacted:authorization]",
        cookie: ["[redacted:cookie]", "[redacted:cookie]"],
        accept: "*/*",
      },
    });
  });
  test("a value without secrets keeps its identity", () => {
    const value = { a: [1, "x", null, true], token: "", password: "${PASSWORD}" };
    expect(redactDeep(value)).toEqual({ value, count: 0 });
    expect(redactDeep(value).value).toBe(value);
  });
  test("secrets in keys go too, each time", () => {
    const secret = of("gh", "p_", take(36));
    for (const _ of ["first", "again"])
      expect(redactDeep({ [secret]: 1 })).toEqual({
        value: { "[redacted:github-token]": 1 },
        count: 1,
      });
  });
  test("a key block spread over the lines of a list", () => {
    const list = [
      "before",
      ...pem(take(64))
        .split("\n")
        .map((line) => `+${line}`),
      "after",
    ];
    const { value } = redactDeep({ lines: list });
    expect(JSON.stringify(value)).not.toContain(take(64));
    expect(value).toEqual({ lines: ["before", "+[redacted:private-key]", "after"] });
  });
  test("a key named like the prototype stays a key", () => {
    const value: unknown = JSON.parse('{"__proto__": {"password": "hunter22"}}');
    expect(JSON.stringify(redactDeep(value).value)).toBe(
      '{"__proto__":{"password":"[redacted:password]"}}',
    );
  });
});

test("a password under a short name of an object goes as it does in a text", () => {
  expect(redactDeep({ auth: { user: "ada", pass: "hunter22" }, pass: "through" })).toEqual({
    value: { auth: { user: "ada", pass: "[redacted:password]" }, pass: "through" },
    count: 1,
  });
});

test.each([
  ["conf/x.yml:12:- name: LAST_FM_KEY\nconf/x.yml:13:  value: ", "\n"],
  ["conf/x.yml-11-# plaid\nconf/x.yml:12:key: ", "\nconf/x.yml-13-port: 1"],
  ["$ grep -n key x\n12:# hubspot\n13:key: ", ""],
  ["as you said\n> # toggl\n> key: ", "\n> port: 1\nand so on"],
])(
  "of lines that grep found or that are quoted the secret goes and nothing else: %j",
  (before, after) => {
    const key = ["3c1f9a0be47d", "52860d9e7b41c3fa8e62"].join("");
    expect(redactText(before + key + after).text).toBe(`${before}[redacted:key]${after}`);
  },
);

describe("a hex dump", () => {
  const secret = ["3K5qg2ZlAVBO", "kbVtAutBGtY"].join("");
  const text = `user=ana\npassword=${secret}\nport=5432\n`;
  const pairs = (bytes: string): string[] =>
    [...bytes].map((sign) => sign.charCodeAt(0).toString(16).padStart(2, "0"));
  /** Sixteen bytes a line, as `write` has them. */
  const dumped = (write: (offset: string, bytes: string[], shown: string) => string): string =>
    Array.from({ length: Math.ceil(text.length / 16) }, (_, at) => {
      const part = text.slice(16 * at, 16 * at + 16);
      const offset = (16 * at).toString(16).padStart(8, "0");
      return write(offset, pairs(part), part.replaceAll("\n", "."));
    }).join("\n");
  const words = (bytes: string[], lowFirst = false): string =>
    Array.from({ length: Math.ceil(bytes.length / 2) }, (_, at) => {
      const word = bytes.slice(2 * at, 2 * at + 2);
      return (lowFirst ? word.reverse() : word).join("");
    }).join(" ");

  test.each([
    ["xxd", dumped((at, bytes, shown) => `${at}: ${words(bytes).padEnd(39)}  ${shown}`)],
    ["hexdump -C", dumped((at, bytes, shown) => `${at}  ${bytes.join(" ").padEnd(49)} |${shown}|`)],
    ["hexdump", dumped((at, bytes) => `${at.slice(1)} ${words(bytes, true)}`)],
    ["od -t x1", dumped((at, bytes) => `${at.slice(1)} ${bytes.join(" ")}`)],
  ])("of %s loses the lines that show a secret", (_, dump) => {
    const { text: kept } = redactText(dump);
    const [first = "", ...rest] = kept.split("\n");
    expect(first).toContain("00000");
    expect(kept).not.toContain(words(pairs(secret.slice(8, 14))));
    for (let at = 0; at + 4 <= secret.length; at++) {
      const piece = secret.slice(at, at + 4);
      expect(kept).not.toContain(piece);
      expect(kept).not.toContain(pairs(piece).join(" "));
    }
    expect(rest.at(-1)).toMatch(/0000030/);
    expect(redactText(kept)).toEqual({ text: kept, count: 0 });
  });

  test("without a secret is left alone", () => {
    const dump = "00000000: 7f45 4c46 0201 0100 0000 0000 0000 0000  .ELF............";
    expect(redactText(dump)).toEqual({ text: dump, count: 0 });
  });
});

test("a field's value comes back under a name that is scrubbed itself, and a token's does not", () => {
  expect(scrubDeep("val", "<private>k</private>")).toEqual({ value: "val", count: 0 });
  expect(scrubDeep("hunter2-abcd-efgh", "token").value).toBe("[redacted:token]");
});

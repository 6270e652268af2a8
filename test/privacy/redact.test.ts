// Secrets go, everything else stays. The fake secrets are put together here, so that no file holds one in one piece.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: placeholders in other people's files are what is tested
import { describe, expect, test } from "bun:test";
import { redactDeep, redactText } from "../../src/privacy/redact.ts";

const of = (...parts: string[]): string => parts.join("");
const alnum = "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8s9T0u1V2w3X4y5Z6a7B8c9D0e1F2";
const hex = "0123456789abcdef".repeat(8);
const take = (count: number): string => alnum.slice(0, count);
const jwt = of("eyJ", "hbGciOiJIUzI1NiJ9.", "eyJ", "zdWIiOiIxMjM0NTY3ODkwIn0.", take(43));
const pem = (body: string, end = "\n"): string =>
  [
    `${of("-----BEGIN RSA ", "PRIVATE KEY-----")}`,
    body,
    body,
    `${of("-----END RSA ", "PRIVATE KEY-----")}`,
  ].join(end);
const random = "q8Zr2LxV5tN0wK7bYd3Hs9Gf";

/** Text, what must be gone, and the kind that the mark names. */
const secrets: Array<[name: string, text: string, gone: string, kind: string]> = [
  ["aws key id", `id ${of("AK", "IA")}IOSFODNN7QWERTYU x`, "IOSFODNN7QWERTYU", "aws-key"],
  ["aws secret", `aws_secret_access_key = ${take(40)}`, take(40), "key"],
  ["github classic", `remote ${of("gh", "p_")}${take(36)} done`, take(36), "github-token"],
  ["github server", `${of("gh", "s_")}${take(36)}`, take(36), "github-token"],
  ["github fine-grained", of("github", "_pat_", take(40)), take(40), "github-token"],
  ["gitlab", of("gl", "pat-", take(20)), take(20), "gitlab-token"],
  ["slack bot", of("xo", "xb-123456789012-", take(24)), take(24), "slack-token"],
  [
    "slack webhook",
    of("https://hooks.", "slack.com/services/T0AB12CD3/B0AB12CD3/", take(24)),
    take(24),
    "slack-webhook",
  ],
  ["stripe", of("sk_", "live_", take(24)), take(24), "stripe-key"],
  ["stripe restricted", of("rk_", "test_", take(24)), take(24), "stripe-key"],
  ["google", of("AI", "za", take(35)), take(35), "google-key"],
  ["google oauth", of("ya", "29.", take(60)), take(60), "google-token"],
  ["openai", of("sk", "-", take(48)), take(48), "openai-key"],
  ["openai project", of("sk", "-proj-", take(48)), take(48), "openai-key"],
  ["anthropic", of("sk", "-ant-api03-", take(60)), take(60), "anthropic-key"],
  ["npm", of("np", "m_", take(36)), take(36), "npm-token"],
  ["pypi", of("py", "pi-", take(60)), take(60), "pypi-token"],
  ["sendgrid", of("S", "G.", take(22), ".", take(43)), take(43), "sendgrid-key"],
  ["twilio", of("S", "K", hex.slice(0, 32)), hex.slice(0, 32), "twilio-key"],
  ["telegram", of("123456789:", "AA", take(33)), take(33), "telegram-token"],
  ["hugging face", of("h", "f_", take(34)), take(34), "huggingface-token"],
  ["vault", of("hv", "s.", take(30)), take(30), "vault-token"],
  ["jwt", `cookie=${jwt}`, jwt, "jwt"],
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
  ["bearer header", `Authorization: Bearer ${random}`, random, "authorization"],
  ["bearer in curl", `curl -H "Authorization: Bearer ${random}" x`, random, "authorization"],
  ["bearer alone", `send Bearer ${random}.`, random, "authorization"],
  [
    "basic header",
    `authorization: Basic ${of("dXNlcjpw", "YXNzd29yZDE=")}`,
    "YXNzd29yZDE",
    "authorization",
  ],
  ["header in JSON", `{"Authorization":"token ${random}"}`, random, "authorization"],
  ["api key header", `-H 'x-api-key: ${random}'`, random, "key"],
  ["cookie", `Cookie: sid=${random}; theme=dark`, random, "cookie"],
  ["set-cookie in JSON", `{"set-cookie":["sid=${random}; Path=/"]}`, random, "cookie"],
  ["url with a password", "postgres://shop:hunter22@db.local:5432/shop", "hunter22", "password"],
  ["url with a token", `https://${random}@example.com/x.git`, random, "token"],
  ["curl -u", "curl -u admin:hunter22 https://x.y", "hunter22", "password"],
  ["env file", "DB_PASSWORD=hunter22", "hunter22", "password"],
  ["env file, plain word", "POSTGRES_PASSWORD=correcthorse", "correcthorse", "password"],
  ["export", `export GITLAB_TOKEN="${random}"`, random, "token"],
  ["json", '{"password": "hunter22", "user": "bob"}', "hunter22", "password"],
  [
    "json with blanks in it",
    '{"passphrase" : "correct horse battery staple"}',
    "horse",
    "password",
  ],
  [
    "json in json",
    JSON.stringify({ body: JSON.stringify({ password: "hunter22" }) }),
    "hunter22",
    "password",
  ],
  [
    "json in json in json",
    JSON.stringify(JSON.stringify(JSON.stringify({ apiKey: "hunter22" }))),
    "hunter22",
    "key",
  ],
  [
    "escaped line before the name",
    String.raw`{"env":"A=1\nPASSWORD=hunter22\nB=2"}`,
    "hunter22",
    "password",
  ],
  ["yaml", "database:\n  password: hunter22\n  host: x", "hunter22", "password"],
  ["yaml number", "password: 12345678", "12345678", "password"],
  ["yaml name and value", "- name: DB_PASSWORD\n  value: hunter22", "hunter22", "password"],
  ["toml", "client_secret = 'hunter22'", "hunter22", "secret"],
  ["typescript", 'const apiKey: string = "hunter22";', "hunter22", "key"],
  ["python", "settings['SECRET_KEY'] = 'hunter22'", "hunter22", "key"],
  ["rails", "secret_key_base: 9f8e7d6c5b4a", "9f8e7d6c5b4a", "key"],
  ["query string", "GET /cb?access_token=hunter22&state=1", "hunter22", "token"],
  ["option with =", "deploy --password=hunter22 now", "hunter22", "password"],
  ["option with a blank", "deploy --api-token hunter22 now", "hunter22", "token"],
  ["ado", "Server=db;User=sa;Password=hunter22;Encrypt=true", "hunter22", "password"],
  ["xml", "<password>hunter22</password>", "hunter22", "password"],
  ["html-escaped", "&quot;password&quot;:&quot;hunter22&quot;", "hunter22", "password"],
  ["random under a key", `STRIPE_KEY=${random}`, random, "key"],
  ["npmrc", `//registry.example/:_authToken=${random}`, random, "token"],
  ["go", 'cfg.ClientSecret := "hunter22"', "hunter22", "secret"],
  ["aws pair", `${of("AK", "IA")}IOSFODNN7QWERTYU,${take(40)}`, take(40), "aws-key"],
  ["prose", "the admin password is hunter22, keep it", "hunter22", "password"],
  ["prose with code marks", "the password is `hunter22`", "hunter22", "password"],
  ["markdown", "**Password:** hunter22", "hunter22", "password"],
  ["table", "| password | hunter22 |", "hunter22", "password"],
  ["call", 'client.setPassword("hunter22")', "hunter22", "password"],
  ["php", "'password' => 'hunter22'", "hunter22", "password"],
  ["hash of a password", "password: $2b$10$abcdefghijklmnopqrstuv", "abcdefghij", "password"],
  ["odd first character", 'password: "#hunter22"', "hunter22", "password"],
  ["sshpass", "sshpass -p hunter22 ssh ada@host", "hunter22", "password"],
  ["docker login", "docker login -u ada -p hunter22 registry.example", "hunter22", "password"],
  ["mysql", "mysqldump -uroot -phunter22 shop", "hunter22", "password"],
  ["openssl", "openssl rsa -in k.pem -passin pass:hunter22", "hunter22", "password"],
  ["sql user", "CREATE USER ada IDENTIFIED BY 'hunter22';", "hunter22", "password"],
  ["sql role", "ALTER ROLE ada WITH PASSWORD 'hunter22';", "hunter22", "password"],
  ["dockerfile", "FROM x\nENV DB_PASSWORD hunter22\n", "hunter22", "password"],
  ["setenv", "setenv API_TOKEN hunter22", "hunter22", "token"],
  ["fish", "set -gx API_TOKEN hunter22", "hunter22", "token"],
  ["rust", 'let token: &str = "hunter22";', "hunter22", "token"],
  ["rust, static", 'const PASSWORD: &\'static str = "hunter22";', "hunter22", "password"],
  ["c#", 'Password = @"hunter22"', "hunter22", "password"],
  [
    "in colours",
    "\u001b[1;32mpassword\u001b[0m: \u001b[33mhunter22\u001b[0m",
    "hunter22",
    "password",
  ],
  [
    "as grep shows it",
    `key = "\u001b[01;31m\u001b[K${of("gh", "p_")}${take(36)}\u001b[m\u001b[K"`,
    take(36),
    "github-token",
  ],
  ["netrc", "machine api.example login ada password hunter22", "hunter22", "password"],
  [
    "signed url",
    `https://s3.example/x?X-Amz-Signature=${hex.slice(0, 64)}&a=1`,
    hex.slice(0, 64),
    "signature",
  ],
  ["comparison", 'if (password === "hunter22") {', "hunter22", "password"],
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

  test("a token may begin behind a letter that no token has", () => {
    const token = `${of("gh", "p_")}${take(36)}`;
    for (const before of ["é", "{", "日", "~"])
      expect(redactText(`${before}${token}`).text).toBe(`${before}[redacted:github-token]`);
  });
});

const harmless = [
  "commit 3f786850e387550fdab836ed7e6dc881de23001b",
  "sha256:e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
  '"integrity": "sha512-z4PhNX7vuL3xVChQ1m2AB9Yg5AULVxXcg/SpIdNs6c5H0NE8XYXysP+DGNKHfuwvY7kxvUdBeoGlODJ6+SfaPg=="',
  "id 550e8400-e29b-41d4-a716-446655440000",
  "session_key_hash: d41d8cd98f00b204e9800998ecf8427e",
  "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ",
  "color: #ff8800; background: #0f0f0f",
  'import { tokenize } from "../parser/tokenizer.ts";',
  'import { Password } from "@acme/ui/password-field";',
  "max_tokens=4096",
  '"max_tokens": 8192, "tokenCount": 12345',
  '{"input_tokens": 100, "output_tokens": 2000, "token_type": "bearer"}',
  "token_limit: 100000",
  "tokenizer = AutoTokenizer.from_pretrained(name)",
  "nextPageToken: 12345abcdef",
  "The password must have at least 12 characters.",
  "I forgot my password: please send a new one",
  "password reset works again",
  'test("rejects a wrong password", () => {})',
  'describe("token refresh", () => {',
  "docker run --name db mysql -p3306:3306 mysql:8",
  "mysql -u root -p shop",
  "set -x\nset -e",
  "ENV MAX_TOKENS 4096",
  "ENV TOKEN $TOKEN",
  "\u001b[32m✓\u001b[0m rejects a wrong password",
  "fn check(password: &str) -> bool {",
  "function checkPassword(password: string): boolean {",
  "const password = await prompt('Your password');",
  "const token = getToken();",
  "token: string;",
  "apiKey?: string | undefined",
  "apiKey: process.env.ANTHROPIC_API_KEY",
  "api_key=os.environ['OPENAI_API_KEY']",
  "password=password",
  "self.token = token",
  "export TOKEN=$GITHUB_TOKEN",
  "password: ${{ secrets.DEPLOY_PASSWORD }}",
  "Authorization: Bearer <token>",
  "Authorization: Bearer ${token}",
  "headers.authorization = `Bearer ${key}`",
  'API_KEY="your-api-key-here"',
  "PASSWORD=xxxxxxxx",
  "secret: null",
  'password: "Password is required here"',
  '<input type="password" name="password" />',
  "<Field token={token} key={item.id} />",
  'key: "src/components/header/navigation-menu.tsx"',
  'cacheKey = "3f786850e387550fdab836ed7e6dc881de23001b"',
  'revision_key: "550e8400-e29b-41d4-a716-446655440000"',
  'cacheKey = "user-profile-settings-page-v2"',
  'key="ArrowDown"',
  "PWD=/home/bob/projects/shop",
  "https://example.com:8080/path/@scope/pkg",
  "git@github.com:acme/shop.git",
  "ssh://git@github.com:22/acme/shop.git",
  "docker run -u 1000:1000 image",
  "keyboard: 104 keys, monkey: 2",
  "toolu_01T477WUra1sDR6gHaqZHhKT",
  "public_key: ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI",
  "author: Jane Doe <jane@example.com>",
  "the --password flag is required",
  "sk-loading-spinner sk-circle sk-fading-circle-animation-wrapper",
  "SKIP ACCOUNT SKU-1234 ACTION",
  "cookies: true, cookie banner: dismissed",
  "private key file: ~/.ssh/id_ed25519",
  "grep -n 'BEGIN RSA' file",
  "if (token === null) return;",
  "expect(token).toBe(true)",
  "src/auth/token.ts:12: export const token = 1;",
  "secretName: my-registry",
  "The token is expired. The password is required.",
  "| password | required |",
  'it("checkPassword() rejects", () => {',
  'getToken("primary")',
  "hasToken(user)",
  "docker login -u ada registry.example",
  "https://example.com/?sig=no&page=2",
  "the secret is out, the token is v2",
  "docker run --rm image password",
];

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

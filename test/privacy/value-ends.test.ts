// Where a value without quotes ends, how far a key block goes, and where a token may begin: what is taken out, to the character.
import { describe, expect, test } from "bun:test";
import { findKubernetesSecrets } from "../../src/privacy/redact/listed.ts";
import { bareEnd, wholeEnd } from "../../src/privacy/redact/named-value.ts";
import { findPrivateKeys } from "../../src/privacy/redact/private-keys.ts";
import type { Found } from "../../src/privacy/redact/runs.ts";
import { findIn } from "../../src/privacy/redact.ts";

const b64 = "MIIEpAIBAAKCAQEAx1Zq9Wb3Vd7Yt5Rs2Qm8Kc4Jf6Hg0LpNzXvBaSdFgHjKlQw";
const left = (text: string, found: readonly Found[]) =>
  found
    .toSorted((a, b) => b.start - a.start)
    .reduce((rest, { start, end }) => `${rest.slice(0, start)}#${rest.slice(end)}`, text);

test.each([
  ["pa55w0rd rest", "pa55w0rd"],
  ["pa55w0rd", "pa55w0rd"],
  ["a&b=c", "a"],
  ["a&b", "a&b"],
  ["a&&b", "a"],
  ["a&amp;b", "a"],
  ["a& ", "a"],
  ["a;Port=5", "a"],
  ["a;b", "a;b"],
  ["a;", "a"],
  ["a,b=c", "a"],
  ['a,"b":1', "a"],
  ["a,b", "a,b"],
  ["a, b", "a"],
  ["a|b", "a|b"],
  ["a||b", "a"],
  ["a| b", "a"],
  ["a</td>", "a"],
  ["a<br>", "a"],
  ["a<b", "a<b"],
  ["a>", "a"],
  ["a>b", "a>b"],
  ['a" rest', "a"],
  ['a"b', 'a"b'],
  ["a'", "a"],
  ["a`;", "a"],
  ["$(cat x;)y", "$(cat"],
  ["$(cat)y", "$(cat)y"],
  ["f(a,b=c)z", "f(a,b=c)z"],
  ["a)", "a"],
  ["a).", "a"],
  ["a)b", "a)b"],
  ["a}}, b", "a"],
  ["(a]b", "(a]b"],
  ["a\\nrest", "a"],
  ['a\\"rest', "a"],
  ["a\\u0022rest", "a"],
  ["a\\drest", "a\\drest"],
  [";b", ";b"],
  ["\u00a0x", ""],
])("of %j the value is %j", (text, value) => {
  expect(text.slice(0, bareEnd(text, 0))).toBe(value);
  const before = "key=";
  expect(bareEnd(before + text, before.length)).toBe(before.length + value.length);
});

test("a very long value is looked at for 500 characters, and goes up to the next blank or quote", () => {
  const long = "x".repeat(700);
  expect(bareEnd(`${long} y`, 0)).toBe(500);
  expect(wholeEnd(`${long} y`, 500)).toBe(700);
  expect(wholeEnd(`${long}"y`, 500)).toBe(700);
});

describe("of a private key", () => {
  const begin = "-----BEGIN RSA PRIVATE KEY-----";
  const end = "-----END RSA PRIVATE KEY-----";
  /** Too long for the last line of a key. */
  const prose = `That is all there is to say of it; ${"and more words follow, ".repeat(4)}until the end`;
  test.each<[string, string, string]>([
    ["a whole block goes", `a\n${begin}\n${b64}\n${end}\nb`, "a\n#\nb"],
    [
      "two blocks go, what is between stays",
      `${begin}\n${b64}\n${end}\nand\n${begin}\n${b64}\n${end}`,
      "#\nand\n#",
    ],
    [
      "one torn at its end goes as far as it is one",
      `${begin}\n${b64}\n${b64}\n${prose}`,
      `#\n${prose}`,
    ],
    ["its last line may be short", `${begin}\n${b64}\nAb3=\n${prose}`, `#\n${prose}`],
    ["two short lines are not", `${begin}\n${b64}\nAb3=\nCd4=\nThat`, "#\nCd4=\nThat"],
    [
      "a head of the block is part of it",
      `${begin}\nProc-Type: 4,ENCRYPTED\n\n${b64}\n${prose}`,
      `#\n${prose}`,
    ],
    [
      "a first line of words is none",
      `${begin}\nwas found in\n${b64}`,
      `${begin}\nwas found in\n${b64}`,
    ],
    ["the marks alone are none", `${begin}\n${end}`, `${begin}\n${end}`],
    [
      "marks around prose are none",
      `${begin} is how it begins, and this is how it ends: ${end}`,
      `${begin} is how it begins, and this is how it ends: ${end}`,
    ],
    [
      "one torn at its beginning goes to its end mark",
      `Here:\n${b64}\nAb3=\n${end}\nb`,
      "Here:\n#\nb",
    ],
    ["a short line alone before an end mark is none", `Here:\nAb3=\n${end}`, `Here:\nAb3=\n${end}`],
    [
      "a torn one before a whole one goes as well",
      `${begin}\n${b64}\n${begin}\n${b64}\n${end}`,
      "#\n#",
    ],
    ["in one line of JSON", `"${begin}\\n${b64}\\n${end}\\n"`, '"#\\n"'],
    [
      "in an address",
      `k=-----BEGIN+PRIVATE+KEY-----%0A${b64}%0A-----END+PRIVATE+KEY-----&x`,
      "k=#&x",
    ],
    ["of PuTTY", `Private-Lines: 1\n${b64}\nPrivate-MAC: ${"0a".repeat(16)}\nx`, "#\nx"],
    ["of PuTTY without its end", `Private-Lines: 1\n${b64}\n${prose}`, `#\n${prose}`],
    [
      "a public one stays",
      `-----BEGIN PUBLIC KEY-----\n${b64}\n-----END PUBLIC KEY-----`,
      `-----BEGIN PUBLIC KEY-----\n${b64}\n-----END PUBLIC KEY-----`,
    ],
  ])("%s", (_, text, rest) => {
    expect(left(text, findPrivateKeys(text))).toBe(rest);
  });
});

test.each<[string, string, string]>([
  [
    "each value of both lists",
    "kind: Secret\ndata:\n  a: c2VjcmV0\n  b: 'dG9rZW4='\nstringData:\n  c: plain\n",
    "kind: Secret\ndata:\n  a: #\n  b: '#'\nstringData:\n  c: #\n",
  ],
  [
    "up to what is no entry",
    "kind: Secret\ndata:\n  a: c2VjcmV0\ntype: Opaque\n",
    "kind: Secret\ndata:\n  a: #\ntype: Opaque\n",
  ],
  [
    "behind the numbers of lines",
    "1\tkind: Secret\n2\tdata:\n3\t  a: c2VjcmV0\n",
    "1\tkind: Secret\n2\tdata:\n3\t  a: #\n",
  ],
  ["in a patch", "+kind: Secret\n+data:\n+  a: c2VjcmV0\n", "+kind: Secret\n+data:\n+  a: #\n"],
  [
    "in quotation marks too",
    'kind: "Secret"\ndata:\n  "a": "c2VjcmV0"\n',
    'kind: "Secret"\ndata:\n  "a": "#"\n',
  ],
  [
    "not what was taken out before",
    "kind: Secret\ndata:\n  a: [redacted:secret]\n",
    "kind: Secret\ndata:\n  a: [redacted:secret]\n",
  ],
  [
    "not of a template",
    "kind: Secret\ndata:\n  a: {{ .Values.a }}\n",
    "kind: Secret\ndata:\n  a: {{ .Values.a }}\n",
  ],
  [
    "not of another kind",
    "kind: Config\ndata:\n  a: c2VjcmV0\n",
    "kind: Config\ndata:\n  a: c2VjcmV0\n",
  ],
])("of a Kubernetes Secret goes %s", (_, text, rest) => {
  expect(left(text, findKubernetesSecrets(text))).toBe(rest);
});

describe("a token", () => {
  const token = `ghp_${"a1B2c3D4e5".repeat(4).slice(0, 36)}`;
  test.each([
    [token, "#"],
    [`x ${token} y`, "x # y"],
    [`"${token}"`, '"#"'],
    [`x${token}`, `x${token}`],
    [`0${token}`, `0${token}`],
    [`_${token}`, `_${token}`],
    [`Z${token}`, `Z${token}`],
    [`x-${token}`, `x-${token}`],
    [`-${token}`, "-#"],
    [`a\n-${token}`, "a\n-#"],
    [`a\\n${token}`, "a\\n#"],
    [`a\\t${token}`, "a\\t#"],
    [`a\\u0022${token}`, "a\\u0022#"],
    [`a\\x22${token}`, "a\\x22#"],
    [`a%20${token}`, "a%20#"],
    [`a20${token}`, `a20${token}`],
    [`${token} ${token}`, "# #"],
    [`é${token}`, "é#"],
  ])("in %j leaves %j", (text, rest) => {
    expect(left(text, findIn(text).exact)).toBe(rest);
  });

  test("tells its kind and rule", () => {
    expect(findIn(token).exact).toEqual([
      { start: 0, end: 40, kind: expect.any(String), rule: expect.stringMatching(/github/) },
    ]);
  });
});

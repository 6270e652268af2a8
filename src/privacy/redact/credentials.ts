// Secrets that their place gives away: private key blocks, authorization headers, cookies, passwords in URLs.
import { kindOf } from "./assignments.ts";
import { isSecretName } from "./names.ts";
import type { Found } from "./tokens.ts";
import { isRandom, isSecretBare, isSecretLiteral } from "./values.ts";

/** Every secret that stands where only secrets stand. */
export function findCredentials(text: string): Found[] {
  const found: Found[] = [];
  for (const find of finders) {
    const own = find(text);
    if (own.length > 0) found.push(...own);
  }
  return found;
}

const finders = [
  privateKeys,
  headers,
  cookies,
  urlPasswords,
  basicPairs,
  telegramTokens,
  typedPasswords,
  declaredValues,
  signedUrls,
];

const keyBegin = /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
const keyEnd = /-----END (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----/g;
/** A line of a key block, as printed, quoted, numbered or in a patch; lines end as such or as JSON escapes. */
const keyLine =
  /(?:[\s\uf8ff"',+]|\\+[nrt]|-(?=[ A-Za-z0-9+/])| \d+[→|:])*(?:(?:Proc-Type|DEK-Info|Version|Comment|Hash): ?[^\n\\]{0,80}|[A-Za-z0-9+/=]{8,})(?=["'\s,\\]|$)/y;

/** Key blocks from their first line to their last; a torn block as far as its lines look like a key. */
function privateKeys(text: string): Found[] {
  if (!text.includes("PRIVATE KEY")) return [];
  const found: Found[] = [];
  let from = 0;
  for (const begin of text.matchAll(keyBegin)) {
    if (begin.index < from) continue;
    let end = begin.index + begin[0].length;
    const body = end;
    keyLine.lastIndex = end;
    while (keyLine.test(text)) end = keyLine.lastIndex;
    if (end === body) continue;
    keyEnd.lastIndex = end;
    const last = keyEnd.exec(text.slice(0, end + 200));
    if (last) end = last.index + last[0].length;
    found.push({ start: begin.index, end, kind: "private-key" });
    from = end;
  }
  return [...found, ...keyTails(text, found)];
}

const lineBreak = /\r?\n|\\+[nr]/g;
const tailLine = /^(?:[\s\uf8ff"',+→|:-]|\d(?=[\d→|:]))*[A-Za-z0-9+/=]{8,}["',\s]*$/;
/** No key block is longer. */
const longestKey = 8_000;

/** The rest of key blocks that lost their beginning: lines that look like a key, up to an end. */
function keyTails(text: string, blocks: readonly Found[]): Found[] {
  const found: Found[] = [];
  const ends = new Set(blocks.map(({ end }) => end));
  let from = 0;
  for (const last of text.matchAll(keyEnd)) {
    const end = last.index + last[0].length;
    if (!ends.has(end)) {
      const base = Math.max(from, last.index - longestKey);
      const start = tailStart(text.slice(base, last.index));
      if (start !== undefined) found.push({ start: base + start, end, kind: "private-key" });
    }
    from = end;
  }
  return found;
}

/** Where the run of key lines begins that ends a text. */
function tailStart(text: string): number | undefined {
  const breaks = [...text.matchAll(lineBreak)].map(({ index, 0: { length } }) => ({
    index,
    length,
  }));
  let start: number | undefined;
  // The end mark may have a line prefix of its own, so the last line is looked over.
  for (let i = breaks.length - 1; i >= 0; i--) {
    const before = breaks[i - 1];
    const lineStart = before ? before.index + before.length : 0;
    if (!tailLine.test(text.slice(lineStart, breaks[i]?.index))) break;
    start = lineStart;
  }
  return start;
}

const authorization =
  /authorization["'\\]{0,6}[ \t]{0,4}[:=,][ \t]{0,4}["'`\\]{0,6}(?:(?:basic|bearer|token|digest|apikey|negotiate|aws4-hmac-sha256)[ \t]+)?([^\s"'`\\,;)}<>]{6,4000})/gi;
const bearer = /\b(?:bearer|basic)[ \t]+([\w.~+/=-]{16,4000})/gi;
const keyHeader =
  /\bx-(?:api-key|auth-token|access-token|goog-api-key|amz-security-token)["'\\]{0,6}[ \t]{0,4}:[ \t]{0,4}["'\\]{0,6}([^\s"'`\\,;)}<>]{6,4000})/gi;

function headers(text: string): Found[] {
  const found: Found[] = [];
  if (/authorization/i.test(text)) {
    for (const hit of text.matchAll(authorization)) {
      const value = hit[1] ?? "";
      if (isReal(value)) found.push(endOf(hit, value, "authorization"));
    }
  }
  if (/bearer|basic/i.test(text)) {
    for (const hit of text.matchAll(bearer)) {
      const value = hit[1] ?? "";
      if (/\d/.test(value) && isReal(value) && (isRandom(value) || /=$/.test(value))) {
        found.push(endOf(hit, value, "authorization"));
      }
    }
  }
  for (const hit of text.matchAll(keyHeader)) {
    const value = hit[1] ?? "";
    if (isReal(value)) found.push(endOf(hit, value, "key"));
  }
  return found;
}

/** A value, and no reference to one (`process.env.TOKEN`, `token`, `${token}`). */
function isReal(value: string): boolean {
  return (
    isSecretLiteral(value, "") &&
    /\d|[+/=~]/.test(value) &&
    !/[$({[]|^[a-z]+(?:\.[a-zA-Z_]+)+$/.test(value)
  );
}

const cookie =
  /\b(?:set-)?cookie["'\\]{0,6}[ \t]{0,4}:[ \t]{0,4}\[?["'\\]{0,6}([\w.-]{1,80}=[^\r\n"'\\]{4,8000})/gi;

function cookies(text: string): Found[] {
  if (!/cookie/i.test(text)) return [];
  const found: Found[] = [];
  for (const hit of text.matchAll(cookie)) found.push(endOf(hit, hit[1] ?? "", "cookie"));
  return found;
}

const urlPair = /:\/\/([^\s:@[/"'`<>\\]{0,100}):([^\s@/"'`<>\\]{1,400})@/g;
const urlToken = /:\/\/([\w.~-]{20,400})@/g;

/** `scheme://user:password@host` loses its password, `scheme://token@host` its token. */
function urlPasswords(text: string): Found[] {
  if (!text.includes("://")) return [];
  const found: Found[] = [];
  for (const hit of text.matchAll(urlPair)) {
    const value = hit[2] ?? "";
    if (/^(?:\[redacted:|<|\$|\{|%[({]|\*+$|x{3,}$)|^(?:password|pass|pw|pwd)$/i.test(value))
      continue;
    const end = hit.index + hit[0].length - 1;
    found.push({ start: end - value.length, end, kind: "password" });
  }
  for (const hit of text.matchAll(urlToken)) {
    const value = hit[1] ?? "";
    const end = hit.index + hit[0].length - 1;
    if (isRandom(value)) found.push({ start: end - value.length, end, kind: "token" });
  }
  return found;
}

const basicPair =
  /\s(?:-u|--user|--proxy-user)[ =]["'\\]{0,4}([\w.@+-]{1,80}):([^\s"'`\\]{3,200})/g;

/** `curl -u name:password`. */
function basicPairs(text: string): Found[] {
  if (!text.includes("-u")) return [];
  const found: Found[] = [];
  for (const hit of text.matchAll(basicPair)) {
    const value = hit[2] ?? "";
    // `docker run -u 1000:1000` and `-u user:group` name no password.
    if (/^(?:\$|\d+$|root$|node$|staff$|users?$|nobody$|\[redacted:|<)/.test(value)) continue;
    found.push(endOf(hit, value, "password"));
  }
  return found;
}

const telegram = /\b\d{8,10}:AA[\w-]{33}(?![\w-])/g;

function telegramTokens(text: string): Found[] {
  if (!text.includes(":AA")) return [];
  return [...text.matchAll(telegram)].map((hit) => endOf(hit, hit[0], "telegram-token"));
}

const typed =
  /\b(?:sshpass[ \t]{1,4}-p|docker[ \t]{1,4}login[^\n|;&]{0,120}?[ \t]-p|machine[ \t]+\S{1,100}\s+login\s+\S{1,100}\s+password|IDENTIFIED[ \t]+BY|identified[ \t]+by|PASSWORD(?=[ \t]+')|pass(?:in|out)?[ \t]+pass:|\bmysql[a-z]{0,10}\b[^\n|;&]{0,120}?[ \t]-p(?=[^\s-]))[ \t=]{0,4}["']?([^\s"']{3,200})/g;

/** One of them stands in everything that `typed` finds. Looked for one by one: that is quicker than an expression for all. */
const typedWords = [
  "sshpass",
  "docker",
  "machine",
  "IDENTIFIED",
  "identified",
  "PASSWORD",
  "-pass",
  "mysql",
];

/** Passwords on command lines that take them without a telling name, in SQL and in a netrc file. */
function typedPasswords(text: string): Found[] {
  if (!typedWords.some((word) => text.includes(word))) return [];
  return [...text.matchAll(typed)].flatMap((hit) => {
    const value = hit[1] ?? "";
    // `docker run mysql -p3306:3306` names ports.
    return isSecretLiteral(value, "") && !/^[\d.:]+$/.test(value)
      ? [endOf(hit, value, "password")]
      : [];
  });
}

const declared =
  /(?:^|[\n;&|]|\\n)[ \t]{0,16}(?:ENV|ARG|setenv|set[ \t]+-[gUx]{1,3})[ \t]+([A-Za-z_]\w{2,60})[ \t]+["']?([^\s"'=]{3,200})/g;

/** `ENV DB_PASSWORD …` in a Dockerfile, `setenv` and `set -x` in shells. */
function declaredValues(text: string): Found[] {
  if (!/ENV|ARG|setenv|set /.test(text)) return [];
  return [...text.matchAll(declared)].flatMap((hit) => {
    const [, name = "", value = ""] = hit;
    const secret = isSecretName(name) && isSecretBare(value, name, true);
    return secret ? [endOf(hit, value, kindOf(name))] : [];
  });
}

const signed =
  /[?&](?:sig|signature|x-(?:amz|goog)-(?:signature|security-token))=([\w%+/=.-]{16,4000})/gi;

/** The signature that makes a link work for everybody. */
function signedUrls(text: string): Found[] {
  if (!text.includes("?")) return [];
  return [...text.matchAll(signed)].map((hit) => endOf(hit, hit[1] ?? "", "signature"));
}

/** The place of a value that ends a match. */
function endOf(hit: RegExpExecArray, value: string, kind: string): Found {
  const end = hit.index + hit[0].length;
  return { start: end - value.length, end, kind };
}

// Places in calls and statements of programs where a secret stands beside a name, and not under one.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: examples in other languages
import { isChosen, isPlaceholder, isUnguessable } from "../values.ts";
import { isTyped, type PlaceRule } from "./place.ts";

/** The rules. */
export const callRules: readonly PlaceRule[] = [
  {
    id: "login-pair",
    finds: "a name and a password with a sign between, said to be a login",
    kind: "password",
    words: ["cred", "login", "log in", "user/pass", "username/password", "user.info"],
    pattern:
      /\b(?:creds?|credentials?|log[ -]?ins?|user(?:name)?\/pass(?:word)?|auth\.user\.info)(?:[ \t]\w{2,12}){0,3}["']?[ \t]{0,3}(?:[:=–-]|\bis\b|\bare\b|\bwith\b|\bas\b)[ \t]{0,3}["'`*]{0,3}[\w.@+-]{2,60}["'`*]{0,3}(?::|[ \t]{0,2}\/[ \t]{0,2}|[ ]with[ ])["'`*]{0,3}([^\s"'`,;*][^\s"'`,;]{4,198}[^\s"'`,;*])/gi,
    accepts: (value) => isChosen(value) || isUnguessable(value),
    gone: [
      "default credentials are admin:«{a12}»",
      "creds - ada / «{a12}»",
      "Log in with **ada** / **«{a12}»**",
      "you can log in as ada with «{a12}»",
      "basic.auth.user.info=ada:«{a14}»",
    ],
    stay: ["login: src/auth/login2.ts:120", "credentials: user/password", "login - a/b"],
  },
  {
    id: "value-before-name",
    finds: "a secret that a call takes before the name under which it keeps it",
    kind: "secret",
    words: ["forKey:", ' key: "', ' key: \\"', "as the pass", "as password", "as your pass"],
    pattern:
      /\b[Uu]se[ ]["'`]?([^\s"'`]{6,80})(?=["'`]? as (?:(?:the|your|a|my) )?(?:\w{2,12} )?pass(?:word|phrase))|\([ \t]{0,2}\\{0,4}["']([^"'\n\\]{6,200})(?=\\{0,4}["'],[ \t]{0,4}(?:forKey|key|account)[:=][ \t]{0,4}\\{0,4}["']?[\w.]{0,40}(?:passw|secret|token|apikey|api_key|credential))/gi,
    accepts: (value) => isChosen(value, true) || isUnguessable(value, true),
    gone: [
      "use «{x6}.{x6}{d2}*» as the password",
      'keychain.set("«{a12}»", key: "password")',
      'set("«{a24}»", forKey: "api_token")',
    ],
    stay: ['set("value2", key: "name")', 't("form.labels", key: "password")'],
  },
  {
    id: "encoded-login",
    finds: "a name and a password that a program is about to encode",
    kind: "password",
    words: ["btoa(", "b64encode(", "b64(", "Buffer.from(", "base64_encode(", "strict_encode64("],
    pattern:
      /(?:btoa|b64encode|b64|Buffer\.from|base64_encode|strict_encode64)\(b?\\{0,4}["'`][\w.@+-]{1,80}:([^"'`\s\\]{4,200})(?=\\{0,4}["'`])/g,
    accepts: isTyped,
    gone: ["'Basic ' + btoa('ada:«{a12}»')", "base64.b64encode(b'ada:«{a12}»')"],
    stay: ["btoa('user:password')", "Buffer.from(`x:${secret}`)"],
  },
  {
    id: "driver-address",
    finds: "the password of a database's address without a scheme",
    kind: "password",
    words: ["@tcp(", "@unix(", "@protocol("],
    pattern: /(?:^|["'`=\s+→\uf8ff])[\w.-]{1,60}:([^\s"'`:@]{3,200})(?=@(?:tcp|unix|protocol)\()/g,
    accepts: (value) => !isPlaceholder(value) && !/^[$%{]/.test(value),
    gone: [
      'sql.Open("mysql", "ada:«{a12}»@tcp(db:3306)/shop")',
      "ada:«{a12}»@tcp(db:3306)/shop?parseTime=true",
    ],
    stay: ['"ada:%s@tcp(db:3306)/shop"', "user@tcp(db)"],
  },
  {
    id: "key-of-jwk",
    finds: "the private part of a key in JSON",
    kind: "private-key",
    words: ["kty"],
    pattern:
      /kty\\{0,4}"[^{}]{0,3000}?"(?:d|k)\\{0,4}"[ \t\n]{0,8}:[ \t\n]{0,8}\\{0,4}"([\w-]{20,1000})/g,
    gone: ['{"kty":"EC","crv":"P-256","x":"{w43}","y":"{w43}","d":"«{w43}»"}'],
    stay: ['{"kty":"EC","crv":"P-256","x":"{w43}","y":"{w43}"}'],
  },
  {
    id: "seed-phrase",
    finds: "the words from which a wallet's keys are made",
    kind: "private-key",
    words: ["mnemonic", "phrase"],
    pattern:
      /\b(?:mnemonic|(?:seed|recovery|secret|backup|wallet)[ _-]?phrase)[\w ]{0,20}["'\\]{0,3}[ \t]{0,4}(?:[:=]|is)[\s"'\\[]{0,6}((?:[a-z]{3,8}[ ,"']{1,3}){11,23}[a-z]{3,8})(?![a-z])/gi,
    gone: [
      "SEED_PHRASE=«abandon ability able about above absent absorb abstract absurd abuse access acid»",
    ],
    stay: ["the seed phrase: twelve words", "mnemonic is a word for what helps to remember"],
  },
];

// Which values are real secrets, and which only stand where one would: placeholders, references, code, prose.
import { rowsOf } from "../../text/tables.ts";
import placeholderTable from "../rules/placeholders.txt" with { type: "text" };
import { fragment, withFragments } from "./tables.ts";

/** Behind each letter those that seldom follow it, in English and in the names of code. */
const seldom =
  "a:ehjoqz b:dfghkmnqvwxz c:bfgjnqvwxz d:ghjkmpqvwxyz e:jz f:bcghjkmnpqvwxz g:bcdfjkpqvwxyz h:bcdfghjkmnpqvwxyz i:hijkquwy j:bcdfghijklmnpqrtvwxyz k:bcdfghjkmnopqrtuvwxyz l:bghjkmqrwxz m:cfghjknqrvwxyz n:bhjqwxz o:hjqyz p:bfgjkmnqvwxz q:abcdefghijklmnopqrstvwxyz r:hjqwxz s:bgjqvxz t:bgjkqvxz u:hjkquvwxyz v:bcdfghjklmnpqrstuvwxyz w:bcdfgjklmpqtuvwxyz x:abdfghjklnoqruvwxyz y:abcdfghjkqruvwxyz z:bcdfghjklmnopqrstuvwxyz";

const pairs = new Set(
  seldom.split(" ").flatMap((row) => [...row.slice(2)].map((letter) => row.charAt(0) + letter)),
);

/** Where a word begins in a name of camel case: no pair spans it. */
const hump = /(?<=[a-z]|[A-Z])(?=[A-Z][a-z]{2})/g;
/** No value is looked at farther. */
const sample = 64;

/** True when a quarter of all neighbours among the letters, and three at least, are seldom ones. */
export function isUnlikeWords(value: string): boolean {
  let all = 0;
  let odd = 0;
  const runs = value
    .slice(0, sample)
    .replace(hump, " ")
    .toLowerCase()
    .split(/[^a-z]+/);
  for (const run of runs)
    for (let at = 1; at < run.length; at++) {
      all++;
      if (pairs.has(run.slice(at - 1, at + 1))) odd++;
    }
  return odd >= 3 && odd * 4 >= all;
}

// What people write where a secret would stand.
const [[, ...forms] = [], [, ...lines] = []] = rowsOf(placeholderTable);

/** The forms, each an expression of the whole value, and the words that stand there alone. */
export const placeholderForms: readonly string[] = forms;
export const placeholderWords: readonly string[] = lines.join(" ").split(" ");

/** An expression for a whole value in one of these forms, in any case; a sign of the sentence may follow. */
export const inForms = (some: readonly string[]): RegExp =>
  new RegExp(`^(?:${some.join("|")})[.,;]?$`, "i");

/** Matches a value that is a placeholder by its form. */
export const placeholder = inForms([...placeholderForms, ...placeholderWords]);

/** Words that say of a value made of words that it stands for a secret and is none: `test-key`, `my_dev_token`. */
const madeUp =
  /(?:^|[-_ .])(?:test|testing|tests|dev|development|fake|dummy|mock|mocked|sample|example|demo|local|placeholder|my|your|some|foo|bar|only|invalid|wrong|expired)(?:$|[-_ .])/i;
/** A name in place of a value: `BASE32SECRET`, `MY_API_KEY`. */
const nameOfSecret =
  /^[A-Z\d_-]{0,40}(?:SECRET|PASSWORD|TOKEN|API_?KEY)(?:_?(?:HERE|VALUE|KEY|STRING|\d))?$/;
/** What people write in place of a token, or of the rest of one. */
export const crosses = /x{12}|X{12}|\*{8}/;
/** A set or a number of times in an expression. */
const anyOf = /\[\^[^\]\s]{1,12}\]|\{\d{1,3},\d{0,3}\}$/;
const words = /^[A-Za-z]{1,20}(?:[-_ .](?:[A-Za-z]{1,20}|\d{1,3})){1,24}$/;
/** Where the parts of a program come from, so that what hangs at it is a reference: `process.env.X`, `self.token2`. */
const root = fragment("root");
/** A reference or call in some language: `process.env.X`, `os.environ["X"]`, `getToken()`, `self.password`, `config?.key`. */
const expression = fragment("expression");
const chain = new RegExp(withFragments(String.raw`^{part}(?:\??\.{part}){1,8}`));
const part = new RegExp(withFragments("^{part}$"));
/** What no value looks like that somebody chose. */
const surelyCode = fragment("code");
/** Where a secret is kept, and not the secret: `op://vault/item`, `arn:aws:secretsmanager:…`, `projects/x/secrets/y`. */
const vault =
  /^(?:op|vault|ssm|bws|akeyless|doppler|keyring|awssm|gcpsm|ref\+\w+|azurekeyvault|file):\/\/|^(?:arn:aws|urn):|^(?:vault|ssm|secretsmanager|sm|gcp|keyvault|env|file):[\w.@/-]+\/[\w./#@-]+$|^projects\/[\w-]+\/secrets\/|^@Microsoft\.KeyVault\(/;
const identifier = /^[A-Za-z_$][\w$-]*$/;
const mixed = /\d|[^\w\s]/;
/** Two to six runs with blanks between, of which half at least have letters and digits: no words of a sentence. */
export function isInRuns(value: string): boolean {
  const runs = value.split(" ");
  if (runs.length < 2 || runs.length > 6 || runs.some((run) => !/^[!-~]{3,30}$/.test(run)))
    return false;
  return runs.filter((run) => /[A-Za-z]\d|\d[A-Za-z]/.test(run)).length * 2 >= runs.length;
}
const sentence = /^[A-Z][^\n]*\s[^\n]*\s/;

/** True for what stands where a secret would: `<token>`, `$TOKEN`, `xxxx`, `your-key`, `test-key`. */
export function isPlaceholder(value: string): boolean {
  const trimmed = value.trim();
  if (trimmed.length < 3 || trimmed.includes("[redacted:")) return true;
  // Maven keeps what it encrypted in braces.
  if (placeholder.test(trimmed)) return !/^\{[A-Za-z0-9+/]{40,}={0,2}\}$/.test(trimmed);
  // The rest of a link of Markdown: `[Password prompt](https://…)`.
  if (trimmed.includes("](http")) return true;
  if (anyOf.test(trimmed) || crosses.test(trimmed)) return true;
  if (nameOfSecret.test(trimmed) && !isScattered(trimmed)) return true;
  return words.test(trimmed) && madeUp.test(trimmed);
}

/** What follows the end of a literal: `"token=" + token`, `'password='.$password`. */
const joinedText = /^(?:["']?\s[+.&]\s|\.\$|\+[A-Za-z_$][\w$.]{0,20}[);,+])/;
/** Where a secret is kept in a file of its own. */
const pathOfFile =
  /^(?:\/|~\/|\.{1,2}\/|[A-Za-z]:\\)[\w .@\\/-]{1,200}\.(?:json|pem|key|p8|p12|pfx|crt|txt|jks|keystore|ya?ml)$/;
/** What a manual of Python says of a parameter: `:py:data:`. */
const role = /^:(?:[a-z]{2,4}:)?[a-z]{3,10}:(?:$|`)/;
const tellsOfSecret = /pass|pwd|secret|token|key|auth|cred|connection/;
const lettersOf = (text: string): string => text.toLowerCase().replace(/[^a-z]/g, "");

/** True for the name of a secret that stands where its value would: `REFRESH_TOKEN = "refresh_token"`, `key: "_PrivateKey"`. */
export function isNameOf(value: string, name: string): boolean {
  const own = lettersOf(value);
  const named = lettersOf(name);
  // Of other letters than ASCII none is compared.
  if (own === named) return own !== "" || !/\p{L}/u.test(value);
  if (
    named !== "" &&
    value.includes(".") &&
    lettersOf(value.slice(value.lastIndexOf("."))) === named
  )
    return /^[A-Za-z_][\w.]*$/.test(value);
  if (!/^[A-Za-z_][A-Za-z_.-]*\d{0,2}$/.test(value) || !tellsOfSecret.test(own)) return false;
  if (own.length > 5 && (named.endsWith(own) || named.startsWith(own))) return true;
  return named.length > 7 && own.endsWith(named) && /^_?[A-Z][A-Za-z]*[a-z][A-Z]/.test(value);
}

/** Blanks or words as an expression counts them: `\\s*[:=]`. */
const blanksOfExpression = /\\{1,8}[sSwWd][*+{]/;

/** True when a quoted value is worth redacting under a secret's name. */
export function isSecretLiteral(value: string, name: string): boolean {
  const trimmed = value.trim();
  if (isPlaceholder(trimmed) || blanksOfExpression.test(trimmed)) return false;
  if (isNameOf(trimmed, name) || joinedText.test(value) || role.test(trimmed)) return false;
  if (/\$\{|\{\{|%s(?![A-Za-z0-9])|%\(/.test(trimmed) && !isRandom(trimmed)) return false;
  if (sentence.test(trimmed) && !isInRuns(trimmed)) return false;
  if (vault.test(trimmed) || pathOfFile.test(trimmed)) return false;
  return !/^(?:password|token|secret|passwd|credentials?|api[ _-]?key|bearer|basic)$/i.test(
    trimmed,
  );
}

/** How an unquoted value stands. */
export interface BareForm {
  /** `NAME=value`: even a plain word is a value. */
  tight: boolean;
  /** A variable of an environment, where no code can stand. */
  variable: boolean;
  /** The name begins its line, as in a file of settings. */
  line?: () => boolean;
}

/** True when an unquoted value is worth redacting. */
export function isSecretBare(value: string, name: string, form: BareForm): boolean {
  const { tight, variable, line } = form;
  if (!isSecretLiteral(value, name)) return false;
  if (isCode(value, variable, tight) && !(isNoCall(value) && (variable || line?.()))) return false;
  if (/^(?:\/|~\/|\.\.?\/|[a-z][a-z+.-]*:\/\/)/i.test(value) && !isBase64(value)) return false;
  if (
    identifier.test(value) &&
    /pass|pwd|token|secret|key|cred/i.test(value) &&
    !/\d{2}/.test(value) &&
    !isScattered(value)
  )
    return false;
  // A colour or step of a design: `token: brand/500`.
  if (/^[a-z-]+(?:\/(?:[a-z-]+|\d{1,4}))+$/.test(value) && !/pass|pwd/i.test(name)) return false;
  if (tight) return true;
  // A word of a sentence: `password: User's password`.
  if (/^[A-Z]?[a-z]+(?:'s|[.,:!?])$/.test(value)) return false;
  // A constant, a value of the same name elsewhere.
  if (/^[A-Z]+\d{0,3}(?:_[A-Z]+\d{0,3})+$/.test(value)) return false;
  // A name in camel case with a number, which nobody takes for a key.
  if (/^[a-z]+(?:[A-Z][a-z]+){2,}\d$/.test(value) && !/pass|pwd/i.test(name)) return false;
  if (/^\d+(?:\.\d+)?(?:[a-z]{1,2})?$/i.test(value))
    return value.length > 3 && (/pass|pwd/i.test(name) || value.length >= 20);
  return (value.length >= 6 && mixed.test(value)) || isJumbled(value);
}

/** True for a run of base 64 that begins with a stroke as a path does. */
const isBase64 = (value: string): boolean =>
  /^\/[A-Za-z0-9+/]{30,90}={0,2}$/.test(value) && isScattered(value.replace(/[^A-Za-z0-9]/g, ""));

/** True for letters in no order that words or names in camel case have. */
function isJumbled(value: string): boolean {
  const letters = value.replace(/[^A-Za-z]/g, "");
  if (letters.length < 9) return false;
  if (isUnlikeWords(value)) return true;
  const runs = letters.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g)?.length ?? 0;
  return letters.length >= 12 && runs >= 5 && letters.length / runs < 2.4;
}

/** True for a reference or a call, as far as a value tells; a name with a dot and digits inside is no code. */
function isCode(written: string, variable: boolean, tight = variable): boolean {
  // Names in other languages are names of code too.
  const value = written.replace(/[\u00aa-\uffff]/g, "x");
  if (!variable && surelyCode.test(value)) return true;
  if (/^[[{(]/.test(value))
    return !variable || /^[[{(]+(?:["'\\]|$)/.test(value) || !isUnclosed(value, variable, tight);
  if (!expression.test(value) || isUnclosed(value, variable, tight)) return false;
  const reached = chain.exec(value)?.[0];
  // A word alone, a call, an index, an arrow: as it says.
  if (reached !== value) return reached !== undefined || !part.test(value);
  return root.test(value) || (!/\d/.test(value) && !variable);
}

/** True for the look of a call or of a path of names, made of what no name of code is: `newyOC3(pvi8D)`, `Narudu::kn13fq`. */
const isNoCall = (value: string): boolean =>
  (/^\w+\(\w*\)?$/.test(value) && isScattered(value.replace(/\W/g, ""))) ||
  /^\w+(?:::|->)[a-z]*\d+[a-z]+\d*$/.test(value);

/** What closes each kind of bracket. */
export const closers: Readonly<Record<string, string>> = { "(": ")", "[": "]", "{": "}" };

/** What would close the brackets that are open at the end; undefined where one closes that none opened. */
function stillOpen(value: string): string | undefined {
  let open = "";
  for (const sign of value)
    if (sign in closers) open += closers[sign];
    else if (")]}".includes(sign)) {
      if (!open.endsWith(sign)) return undefined;
      open = open.slice(0, -1);
    }
  return open;
}

/** True where brackets are signs of somebody's choice among letters and digits, as no call or index has them. */
function isUnclosed(value: string, variable: boolean, tight: boolean): boolean {
  const open = stillOpen(value);
  // Letters alone have to be in no order of words, and many where code would have such brackets too.
  if (!/\d/.test(value))
    return (open !== "" || /(?:[^A-Za-z]*[A-Za-z]){12}/.test(value)) && isJumbled(value);
  if (open === undefined) return true;
  const isMixed = (): boolean => isScattered(value.replace(/[^A-Za-z0-9]/g, ""));
  if (open === "") {
    if (!tight || !value.includes("<") || value.includes(">")) return false;
    return /^[A-Za-z\d]+<\d{2,5}$/.test(value) || isMixed();
  }
  if (/^[^()]*\d[^()]*\([A-Za-z0-9]*\d[A-Za-z0-9]*$/.test(value)) return true;
  if (tight && /^[A-Za-z]+[[(]\d{2,5}$|\d{2}\[$/.test(value)) return true;
  if (variable && /\d{2}\($/.test(value)) return true;
  return isMixed();
}

/** A constant that is handed to a call, the default of a parameter, an expression of a search. */
const looseCode =
  /_t$|^[A-Z]{1,4}\d{1,2}(?:[A-Z][a-z]+){2,}$|^[A-Z]+\d{0,2}(?:_[A-Z]+\d{0,2})+$|^[A-Z]{2,}\d[A-Z]*$|\(\?|\|\^|^[\w-]+(?:\.[\w-]+){1,5}:\d{2,5}$|^[a-z_]{2,20}=|^\||\.\*|\)=/;

/** True for a value that follows its name without a sign (`the password is …`): only what no word of prose is. */
export function isSecretLoose(value: string, name: string): boolean {
  const form = { tight: false, variable: false };
  if (value.length < 6 || looseCode.test(value)) return false;
  return (/\d/.test(value) || isJumbled(value)) && isSecretBare(value, name, form);
}

/** True for the name of a secret with a number, an address, a bit, a method (`scram-sha-256`), a sentence without blanks. */
const isNamed = (value: string): boolean =>
  (/^[a-z]{2,}\d?(?:_[a-z]{2,}\d?){1,6}$/.test(value) && tellsOfSecret.test(value)) ||
  /^[a-z][a-z+.-]{1,20}:\/\/[^@]*$|^[\w-]+(?:\.[\w-]+){1,5}:\d{2,5}$/.test(value) ||
  /^0x[\da-f]{1,16}$/i.test(value) ||
  /^[a-z]{2,10}(?:-[a-z]{2,10}){0,2}-(?:1|128|160|192|224|256|384|512)$/.test(value) ||
  /[\u3040-\u30ff\u4e00-\u9fff]{8}/.test(value);

/** True for what somebody chose as a password and no word of prose or code is: letters with digits or signs; in quotes brackets too. */
export function isChosen(value: string, quoted = false): boolean {
  return (
    value.length >= 6 &&
    /[A-Za-z]/.test(value) &&
    (/\d/.test(value) || isJumbled(value)) &&
    !/\s/.test(value) &&
    !isPlaceholder(value) &&
    !isNamed(value) &&
    !isCode(value, false, quoted) &&
    !hash.test(value) &&
    !uuid.test(value) &&
    (!/[a-z][A-Z][a-z]{2,}(?:\d?|8|16|32|64)$/.test(value) || isScattered(value)) &&
    !/^[\w.-]*\/\S*$|^\d+[a-z]{0,4}$|^(?:\d:)?v?\d+(?:\.\d+)+/.test(value)
  );
}

/** True for words that signs join, as people choose them: `Heron-Muffin`, `Tea&Toast`, `once-upon-a-time`; `loose` with a hyphen or two and no capital. */
export function isPassphrase(value: string, loose = false): boolean {
  if (
    value.length < 8 ||
    !/^[\p{L}\d]{2,}(?:[-_&+!@^~*.]{1,2}[\p{L}\d]{1,}){1,6}[!?]?$/u.test(value)
  )
    return false;
  if (isPlaceholder(value) || tellsOfSecret.test(value.toLowerCase())) return false;
  if (loose) return !/^[\w-]+\.\w{1,4}$|^https?$/.test(value);
  if (/^\p{L}{2,}[&+!^@]\p{L}{2,}/u.test(value)) return !/^[\w+.-]+@[\w-]+\.[\w.]+$/.test(value);
  return /^\p{Lu}?\p{Ll}{3,}(?:-\p{Lu}?\p{Ll}{1,}){0,4}-\p{Lu}\p{Ll}{3,}$/u.test(value);
}

/** True for letters and digits in no order that a word or a name in camel case has: its runs of one kind are short. */
export function isScattered(value: string): boolean {
  const runs = value.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])|\d+/g)?.length ?? 0;
  return runs >= 5 && value.length / runs < 2.6 && /\d/.test(value) && /[A-Za-z]/.test(value);
}

/** True for a password that nothing beside it points to: scattered, or with signs among letters and digits; in quotes any signs. */
export function isUnguessable(value: string, quoted = false): boolean {
  const signs = quoted ? /^[!-~]{8,200}$/ : /^[\w!@#$%^&*?~+=.-]{8,200}$/;
  if (!signs.test(value) || hash.test(value) || uuid.test(value)) return false;
  if (/^[a-z][a-z+.-]{1,20}:\/\/[^@]*$/.test(value)) return false;
  if (published.test(value)) return false;
  if (
    isPlaceholder(value) ||
    isCode(value, false, quoted) ||
    /^(?:\d:)?v?\d+(?:\.\d+)+/.test(value)
  )
    return false;
  if (isScattered(value) || isJumbled(value)) return true;
  const sign = quoted ? /[^\w\s"'`.:/\\[\](){}-]/ : /[!@#$%^&*?~]/;
  return /\d[A-Za-z]|[A-Za-z]\d/.test(value) && sign.test(value) && !/[/\\]/.test(value);
}

/** True for what a service makes and hands out: random, scattered, or a long run of hexadecimal digits or a UUID. */
export function isIssued(value: string): boolean {
  if (isRandom(value) || isNumbered(value)) return true;
  if (/^(?=[a-f]{0,128}\d)(?=\d{0,128}[a-f])[0-9a-f]{20,128}$/.test(value) || uuid.test(value))
    return true;
  return (
    value.length >= 14 && /^[\w-]+$/.test(value) && isScattered(value) && !published.test(value)
  );
}

/** The same, or a pair of which one half is: `2:…`, `id:secret`. */
export function isIssuedPair(value: string): boolean {
  return (
    isIssued(value) ||
    (/^[\w=.+/~:-]{20,400}$/.test(value) && value.split(":").some(isIssued)) ||
    /^[a-z]{0,3}\d{0,9}[-_][0-9a-f]{20,64}$/.test(value)
  );
}

/** True for letters with digits in three places among them, or in one where no word could be read. */
const hasManyDigits = (value: string): boolean =>
  /^[A-Za-z0-9]{12,64}$/.test(value) &&
  (/\d[A-Za-z]+\d+[A-Za-z]+\d/.test(value) ||
    (/[A-Za-z]\d+[A-Za-z]/.test(value) && /[b-df-hj-np-tv-xz]{4}/i.test(value)));

/** True for a token of Laravel, the number of its row before it: `7|…`. */
const isNumbered = (value: string): boolean =>
  /^\d{1,8}\|(?=[A-Za-z]*\d)[A-Za-z0-9]{40,48}$/.test(value);

/** True for what a service hands out, short ones too: where its own name stands before, or a name that promises a key. */
export function isHandedOut(value: string): boolean {
  if (isIssuedPair(value) || isUnguessable(value) || hasManyDigits(value)) return true;
  if (
    !/^[\w.+|:=/%@~!#$^*-]{8,200}$/.test(value) ||
    published.test(value) ||
    /\/.*\/|\/[\w.-]*\.[a-z]{1,4}\d?$/.test(value)
  )
    return false;
  if (/^(?=[a-f]{0,20}\d)(?=\d{0,20}[a-f])[0-9a-f]{8,20}$/.test(value)) return true;
  return isJumbled(value) || isScattered(value.replace(/[^A-Za-z0-9]/g, ""));
}

/** Shannon entropy in bits for each character. */
function entropy(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  let bits = 0;
  for (const count of counts.values())
    bits -= (count / text.length) * Math.log2(count / text.length);
  return bits;
}

const hash = /^(?:sha\d{1,3}[-:])?(?:[0-9a-f]{7,128}|[0-9A-F]{7,128})$/;
const uuid = /^[0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** True for a UUID, which mostly only names something. */
export const isUuid = (value: string): boolean => uuid.test(value);

/** Beginnings of what is published or only names something. */
const published =
  /-EXAMPLE\d{0,5}$|^AKIA[A-Z\d]{0,12}EXAMPLE$|^(?:sha\d+-|data:|toolu_|msg_|call_|req_|pk_(?:test|live)_|sb_publishable_|phc_)/;

/** True for one long run of characters that nobody typed: digits among letters, many different ones; no hash, UUID or path. */
export function isRandom(value: string): boolean {
  if (value.length < 20 || value.length > 2000 || !/^[\w+/=.~-]+$/.test(value)) return false;
  if (hash.test(value) || uuid.test(value) || published.test(value)) return false;
  if (!/\d/.test(value) || !/[A-Za-z]/.test(value)) return false;
  // A name in camel case with a year or a version: `ClientCapabilities2026Schema`.
  if (/^[a-z]*(?:[A-Z](?:[a-z]+|\d{1,2}(?=[A-Z]))){2,}\d{0,4}(?:[A-Z][a-z]+)*$/.test(value))
    return false;
  // A constant or a type of C.
  if (
    /^_{0,2}(?:[A-Z]+\d{0,2}(?:_[A-Z]+\d{0,2})+|[a-z]+\d{0,3}(?:_[a-z]+\d{0,3}){0,6}_t)$/.test(
      value,
    )
  )
    return false;
  // What a cache is looked up by: words, then a hash.
  if (/^(?:[A-Za-z]{2,}[-_.]){2,8}[0-9a-f]{32,128}$/.test(value)) return false;
  if (/^[.~]?[\w.-]*\/[\w./-]*$/.test(value) && /\/[a-z_-]{3,}|\.[a-z]{1,4}\d?$/.test(value))
    return /^[A-Za-z0-9/]{32,}$/.test(value) && isScattered(value.replaceAll("/", ""));
  if (/^[a-z]+(?:[-_.][a-z0-9]+){2,}$/i.test(value) && !/[a-z]\d[a-z]|\d[a-z]\d/i.test(value))
    return false;
  return entropy(value) >= 3.5;
}

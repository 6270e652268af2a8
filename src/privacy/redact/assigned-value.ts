// Reads the value that a sign joins to its name: what is assigned, set or compared, and no code.

import { matchEnd } from "./effort.ts";
import { joined } from "./loose-forms.ts";
import { looseValue } from "./loose-value.ts";
import { verdictOf } from "./names.ts";
import { type Named, readValue, type Value } from "./read-value.ts";
import type { Span } from "./rule.ts";

/** What makes the value of an attribute an expression, as Vue and Angular have it. */
const binding = /\s(?::|@|v-[\w.-]{1,8}:|\[\(?)$/;
/** What holds a secret and nothing else: `Some("…")`, `SecretString::from("…")`. */
const holder =
  /(?:Some|Just|Ok|Optional\.of|Cow::Borrowed|(?:[\w.]{1,20}::)?(?:String|Secret(?:String|Str|Box)?|Password|Sensitive|Zeroizing)(?:::(?:from|new))?)\([ \t]?(?=\\{0,4}["'])/y;
/** What may stand before a name that begins a line, as in a file of settings; its text may stand in JSON. */
const lineStart = /(?:^|\n|\\n|\uf8ff|": ?")[+ ]{0,8}(?:\d{1,6}[→\t:|])?(?:export |set |ENV )?$/;
/** A selector of CSS goes on so: `#password:focus{`. */
const pseudoClass =
  /(?::?(?:before|after)|focus(?:-within|-visible)?|hover|active|visited|disabled|enabled|checked|(?:in)?valid|required|optional|empty|target|not|is|has|where|(?:first|last|only|nth)-(?:child|of-type)|placeholder-shown|read-only|autofill)(?:\([^()\n]{0,60}\))?[ \t]{0,4}[{,:.>+~\s]/y;

/** The value that begins at `between`, behind the separator of a name. */
export function readAssigned(text: string, named: Named, between: number): Value | undefined {
  const { start, end, name, verdict } = named;
  const written = text.slice(end, between);
  // A line of a file of accounts: `passwd:x:1000:1000::/home/bob:/bin/bash`.
  if (written === ":" && /^[x*!]{0,2}:\d{1,6}:\d{1,6}:/.test(text.slice(between, between + 20)))
    return undefined;
  // A further attribute, whose value is an expression: `:password="form.password" :token="csrfToken"`.
  if (/^\\{0,4}["'][ \t]+:[\w-]/.test(written)) return undefined;
  if (written === "=" && binding.test(text.slice(Math.max(0, start - 12), start))) {
    const expression = /^\\{0,4}["'][A-Za-z_$][\w$.]*\\{0,4}["']/.exec(
      text.slice(between, between + 80),
    );
    if (expression && !/\d/.test(expression[0])) return undefined;
  }
  // What a page or a form only carries around is no value of a name that says little.
  if ((verdict === "maybe" || verdict === "made") && /content/.test(written)) return undefined;
  // A part of a name with colons, `arn:aws:…:secret:…`; or the quote behind a label, `"Password: "`.
  if (written === ":" && text.charAt(start - 1) === ":" && !isListed(text, start)) return undefined;
  if (written === ":" && matchEnd(pseudoClass, text, between) !== undefined) return undefined;
  if (/^: {0,4}$/.test(written) && closesLabel(text, start, between))
    return looseValue(text, named, joined);
  // Whose it is says no less of a value than its name alone.
  const joinedVerdict = verdictOf(name) === "secret" ? "secret" : verdict;
  const value = readValue(
    text,
    matchEnd(holder, text, between) ?? between,
    { name, verdict: joinedVerdict },
    {
      tight: !/\s|:/.test(written),
      bare: !/[=!]=/.test(written),
      variable: written === "=" && /^[A-Z][A-Z0-9_]*$/.test(name),
      line: () => written === "=" && lineStart.test(text.slice(Math.max(0, start - 24), start)),
    },
  );
  if (value && isParameter(text, value, written)) return undefined;
  if (value && defaultToken.test(name) && shortWords.test(text.slice(value.start, value.end)))
    return undefined;
  if (value && /[!=]=/.test(written) && isKeyword(text.slice(value.start, value.end), name))
    return undefined;
  if (value && written === "=") value.end = closedEnd(text, start, value.end);
  return value ?? looseValue(text, named, joined);
}

/** The name of a kind of token in the tables of a lexer. */
const defaultToken = /^(?:default_?)?token$/i;
const shortWords = /^[a-z]{1,12}(?:[._-][a-z]{1,12}){0,5}$/;

/** True for a variable that a call is given under the name of a parameter: `sign(task_token=callback_id)`. */
const isParameter = (text: string, { start, end }: Span, written: string): boolean =>
  written === "=" &&
  /^[),]/.test(text.charAt(end)) &&
  /^[a-z]+(?:_[a-z]+)+$/.test(text.slice(start, end));

/** True for a word with which a token of code, or the type of a value is compared, and no password. */
const isKeyword = (value: string, name: string): boolean =>
  /^(?:function|string|object|undefined|number|boolean|symbol|bigint)$/.test(value) ||
  (/^[A-Za-z_-]{1,20}$/.test(value) && !/pass|pwd|secret/i.test(name));

/** Where a value with blanks ends that stands in quotes with its name: `docker run -e 'PASSPHRASE=two words'`. */
function closedEnd(text: string, start: number, end: number): number {
  const [mark = ""] = labelOpening.exec(text.slice(Math.max(0, start - 9), start)) ?? [];
  if (mark === "" || text.charAt(end) !== " ") return end;
  const [rest = ""] = /^(?: [^\s="'`]{1,40}){1,5}/.exec(text.slice(end, end + 210)) ?? [];
  return text.startsWith(mark, end + rest.length) ? end + rest.length : end;
}

/** What grep puts before a line: `conf/app.env:`, `src/a.py:12:`. */
const ofListing = /(?:^|[\s"'\uf8ff→])[+-]?[\w./@-]{0,120}(?:\.\w{1,12}|\/[\w.-]{1,60}|:\d{1,6}):$/;

const isListed = (text: string, start: number): boolean =>
  ofListing.test(text.slice(Math.max(0, start - 160), start));

const labelOpening = /(\\{0,8})["'`]$/;

/** True when the quote at `at` is the one that was opened right before the name, behind as many backslashes. */
function closesLabel(text: string, start: number, at: number): boolean {
  const opened = labelOpening.exec(text.slice(Math.max(0, start - 9), start));
  return opened !== null && text.startsWith(opened[0], at);
}

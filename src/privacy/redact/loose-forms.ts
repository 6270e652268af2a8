// Where the value of a name stands that no sign of assignment joins to it, and what it has to be there.
import { isChosen, isIssued, isPassphrase, isSecretLoose, isUnguessable } from "./values.ts";

/** A place where a value may stand, whether without quotes too, and what it has to be. */
export interface LooseForm {
  /** What stands between the end of the name and the value; sticky. */
  between: RegExp;
  bare: boolean;
  /** Counts for names, too, that promise a password less surely. */
  likely?: boolean;
  accepts(value: string, name: string, quoted: boolean): boolean;
}

const lineNumber = String.raw`(?:\d{1,6}[→\t|:])?`;
/** A line break, in a list of lines and behind numbers too. */
const breakOfLine = String.raw`[ \t]{0,4}\r?\n[ \t>|+\uf8ff]{0,8}${lineNumber}[ \t>|]{0,16}`;

/** Prose, a table, a call, an arrow. */
const loosely =
  /[*_`]{0,3}(?:[ \t]{1,4}is:?[ \t]{1,4}|[ \t]{0,40}\|[ \t]{0,4}|(?:::\w{2,10})?\(|[ \t]{0,4}(?:->|→|—|–|│)[ \t]{0,4})[*_`]{0,3}/y;
/** What takes the place of a value that is missing: `process.env.JWT_SECRET || "…"`. */
const fallback =
  /["'\]]{0,2}[)\]]{0,2}\??[ \t]{0,4}(?:\|\||\?\?|\?:|\bor\b|\{|\|[ \t]{0,2}default\()[ \t]{0,4}/y;
/** The same as a call, or as a further argument: `.unwrap_or("…")`, `(or (env :db-password) "…")`. */
const otherwise =
  /\\{0,4}["']?[)\]]{0,3}(?:\.(?:unwrap_or|or_?else|get_?or_?else|or_?default|or)\(|[ \t]{1,2}(?<=\)[ \t]{1,2}))(?=\\{0,4}["'])/iy;
/** In brackets: `the password (…)`, `password=[…]`. */
const enclosed = /[ ]\((?=[^\s()]{6,80}\))/y;
const listed = /=\[(?=[^\s[\]"']{6,200}\])/y;
/** A label that is printed, then what it stands for. */
const printed = /:[ ]?\\{0,4}["'][ \t]{0,2},[ \t]{0,2}(?=\\{0,4}["'])/y;
/** A password that follows its name as a word of the sentence: `with password …`, or a column of a listing. */
const following = /[ ]{2,40}(?:-{2,8}[ ]{1,16})?|[ ]|\t{1,8}/y;
/** `the pw is …`. */
const said = /[ \t]{1,4}(?:is|was):?[ \t]{1,4}/y;
/** A directive or the end of a sentence: the value is the last word of its line. */
const lastOfLine = /[ \t]{1,8}(?=[^\s=<>]{6,200}[ \t]{0,8}(?:\r?\n|$))/y;
/** Some words of a sentence between: `the password for staging is …`, `the login password to …`. */
const farther =
  /(?:[ \t]{1,2}(?:["'\x60(]?[\w.@-]{1,24}["'\x60)]?|"[^"\n]{1,60}"|'[^'\n]{1,60}')){0,6}?[ \t]{0,2}(?:(?:\b(?:is|are|was|to|from|than|as)|\(it is)\b:?[ \t]{1,4}|(?:[:=]|->|→|—|–|-)[ \t]{1,4})/y;
/** A sentence that ends with a colon, the value behind or below: `a temporary password is generated for root@localhost: …`. */
const announced = new RegExp(
  String.raw`(?:[ \t]{1,2}[\w.@-]{1,40}){0,10}:(?:(?:${breakOfLine}){1,3}|[ \t]{1,4})(?=\S{6,200}[ \t]{0,8}(?:\r?\n|$))`,
  "y",
);
/** The next line, or the next cell or element of HTML. */
const below = new RegExp(
  String.raw`(?:["']:|["'][\]"']?|[*_\x60]{0,3}(?:[ \t]is)?:?[*_\x60]{0,3})(?:${breakOfLine}){1,2}(?:V \d{1,3}${breakOfLine}|=> )?(?!\S{1,40}[=:])[\x60*]{0,3}|:?(?:<\/\w{1,10}>\s{0,8}){1,2}(?:<\w{1,10}(?:[ \t][^<>\n]{0,60})?>){0,2}[ \t]{0,2}`,
  "y",
);
/** What a literal may be wrapped in: `[]byte("…")`, `Some("…")`, `string(12) "…"`, `{"type": "string", "value": "…"}`. */
const wrapper = new RegExp(
  String.raw`["'\]]{0,2}[ \t]{0,4}(?:=>|:=|[:=])(?:${breakOfLine}|[ \t]{0,8})(?:(?:new[ \t])?[\w.:[\]]{1,30}\((?:\d{1,4}\)[ \t])?|\(\s{0,24}(?=["'][^"'\n]{4,200}["'],?\s{0,24}\))|\(\s{0,12}(?:\uf8ff\+?|\n *\d{1,6}→)\s{0,24}|\{\s{0,16}(?:\\{0,4}"\w{1,20}\\{0,4}": (?:\\{0,4}"[\w.-]{0,24}\\{0,4}"|\w{1,8}), ){0,3}\\{0,4}["']?value\\{0,4}["']?\s{0,2}[:=]\s{0,2}|<%=[ \t]{0,2}|["']\{\{ ?|!?[\w/]{1,20}[ \t])(?=\\{0,4}["'])`,
  "y",
);
/** What is typed into a field: `get('#password').type('…')`, `find(By.ID, "password").send_keys("…")`. */
const typed =
  /\\{0,4}["']?\]?\\{0,4}["']?\){0,2}\.(?:type|send_keys|sendKeys|fill|fill_in|setValue|set_text|set|val|value|typeText|pressSequentially|enterText)\((?=\\{0,4}["'])|\/[gimu]{0,3}\){1,2},[ \t]{0,2}(?=\\{0,4}["'])/y;
/** What the name is compared with: `password.equals("…")`, `expect(password).toBe("…")`. */
const compared = /\)?\.(?:equals\w{0,12}|toBe|toEqual|toStrictEqual|to_eq|eq|is)\((?=\\{0,4}["'])/y;
/** The next item of a list or tuple: `{password, "…"}`, `'Password', '…'`, `"API_TOKEN" "…"`. */
const beside =
  /\\{0,4}["']?[ \t]{0,2},?[ \t]{0,2}(?:(?:with|text|value)(?::|[ \t]=>)[ \t]{0,2}|<<|PIC [\w()]{1,12} VALUE )?(?=\\{0,4}["'])/y;
/** Behind the name and a blank, as in `password "…"`, `:password "…"`. */
const quotedBehind = /\*?[ \t]{1,8}(?=\\{0,4}["'])/y;

/** Names of what people choose themselves, words with digits too. */
export const chosenByPeople = /pass|pwd|psw|pw$/i;

/** No word of a sentence: `DB_PASSWORD`, `dbPassword`, `db-password`, `TOKEN`, `authkey`. */
const isIdentifier = (name: string): boolean =>
  /[a-z][A-Z]|[_-]|^[A-Z]{4,}$|(?:api|auth|access|secret|private)key$/.test(name);
/** A constant's name in place of a value. */
const isConstant = (value: string): boolean => /^[A-Z][A-Z\d_]*$/.test(value);

/** What a person chose with care, or what no word is; in quotes any sign may stand in it. */
const isKept = (value: string, name: string, quoted = false): boolean =>
  isUnguessable(value, quoted) ||
  (chosenByPeople.test(name) &&
    (quoted
      ? (isChosen(value, true) || isPassphrase(value)) && !isConstant(value)
      : value.length >= 8 && /\d{2}/.test(value) && isChosen(value)));
/** The same in quotes, where what was handed out and what was chosen count behind an identifier, too. */
const isKeptInQuotes = (value: string, name: string): boolean =>
  isKept(value, name, true) ||
  (isIdentifier(name) && (isIssued(value) || (isChosen(value, true) && !isConstant(value))));
/** Of two quoted things beside each other one is seldom the other's value. */
const isKeptBeside = (value: string, name: string): boolean => isKept(value, name);
/** What something is compared with, or types, is mostly made up. */
const isKeptByPeople = (value: string, name: string): boolean => isKept(value, name, true);
/** As the last word of a line, where signs of all kinds stand too. */
const isKeptAlone = (value: string, name: string, quoted: boolean): boolean =>
  quoted
    ? isKeptInQuotes(value, name)
    : isKept(value, name) || (chosenByPeople.test(name) && isUnguessable(value, true));
/** Behind a name that no word of a sentence is, whatever a person chose counts. */
const isKeptBehindIdentifier = (value: string, name: string): boolean =>
  isUnguessable(value) || (isIdentifier(name) && (isKept(value, name) || isIssued(value)));
const isKeptBelow = (value: string, name: string, quoted: boolean): boolean =>
  isKeptAlone(value, name, quoted) ||
  (chosenByPeople.test(name) && (/^[0-9a-f]{24,64}$/.test(value) || isPassphrase(value)));

/** Where no sign of assignment follows the name. */
export const unjoined: readonly LooseForm[] = [
  { between: loosely, bare: true, accepts: isSecretLoose },
  { between: fallback, bare: false, accepts: isKeptInQuotes, likely: true },
  { between: otherwise, bare: false, accepts: isKeptInQuotes, likely: true },
  { between: enclosed, bare: true, accepts: isKept },
  { between: following, bare: true, accepts: isKeptBehindIdentifier },
  { between: lastOfLine, bare: true, accepts: isKeptAlone, likely: true },
  { between: quotedBehind, bare: false, accepts: isKeptInQuotes },
  { between: typed, bare: false, accepts: isKeptByPeople },
  { between: compared, bare: false, accepts: isKeptByPeople },
  { between: said, bare: true, accepts: isKept, likely: true },
  { between: farther, bare: true, accepts: isKeptBelow },
  { between: announced, bare: true, accepts: isKeptBelow },
  { between: below, bare: true, accepts: isKeptBelow },
  { between: beside, bare: false, accepts: isKeptBeside },
];

/** Where one does, and what follows it is no value. */
export const joined: readonly LooseForm[] = [
  { between: printed, bare: false, accepts: isKeptInQuotes },
  { between: listed, bare: true, accepts: isKept },
  { between: wrapper, bare: false, accepts: isKeptInQuotes },
  { between: below, bare: true, accepts: isKeptBelow },
  { between: fallback, bare: false, accepts: isKeptInQuotes },
];

// What stands between a name and its value where a sign joins them: assignments and settings of all languages.
import { matchEnd } from "./effort.ts";

/** A quote, behind backslashes or as an entity of HTML. */
export const quote = String.raw`(?:\\{0,8}["'\x60]|&quot;|&#0?39;)`;
/** What stands between a name and its value, a type annotation included. */
const separator = new RegExp(
  String.raw`${quote}?[\]}]?(?:[ \t]\d{1,2}(?=:[ \t]))?(?:[ \t][([][^()[\]\n"'=]{1,30}[)\]](?=[ \t]{0,2}[:=]))?(?:\[\d{0,4}\])?[*_]{0,2}[ \t]{0,40}(?:(?::[ \t]{0,4}|As[ \t])[&*[\]]{0,4}(?:'\w{1,20}[ \t]|(?:const|mut|dyn)[ \t])?[A-Za-z][\w.[\]<>|?!]{0,40}(?:[ \t]{1,4}=|=(?=[ \t"'\x60\\]))(?!=)|(?:[:?+]|\|\||\?\?)=|=>|<-(?=[ \t]{0,2}["'])|::(?=[ \t])|!==?|={1,3}|;s:\d{1,4}:(?=\\{0,8}")|:(?![:/])|%3[Dd])[*_]{0,2}[ \t]{0,16}(?:(?<=:[ \t]{1,4})!!?(?!(?:secret|env|env_var|include|ref|reference|vault|encrypted|lambda|input|file|import|path|param|ssm|sops|join)[ \t])[a-z][\w./:-]{0,40}[ \t]{1,4})?`,
  "y",
);
/** A type between a name and its value, in quotes: `password VARCHAR2(30) := '…'`, `password string = "…"`. */
const declared = /[ \t]{1,8}[A-Za-z]\w{2,20}(?:\(\d{1,5}\))?[ \t]{1,4}:?=[ \t]{0,2}N?(?=["'\x60])/y;
/** Blanks, line breaks and what stands before the lines of a listing or patch. */
const gap = String.raw`(?:\s|\\[nrt]|\uf8ff|[+]|\d{1,6}[→|:\t]){0,24}`;
/** `name: DB_PASSWORD`, then the value under a name of its own; `variable "db_password" { default = … }`. */
const labelled = new RegExp(
  String.raw`${quote}?,?(?:\s|\\[nrt]){0,4}\{?(?:${gap}(?:type|description|sensitive|nullable)[ \t]{0,8}=[ \t]{0,4}[^\n=]{1,80}\n){0,3}${gap}${quote}?(?:(?:[Pp]arameter|[Pp]aram|[Oo]ption|[Ss]etting|[Ff]ield|[Dd]efault)?[Vv]alue|default|content)${quote}?[ \t]{0,4}[:=][ \t]{0,4}`,
  "y",
);

/** Where the value begins that a sign joins to the name that ends at `end`. */
export const afterSeparator = (text: string, end: number): number | undefined =>
  matchEnd(separator, text, end) ?? matchEnd(labelled, text, end) ?? matchEnd(declared, text, end);

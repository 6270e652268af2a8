// Forms in which a secret stands under a telling name, crossed with values of all signs: made by seed, none of them picked.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: examples in other languages
import { Buffer } from "node:buffer";
import { createRandom, type Faked } from "./fake.ts";

/** A form: `V` stands for the value and `N` for its name. */
interface Form {
  name: string;
  text: string;
  /** Signs that a value cannot hold here as they are. */
  without: string;
  /** How the value is written, where not as it is. */
  written?(value: string): string;
}

const json = (value: string): string => JSON.stringify(value).slice(1, -1);
const backslashed =
  (signs: string) =>
  (value: string): string =>
    [...value].map((sign) => (signs.includes(sign) ? `\\${sign}` : sign)).join("");

/** Name, signs that cannot stand there, text; parted by ` ~ `, ⏎ for the end of a line. */
const plain = `
shell, bare ~ &;,|)]}<>(["'$#!{ ~ export N=V
shell, single quotes ~ ' ~ N='V' ./run
shell, double quotes ~ "$ ~ export N="V"
env file, bare ~ "'# ~ N=V⏎PORT=1
env file, quoted ~ " ~ N="V"⏎PORT=1
dockerfile ~ "'$ ~ ENV N=V
dockerfile, old ~ "'$ ~ ENV N V
compose, list ~ "'$# ~     - N=V
compose, map ~ "'$#[{&!@,:>| ~     N: V
yaml, single quotes ~ ' ~ n: 'V'
yaml, double quotes ~ " ~ n: "V"
yaml, block ~  ~ n: |⏎  V⏎next: 1
ini ~ "';# ~ [db]⏎n = V
properties ~ "'# ~ app.n=V
toml ~ " ~ n = "V"
toml, literal ~ ' ~ n = 'V'
toml, triple ~ " ~ n = """V"""
json ~ " ~ {"n": "V", "port": 1}
json, packed ~ " ~ {"a":1,"n":"V"}
javascript, const ~ " ~ const n = "V";
javascript, template ~ ´$ ~ const n = ´V´;
javascript, object ~ ' ~ connect({ host, n: 'V' })
typescript ~ " ~ private readonly n: string = "V";
python ~ " ~ n = "V"
python, argument ~ ' ~ connect(host, n='V', port=1)
python, triple ~ " ~ N = """V"""
python, raw ~ " ~ N = r"V"
python, dict ~ ' ~ {'n': 'V', 'b': 2}
ruby, symbol ~ ' ~ :n => 'V',
ruby, key ~ " ~ n: "V",
ruby, %q ~ (){} ~ n = %q(V)
php ~ ' ~ §n = 'V';
php, define ~ ' ~ define('N', 'V');
php, array ~ ' ~ 'n' => 'V',
perl ~ ' ~ my §n = 'V';
go ~ " ~ n := "V"
go, raw ~ ´ ~ n := ´V´
go, struct ~ " ~ Config{N: "V"}
rust ~ " ~ let n = "V";
rust, const ~ " ~ const N: &str = "V";
rust, raw ~ " ~ let n = r#"V"#;
java ~ " ~ String n = "V";
java, static ~ " ~ private static final String N = "V";
java, put ~ " ~ props.put("n", "V");
kotlin ~ "$ ~ val n = "V"
swift ~ " ~ let n: String = "V"
csharp ~ " ~ var n = "V";
csharp, verbatim ~ " ~ var n = @"V";
vb, doubled ~ " ~ Dim n As String = "V"
cpp ~ " ~ std::string n = "V";
cpp, macro ~ " ~ #define N "V"
scala ~ " ~ val n = "V"
elixir ~ " ~ config :app, n: "V"
clojure ~ " ~ {:n "V"}
lua ~ ] ~ n = [[V]]
lisp ~ " ~ (setq n "V")
r ~ " ~ n <- "V"
powershell ~ '$ ~ §n = 'V'
powershell, env ~ "$ ~ §env:N = "V"
batch ~ "&|<>% ~ set N=V
fish ~ ' ~ set -x N 'V'
nix ~ " ~ n = "V";
hcl ~ " ~   n = "V"
xml, element ~ <>& ~ <n>V</n>
xml, attribute ~ "<& ~ <add key="n" value="V" />
xml, own attribute ~ "<& ~ <user name="ana" n="V"/>
sql ~ ' ~ SET n = 'V';
connection string ~ ;"'= ~ Server=db1;User Id=ana;Password=V;Encrypt=true
option, equals ~ "'&;|<>()$#! ~ deploy --n=V --yes
option, quoted ~ ' ~ deploy --n 'V' --yes
option, bare ~ "'&;|<>()$#![]{} ~ deploy --n V --yes
log, logfmt ~ "' ~ time=2026-01-02T10:00:00Z level=info n=V user=ana
log, logfmt quoted ~ " ~ level=debug n="V" user=ana
log, prefix ~ "' ~ 2026-01-02 10:00:00,123 INFO [main] c.a.Db - n=V
log, colon ~ "' ~ 10:00:00 DEBUG config n: V
log, syslog ~ "' ~ Jan  2 10:00:00 web1 app[123]: using n: V
log, java map ~ "',}={ ~ INFO settings {host=db1, n=V, port=1}
log, python dict ~ ' ~ DEBUG:app:{'host': 'db1', 'n': 'V'}
log, struct ~ "'}{ ~ &{Host:db1 N:V Port:1}
log, ruby ~ " ~ Parameters: {"user"=>"ana", "n"=>"V"}
form ~ "&%+=#'$!@<>()[]{}|;,. ~ user=ana&n=V&go=1
curl data ~ '"& ~ curl -d 'user=ana&n=V' https://acme.example
markdown ~ ´| ~ - n: ´V´
patch ~ "' ~ +N=V
numbered ~ " ~     12→  n: "V",
`;

const encodedForms: readonly Form[] = [
  { name: "json, escaped", without: "", text: '{"n": "V", "port": 1}', written: json },
  {
    name: "json in json",
    without: "",
    text: '{"body": "{\\"n\\": \\"V\\", \\"port\\": 1}"}',
    written: (value) => json(json(value)),
  },
  { name: "url", without: "", text: "GET /cb?n=V&state=1", written: encodeURIComponent },
  { name: "form, encoded", without: "", text: "user=ana&n=V", written: encodeURIComponent },
  {
    name: "base64",
    without: "",
    text: "n: V",
    written: (value) => Buffer.from(value).toString("base64"),
  },
  { name: "yaml, doubled", without: "", text: "n: 'V'", written: (v) => v.replaceAll("'", "''") },
  {
    name: "sql, doubled",
    without: "",
    text: "SET n = 'V';",
    written: (v) => v.replaceAll("'", "''"),
  },
  {
    name: "csharp, doubled",
    without: "",
    text: 'var n = @"V";',
    written: (v) => v.replaceAll('"', '""'),
  },
  { name: "javascript, escaped", without: "", text: "n = 'V';", written: backslashed("'") },
  { name: "c, escaped", without: "", text: 'char *n = "V";', written: backslashed('"') },
  {
    name: "shell, escaped",
    without: "",
    text: "export N=V",
    written: backslashed("&;|<>()[]{}\"'$#! "),
  },
  {
    name: "xml, entities",
    without: "",
    text: "<n>V</n>",
    written: (value) =>
      value
        .replaceAll("&", "&amp;")
        .replaceAll("<", "&lt;")
        .replaceAll(">", "&gt;")
        .replaceAll('"', "&quot;"),
  },
];

const forms: readonly Form[] = plain
  .trim()
  .split("\n")
  .map((line): Form => {
    const [name = "", without = "", text = ""] = line.split(/ ~ ?/);
    return {
      name,
      without: without.replaceAll("´", "`"),
      text: text.replaceAll("⏎", "\n").replaceAll("§", "$").replaceAll("´", "`"),
    };
  })
  .concat(encodedForms);

const names =
  "db_password password api_token clientSecret secret_key smtpPassword authToken ADMIN_PASSWORD".split(
    " ",
  );
const letters = "abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ";
const digits = "23456789";
const signs = "&;,|)]}<>([\"'.$@#!";
const nouns = "kestrel Bramble harbour Walnut lantern Pepper quarry Saddle thistle Biscuit".split(
  " ",
);

type Random = () => number;

/** The alphabets: letters with digits, the same with signs, words of a person. */
const values: Readonly<Record<string, (random: Random) => string>> = {
  letters: (random) => drawn(letters + digits, 12 + Math.floor(random() * 16), random),
  signs: (random) => drawn(letters + digits + signs, 12 + Math.floor(random() * 8), random),
  words: (random) => {
    const noun = (): string => nouns[Math.floor(random() * nouns.length)] ?? "";
    const tail = String(10 + Math.floor(random() * 2000));
    const sign = signs.charAt(Math.floor(random() * signs.length));
    const made = [
      noun() + tail,
      noun() + sign + tail,
      `${noun()}-${noun()}${tail}`,
      noun() + noun() + tail + sign,
    ];
    return made[Math.floor(random() * made.length)] ?? "";
  },
};

/** Random characters that begin with two letters and a digit, as any generated password holds both. */
function drawn(alphabet: string, count: number, random: Random): string {
  const pick = (from: string): string => from.charAt(Math.floor(random() * from.length));
  return (
    pick(letters) +
    pick(digits) +
    Array.from({ length: count - 3 }, () => pick(alphabet)).join("") +
    pick(letters)
  );
}

/** A name as the form writes it: `N` as a constant, `n` as it is. */
const constant = (name: string): string => name.replace(/([a-z])([A-Z])/g, "$1_$2").toUpperCase();

/** The form's name, the alphabet, and the case. */
export type Generated = readonly [form: string, alphabet: string, faked: Faked];

/** `rounds` cases of each form and alphabet. */
export function generatedCases(seed: string, rounds: number): Generated[] {
  return forms.flatMap((form) =>
    Object.keys(values).flatMap((alphabet) =>
      Array.from({ length: rounds }, (_, round): Generated => {
        const random = createRandom(`${seed} ${form.name} ${alphabet} ${round}`);
        const name = names[Math.floor(random() * names.length)] ?? "";
        const made = values[alphabet]?.(random) ?? "";
        const value = [...made].filter((sign) => !form.without.includes(sign)).join("");
        const secret = form.written?.(value) ?? value;
        const text = form.text.replace(/\b[Nn]\b|(?<![A-Z])V(?![a-z])/g, (hole) =>
          hole === "V" ? secret : hole === "N" ? constant(name) : name,
        );
        return [form.name, alphabet, { text, secrets: [secret] }];
      }),
    ),
  );
}

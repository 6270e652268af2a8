// Places in calls and statements of programs where a secret stands beside a name, and not under one.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: examples in other languages
import { isChosen, isIssued, isPlaceholder, isUnguessable } from "../values.ts";
import { isTyped, type PlaceRule } from "./place.ts";

/** What a person or a service made, and no word of code. */
const isMade = (value: string): boolean =>
  !isPlaceholder(value) && (isChosen(value) || isIssued(value) || isUnguessable(value, true));

/** Two arguments in quotes, of which the second is the secret; it may be wrapped. */
const name = String.raw`\\{0,4}["'][^"'\n\\]{1,200}\\{0,4}["']`;

/** The rules. */
export const callRules: readonly PlaceRule[] = [
  {
    id: "credential-call",
    finds:
      "the secret handed over beside a name in calls that sign in, connect or make credentials",
    kind: "password",
    words: [
      ...["login", "logon", "signin", "sign_in", "authenticat", "credential", "basicauth"],
      ...["basic_auth", "httpauth", "auth(", "DBI->connect", "getConnection", "mysql_connect"],
      ...["mysqli", "PDO(", "DirectoryEntry", "Sequelize(", "WiFi.begin", "RestClient("],
      ...["credentials.new", "Connect("],
    ],
    pattern: new RegExp(
      String.raw`\b(?:[\w.>:-]{0,40}?(?:log[io]n|sign_?in|authenticat\w{0,6}|credentials?|basic_?auth(?:entication)?|http_?auth|\bauth)\w{0,12}(?:\.new)?|DBI->connect|getConnection|mysql_connect|mysqli(?:_connect)?|PDO|DirectoryEntry|Sequelize|WiFi\.begin|RestClient|[Cc]onnect)[ \t]{0,2}\([^"'()\n]{0,60}(?:${name}[ \t]{0,4},[ \t]{0,4}|\$\w{1,40}[ \t]{0,4},[ \t]{0,4}){1,3}(?:[A-Za-z.]{1,24}\()?b?(?:\\{0,4}["']|%q\()([^"'\s\\)]{4,200})(?=\\{0,4}["'][ \t]{0,4}[),]|\))`,
      "gi",
    ),
    accepts: isMade,
    gone: [
      'new PasswordAuthentication("ada@example.com", "«{a16}»")',
      "DBI->connect($dsn, 'ada', '«{a12}»')",
      'new NetworkCredential("ada", "«{a14}»")',
      'DriverManager.getConnection("jdbc:x", "ada", "«{a12}»")',
      "server.login('ada@example.com', '«{a16}»')",
      'Client::builder().basic_auth("ada", Some("«{a12}»"))',
      "Aws::Credentials.new('AKIAEXAMPLE', %q(«{b40}»))",
    ],
    stay: [
      'new PasswordAuthentication("ada", password)',
      "DBI->connect($dsn, $user, $password)",
      'new NetworkCredential("ada", "password")',
      'router.get("/login", "loginPage2")',
    ],
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
    pattern: /["'`= \t][\w.-]{1,60}:([^\s"'`:@]{3,200})(?=@(?:tcp|unix|protocol)\()/g,
    accepts: (value) => !isPlaceholder(value) && !/^[$%{]/.test(value),
    gone: ['sql.Open("mysql", "ada:«{a12}»@tcp(db:3306)/shop")'],
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

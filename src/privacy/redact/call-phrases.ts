// Secrets that a program hands to a call that signs in, connects, signs or makes credentials.
import { once, type Phrase, type PhraseRule } from "./rule.ts";
import {
  isChosen,
  isHandedOut,
  isIssued,
  isPassphrase,
  isPlaceholder,
  isRandom,
  isScattered,
  isUnguessable,
  isUuid,
} from "./values.ts";

/** What a person or a service made, and no word of code. */
const isMade = (value: string): boolean =>
  !isPlaceholder(value) && (isChosen(value) || isIssued(value) || isUnguessable(value, true));

/** So many arguments before the secret. */
const args = (least: number, most: number): string =>
  String.raw`(?:(?:\\{0,4}["'](?:[^"'\n\\]|\\\w){1,200}\\{0,4}["']|[^"'()\n,]{1,60})[ \t]{0,4},\s{0,24}){${least},${most}}`;
/** The secret in quotes, which may be wrapped in a call or brackets. */
const wrapped = String.raw`(?:[A-Za-z.]{1,24}\()?b?(?:\\{0,4}["']|%q\()(?=[^\s"'\\)]{0,199}\d)([^"'\s\\)]{4,200})(?=\\{0,4}["'][ \t]{0,4}(?:[),]|$|\n)|\))`;
/** Any secret in quotes, a word too: where nothing else may stand. */
const worded = String.raw`\\{0,4}["']([^"'\s\\]{4,200})(?=\\{0,4}["'][ \t]{0,4}[),])`;
const opening = String.raw`\w{0,24}(?:\.new)?[ \t]{0,2}\(`;

/** What a service made and no word, hash or id looks like. */
const isUnlike = (value: string): boolean => isRandom(value) && isScattered(value);

/** What a service made beside an id of its own. */
const isPairedSecret = (value: string): boolean =>
  value.length >= 16 && isHandedOut(value) && !isUuid(value);

/** What somebody chose, words with a sign between too. */
const isWorded = (value: string): boolean => isPassphrase(value, true);

/** What follows the beginning of a call's name; what the secret has to be, where it may be less. */
const calls: ReadonlyArray<
  readonly [names: string, rest: string, accepts?: (value: string) => boolean]
> = [
  // A client of any service, made of its key alone.
  ["client( sdk( api( .init( .authenticate(", "", isUnlike],
  // Or of an id and its secret, once or twice.
  ["client( api( oauth1userhandler( oauthhandler( algoliasearch(", args(1, 1), isPairedSecret],
  ["oauth1userhandler( =oauth(", args(3, 3), isPairedSecret],
  ["=oauth(", "", isPairedSecret],
  ["=oauth(", args(1, 1), isPairedSecret],
  ["=oauth(", args(2, 2), isPairedSecret],
  // What was required is called at once, with an id and a secret.
  [`")( ')( auth=(`, args(1, 2)],
  // The login that every request of a session takes along.
  [".auth", String.raw`[ \t]{0,2}=[ \t]{0,2}\(${args(1, 1)}`],
  // The secret stands alone, or first.
  [
    "bearer_auth bearerAuth redis.auth client.auth conn.auth PlainText hmac.new Fernet bcrypt.hash client.login bot.login client.run bot.run client.start set_password setPassword check_password",
    String.raw`${opening}(?=b?\\{0,4}["'])`,
  ],
  // It stands behind a name, or behind what it signs.
  [
    "login logon signin sign_in authenticat credential basic_auth basicauth http_auth httpauth .auth create_user createuser password simple_bind ldap.bind jwt. createHmac createCipheriv AES.encrypt AES.decrypt DBI->connect getConnection mysql_connect mysqli DirectoryEntry OpenDSObject WiFi.begin RestClient",
    opening + args(1, 4),
  ],
  ["getConnection( WiFi.begin( DBI->connect( mysql_connect( mysqli(", args(1, 2), isWorded],
  // It stands behind a place and a name.
  ["FTP connect Sequelize PDO", opening + args(2, 4)],
  ["sp_addlogin", String.raw`[ \t]{1,4}${args(1, 2)}`],
];

const phrases = new Map<string, readonly Phrase[]>();

/** The rule by which they go. */
export const callRule: PhraseRule = {
  id: "credential-call",
  finds: "the secret handed to a call that signs in, connects, signs or makes credentials",
  kind: "password",
  words: [...new Set(calls.flatMap(([names]) => names.split(" ")))],
  gone: [
    'new PasswordAuthentication("ada@example.com", "«{a16}»")',
    "DBI->connect($dsn, 'ada', '«{a12}»')",
    'new NetworkCredential("ada", "«{a14}»")',
    'DriverManager.getConnection("jdbc:x", "ada", "«{a12}»")',
    "server.login('ada@example.com', '«{a16}»')",
    'Client::builder().basic_auth("ada", Some("«{a12}»"))',
    "Aws::Credentials.new('AKIAEXAMPLE', %q(«{b40}»))",
    "jwt.sign(payload, '«{a24}»', { expiresIn: '1h' })",
    "signInWithEmailAndPassword(auth, 'a@example.com', '«{a14}»')",
    "ssh.connect(host, 22, 'ada', '«{a12}»')",
    "redis.auth('«{a20}»')",
    'new DirectoryEntry("LDAP://dc1", "acme\\ada",\n  "«{a12}»");',
    "EXEC sp_addlogin 'ada', '«{a12}»'",
    'require("twilio")("AC0123", "«{h32}»")',
    "new AcmeClient('«{a32}»')",
    'flickrapi.FlickrAPI("{h32}", "«{h16}»")',
    'OAuth1UserHandler("{a25}", "«{a50}»", "{d19}-{a30}", "«{a45}»")',
    "Twitter(auth=OAuth('«{a50}»',\n  '«{a45}»', '«{a25}»', '«{a50}»'))",
    'requests.get(url, auth=("ada", "«{a12}»"))',
    'session.auth = ("ada", "«{a12}»")',
    "client.login('«{a28}»');",
    'bot.run("«{a59}»")',
    'new mysqli("db", "shop", "«{a12}»", "shop")',
    'WiFi.begin("Shed", "«plums-and-pears»");',
  ],
  stay: [
    'new PasswordAuthentication("ada", password)',
    "DBI->connect($dsn, $user, $password)",
    'new NetworkCredential("ada", "password")',
    'router.get("/login", "loginPage2")',
    'connect("localhost", "shop2024db")',
    'new QueryClient("{h32}")',
    'getConnection("jdbc:x", "ada", "password")',
    'api("users", "{h8}-{h4}-{h4}-{h4}-{h12}")',
    'client("get", "reset-2024-of-x")',
    "jwt.sign(payload, secret, { expiresIn: '1h2' })",
  ],
  phrases,
};

for (const [names, rest, accepts = isMade] of calls) {
  const value = accepts === isWorded ? worded : wrapped;
  const pattern = once(() => new RegExp(rest + value, "iy"));
  const phrase: Phrase = {
    get rest() {
      return pattern();
    },
    ...{ accepts, inside: true, rule: callRule },
  };
  for (const word of names.split(" ")) phrases.set(word, [...(phrases.get(word) ?? []), phrase]);
}

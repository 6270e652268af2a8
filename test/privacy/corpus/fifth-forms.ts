// Forms of a fifth reading: letters without a digit, names of one word and of several, lists and cells, lines that stand behind a prefix.
import { lined, type Row } from "./third-fill.ts";

/** Values of letters alone, with a sign or a dot between. */
export const lettersAlone: readonly Row[] = lined(`
env | DB_PASSWORD=«{A18}»
env, opening bracket | SMTP_PASSWORD=«{A8}({A7}»
env, angle | API_TOKEN=«{A8}<{A7}»
env, square | JWT_SECRET=«{A8}[{A8}»
yaml, dots | client-secret: «{A7}.{A6}.{A5}»
properties, dots | db.password=«{A5}.{A5}.{A5}»
option | acme login --access-token=«{A6}.{A8}» --user ana
go | os.Setenv("STRIPE_SECRET", "«{A8}({A8}»")
php | define('APP_SECRET', '«{A16}»');
python | token = os.environ.get("API_TOKEN", "«{A20}»")
javascript | const s = process.env.AUTH_KEY ?? "«{A9}]{A9}»"
rust | let signing_key = String::from("«{A6}.{A6}.{A6}»");
lisp | (setq access-key "«{A14}»")
sql | INSERT INTO users (name, deploy_token) VALUES ('ana', '«{A16}»');
powershell | Connect-Thing -User ana -ApiKey '«{A7}<{A9}»'
define | #define ACME_MASTER_KEY "«{A9}.{A7}»"
colon | accessKey : «{A14}»
header | curl -H 'X-Acme-Password: «{A20}»' https://x.example
arrow | storage-account-key => «{A16}»
make | TOKEN := «{x20}»
cmake | set(REGISTRY_PASSWORD "«{A12}.{A6}»")
`);

/** What a name says that is written with blanks, stands for many, or is a key in another language. */
export const saidNames: readonly Row[] = lined(`
blank, equals | Storage account key = «{a6}+{a8}»
blank, colon | License key: «{a6}!{a6}»
blank, prose | the master key is «{a14}»
blank, quoted | use the encryption key "«{a6}.{a8}»" for it
blank, backticks | set the service account key to ´«{a8}~{a6}»´ first
blank, uuid | client secret - «{uuid}»
blank, cell | ⏎| name | value |⏎|---|---|⏎| API key | «{a8}#{a6}» |
blank, brackets | log in (master key: «{a6}~{a8}») now
many | const tokens = "«{a20}»";
many, env | PASSWORDS=«{a6}/{a8}»
many, yaml | access_tokens: '«{h40}»'
many, json | {"dbPasswords": "«{signed}»"}
many, command | docker run -e API_TOKENS=«{a24}» img
portuguese key | chave = "«{a14}»"
portuguese key, option | acme login --chave '«{signed}»'
german key | SCHLÜSSEL=«{a6}&{a6}»
german key, camel case | const appSchluessel = "«{a16}»";
german key of an API | api-schlüssel: «{a6};{a6}»
french key | clé : «{a6}\${a8}»
french key, secret | clé secrète: «{a7}|{a6}»
italian key | {"chiave": "«{h32}»"}
polish key | export KLUCZ=«{a18}»
russian key | Ключ: «{a6}@{a8}»
russian, capital | Токен = "«{a20}»"
finnish key | avain: «{a20}»
turkish key | anahtar=«{a9}={a9}»
japanese key | api_キー = "«{a20}»"
danish key, prefix | app_nøgle = "«{a16}»"
german adjective | geheim=«{a6}^{a7}»
french, camel case | String acmeMdp = "«{a14}»";
turkish, camel case | AppŞifre: "«{a6}*{a7}»"
spanish, purpose behind | contraseña_del_servidor = "«{a14}»"
`).map(([name, row]) => [name, row.replaceAll("´", "`")] as const);

/** Lists under the name of one, cells of tables, elements. */
export const listedOnes: readonly Row[] = lined(`
json, one item | {"password": ["«{a14}»"]}
json, chosen | {"admin-password": ["«{signed}»"]}
yaml, one item | DB_PASSWORD:⏎  - «{a6}){a8}»⏎
yaml, base 64 | webhook_secret:⏎  - «{b40}»==⏎next: 1
yaml, pwd | pwd:⏎  - «{a14}»⏎
table, two columns | | user | access_key |⏎|------|-----|⏎| ana  | «{a8}>{a8}» |
table, signs | | user | secret |⏎|------|-----|⏎| ana  | «{a8}[{a4}{{a4}» |
table, numbered | 12→t| user | password |⏎13→t|---|---|⏎14→t| ana | «{a14}» |
csv, colon | user,pg_password⏎ana,«{a8}:{a8}»⏎
csv, hexadecimal | user,credential⏎ana,«{h40}»⏎
csv, spanish | user,contraseña⏎ana,«{a14}»⏎
insert, hexadecimal | INSERT INTO apps (name, app_secret) VALUES ('ana', '«{h40}»');
insert, japanese | INSERT INTO users (name, パスワード) VALUES ('ana', '«{a20}»');
plist, russian | <key>Токен</key>⏎<string>«{a18}»</string>
grep, no blank | src/a/b.py:12:client_secret:«{a16}»
in quotes, blanks | docker run -e 'DB_PASSWORD=«{a6} {a7} {a5}»' img
`).map(([name, row]) => [name, row.replaceAll("→t", "\t")] as const);

/** Values on a line below their name, where every line has something before it. */
export const prefixedLines: readonly Row[] = lined(`
mail, yaml block | > deploy_token: |⏎>   «{a18}»⏎> port: 1
mail, twice | >> <key>RedisPassword</key>⏎>> <string>«{a8}*{a8}»</string>
compose, environment | web-1  | - name: PASSPHRASE⏎web-1  |   value: "«{a8}#{a6}»"
compose, plist | web-1  | <key>AuthToken</key>⏎web-1  | <string>«{a16}»</string>
kubectl, environment | [pod/api-6f9c/api] - name: SMTP_PASSWORD⏎[pod/api-6f9c/api]   value: "«{a8}&{a6}»"
container, yaml block | 2026-03-04T05:06:07.123Z stdout F credential: |⏎2026-03-04T05:06:07.123Z stdout F   «{a16}»
grep, variable | infra/main.tf:12:variable "login_password" {⏎infra/main.tf:13:  type    = string⏎infra/main.tf:14:  default = "«{a14}»"⏎infra/main.tf:15:}
grep, context | infra/main.tf-12-variable "api_key" {⏎infra/main.tf-13-  default = "«{a14}»"⏎infra/main.tf-14-}
grep, list | conf/app.yml:bearer_token:⏎conf/app.yml:  - «{a18}»
hash, yaml block | #ACME_JWT_SECRET: |⏎#  «{a14}»⏎#port: 1
slashes, yaml block | // storage_key_password: |⏎//   «{a18}»
semicolon, below | ; postgres password:⏎; «{a8}){a8}»
remark, plist | REM <key>ClientSecret</key>⏎REM <string>«{a6};{a8}»</string>
star, table | * | user | password |⏎ * |---|---|⏎ * | ana | «{a14}» |
diff, yaml block | < deploy_token: |⏎<   «{a18}»
diff, context | ! prod-secret: |⏎!   «{a9}.{a9}»
syslog, table | Mar  4 05:06:10 host1 app[42]: | user | secret |⏎Mar  4 05:06:11 host1 app[42]: |---|---|⏎Mar  4 05:06:12 host1 app[42]: | ana | «{a16}» |
log, variable | 2026-03-04T05:06:10Z variable "x_secret" {⏎2026-03-04T05:06:11Z   default = "«{a14}»"⏎2026-03-04T05:06:12Z }
log with level | 2026-03-04 05:06:10,123 INFO  <key>EncryptionKey</key>⏎2026-03-04 05:06:11,123 INFO  <string>«{a14}»</string>
log with logger | 2026-03-04 05:06:10 DEBUG [main] c.a.shop.Config - secret:⏎2026-03-04 05:06:10 DEBUG [main] c.a.shop.Config -   - «{a18}»
log in brackets | [05:06:10] [WARN] - name: HESLO⏎[05:06:11] [WARN]   value: "«{a7};{a7}»"
`);

/** What stays: the same forms without a secret. */
export const fifthLookAlikes: readonly Row[] = lined(`
destructured | const{token:e,secret:t}=n;return i({token:e,secret:t})
void | n.token=d(n.token),n.password=void 0,delete n.secret
crosses | GITHUB_TOKEN=ghp_xxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxxx
expression | "regex": "(secret|token)[^\\\\s]{8,}"
sed | sed -E 's/(api_key: ).*/\\1<hidden>/'
rules of a form | 'password' => ['required', 'min:8', 'max:255', 'confirmed'],
rules in json | {"password": ["required", "min:8", "between:8,64"]}
list of names | {"secret": ["db-credentials", "tls-cert"]}
type of many | def match(signing_keys: List[PyJWK], kid: str)
passed on | Pass session_cwd to TranscriptRenderer.render/2 for relative paths
counted | input_tokens: 20480, output_tokens=512k
primary key | the primary key of users is user_id2, the foreign key order_id3
key of a map | cache key: user:42:profile
spanish message | contraseña: obligatoria
german sentence | Schlüssel: siehe Handbuch Kapitel4
russian word | Исключение: файл2.txt не найден, включение: режим3
french word | clé: voir section2
portuguese call | chave = lerChave(arquivo2)
table of names | ⏎| key | meaning |⏎|---|---|⏎| token2 | see section3 |
logged | 2026-03-04T05:06:10Z password:⏎2026-03-04T05:06:11Z ok2
quoted mail | > password:⏎> please send it2
`);

/** Values of several runs in quotes, and sentences that say a password at their end. */
export const saidAtEnd: readonly Row[] = lined(`
two runs | const password = "«{a6} {a8}»";
three runs, capital first | api_key: "«Q{d1}{a4} {a6} {a5}»"
three runs, go | userPassword := "«{a5} {a6} {a4}»"
two runs, pass | export DB_PASS="«{a7} {a8}»"
two runs, key | geheim = '«{a6} {a7}»'
made at first | 2026-03-04T05:06:07Z 6 [Note] A temporary password is generated for root@localhost: «{a14}»
made for a user | The initial password for the user admin was set to: «{a14}»
the same, indented | password of the new database user shop_rw: «{a12}»
login, address | you can sign in with ana@example.net / «{a14}»
credentials, stroke | temp credentials ana/«{a14}»
credentials, colon | new creds ana:«{a14}»
expect, numbered | 12→t expect "assword:"⏎13→t send "«{a14}»\\\\r"
expect, grep | login.exp:12:expect "assword:"⏎login.exp:13:send "«{a14}»\\\\r"
variable, arrow | §ANSIBLE_BECOME_PASS -> «{a14}»
variable, arrow of two | DB_PASS => «{a14}»
one of a list | {"passwd": ["«{x3}{d1}{x4}{d1}»"]}
`).map(([name, row]) => [name, row.replaceAll("→t ", "\t").replaceAll("§", "$")] as const);

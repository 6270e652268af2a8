// Forms of a fourth reading: words of other languages, names of services alone, values that look like code, dumps.
import { blocked, lined, type Row } from "./third-fill.ts";

/** Names in other languages in the forms that English names have. */
export const foreignNames: readonly Row[] = lined(String.raw`
german, closing bracket | Passwort: «{a4}){a8}»
german, compound | Datenbankpasswort=«{a4}&{a3};{a5}»
german, camel case | const dbKennwort = "«{x5}[{d3}»";
german, secret | geheimnis: «{x4}}{d2}>{a5}»
spanish, walrus | la_contraseña := "«{a18}»"
spanish, compared | if (contraseña === '«{a12}') {»
spanish, capitals | CONTRASEÑA=«{a4};{a7}»
spanish, secret | secreto '«{a4}!{a6}';»
spanish, token | ficha_token: «{a24}»
spanish, JSON | {"contraseña_bd": "«{a5},{a4}»"}
french, underscores | mot_de_passe=«{a3}|{a4}<{a3}»
french, one word | MOTDEPASSE=«{a5}({d2}{a4}»
french, short | mdp: «{a4}]{d2}{a5}»
portuguese, element | <senha>«{a4}&{a6}»</senha>
portuguese, default | senha = os.getenv("SENHA") or "«{a5}#{a6}»"
portuguese, secret | segredo = "«{a16}»"
italian, secret | SEGRETO=«{a4}>{a6}»
polish, quote inside | hasło=«{a4}"{d2}{a6}»
polish, option | tool --haslo «{a12}»
polish, capitals | HASŁO_BAZY=«{a4};{a6}»
dutch, arrow | wachtwoord => "«{a4}}{a6}»"
swedish, setter | config.set("lösenord", "«{a5}!{a6}»")
norwegian, yaml | passord: «{a4},{a6}»
danish, properties | db.adgangskode=«{a4}[{d2}{a5}»
finnish, brackets | salasana: «{a4}]{a3}'{a4}»
czech, env | HESLO=«{a4}){a6}»
hungarian, env | jelszó=«{a4}|{a6}»
turkish, brace | şifre: «{a3}}{d1}{a2}>{a6}»
russian, signs | пароль=«{a4}&{a3};{a4}»
russian, token | токен: «{a32}»
russian, quoted | секрет = "«{a5}({a6}»"
chinese, signs | 密码=«{a4};{a3}&{a4}»
chinese, token | 令牌: "«{a30}»"
japanese, JSON | {"パスワード": "«{a4},{a6}»"}
korean, signs | 비밀번호=«{a4}|{a6}»
estonian | parool=«{a4}<{a6}»
croatian | lozinka: «{a4}){a6}»
reversed, double | if "«{a20}" == api_key:»
reversed, single | if ('«{a20}' === user_clientkey) {»
reversed, strict not | return '«{a16}' !== secreto;»
`).map(
  // A quote or bracket behind the value is none of it.
  ([name, row]) => [name, row.replace(/(['"] ?(?:\) \{|[!=]==?[^»]*|;))»/, "»$1")] as const,
);

/** Names of services with nothing else, and beginnings of tokens. */
export const servicesAlone: readonly Row[] = lined(`
etsy, yaml | etsy: "«{l24}»"
fastly, JSON | {⏎  "fastly": "«{w32}»",⏎  "port": 1⏎}
heroku, yaml | services:⏎  heroku: «{uuid}»
mapbox, toml | mapbox = "«{a40}»"
netlify, env | netlify=«{w43}»
datadog, yaml | datadog: «{h32}»
okta, list | okta: '00{w40}»'
snyk, uuid | snyk: «{uuid}»
asana, in a log | DEBUG asana client ready with token «{a32}»
qubole, in a log | INFO qubole started with api key «{l64}»
plivo, in a log | plivo session opened using token «{a40}»
shodan, section | [shodan]⏎timeout = 3⏎key = «{a32}»
sendgrid, section | [sendgrid]⏎key = «{h40}»
pipedrive, yaml | pipedrive:⏎  key: «{h40}»
square, value | {"value": "EAAA«{a40}»"}
square, line | sent EAAA«{w33}q» to it
artifactory, echo | echo AKC«{d1}{a64}»
facebook, app | token is {d15}|«{a27}»
facebook, encoded | ?access_token={d15}%7C«{a32}»
docker, identity | {"auths": {"r.example": {"identitytoken": "«{a40}»"}}}
docker, registry | "registrytoken": "«{a40}»"
cookie rows | sqlite> select host,name,value from moz_cookies;⏎.x.example|sid|«{a40}»
websocket | Sec-WebSocket-Protocol: bearer, «{a40}»
go, bare | shop:«{a5}!{a7}»@tcp(db:3306)/shop
go, env | DSN=shop:«{a5}!{a7}»@tcp(db:3306)/shop
header, inner sign | X-Acme-Key: «{a24}={a20}.-+{a5}»
unknown beginning, base 64 of addresses | made «acme_{w20}Q7x{w20}» for it
unknown beginning, env | ACME=«zed-{w22}k4Q{w22}»
new beginning, vercel | {"value": "«vck_{w56}»"}
new beginning, xai | tool push xai-«{w84}»
new beginning, posthog | - \`phx_«{w46}Q7»\`
new beginning, slack | xoxd-«{w20}+{w30}/{w60}»
new beginning, configcat | configcat-sdk-1/«{w22}/{w22}»
new beginning, aikido | echo AIK_CI_«{a30}7»
new beginning, devin | apk_user_«{b140}»== there
new beginning, minimax | sk-api-«{w118}7» there
new beginning, yandex | trnsl.1.1.20240102T101112Z.«{h16}.{h40}»
new beginning, entra | echo 0.A«{w60}.Ag{w280}»
new beginning, ramp | ramp_sec_«{a48}» there
new beginning, photoroom | {"value": "sk_pr_«default_{h40}»"}
new beginning, sanity | token is «sk{a79}»
new beginning, bitbucket | git clone https://ada:ATBB«{w150}={H8}»@bitbucket.org/a/b
mark of Tableau | secret «{b22}==:{a32}» of it
vault, role | VAULT_ROLE_ID={uuid}⏎VAULT_SECRET_ID=«{uuid}»
vault, written | vault write auth/approle/login role_id="{uuid}" secret_id="«{uuid}»"
vault, table | Key        Value⏎---        -----⏎secret_id  «{uuid}»
active directory | DSO.OpenDSObject("LDAP://h.example", "cn=admin", "«{a14}$»", 1)
three parts joined | WEIGHTS_AND_BIASES_KEY: «{h40}»
service within a longer name | the azure_openai key «{h32}» there
provider beside it | {"provider": "deepgram", "key": "«{h40}»"}
provider above it | service: etsy⏎key: «{h24}»
column of a table | |fastly|«{w32}»|
column of a table, uuid | | postmark | \`«{uuid}»\` |
client made | webflow.init('«{h64}»')
variable called so | export LOGGLY=«{uuid}»
variable called so, hex | ENV PUSHER=«{h20}»
pair in a header | Authorization: Etsy «{l24}:{l10}»
user alone, base 64 | curl -u «{b58}==»: https://api.kraken.example/0
number before hex | UPTIMEROBOT_KEY="«u{d7}-{h24}»"
capitals, one digit | const CONFLUENT_KEY = "«YLJ1BPTVNNSQ{u4}»";
name that trufflehog keeps room for | COINGECKO=«{h32}»
name that trufflehog keeps room for, joined | "open_route_service": "«{h56}»"
name of a cloud | hetznerToken = "«{a64}»"
name of a voice | {"provider": "speechmatics", "key": "«{a32}»"}
name of an exchange | # binance⏎key: «{a64}»
name of a mail service | the mailtrap api key is «{h32}» now
digit among capitals | ENV TEXT2DATA_KEY «{uuid}»
long, in a sentence | the aliyun api key is «CAIS{b520}»=, please rotate it
long, in an element | <viewneo><apiKey>«{a300}.{a500}»</apiKey></viewneo>
long, as an argument | gh secret set ACME_TOKEN --body «{a190}.{a300}.{a90}»
long, behind an option | sshpass -p '«{a260}»' ssh ada@h.example
strokes of base 64 | process.env.GREPTILE_KEY = '«{a12}/ygc{a9}/qt{a20}»'
sign of no at its beginning | define('ACME_API_KEY', '«!I^4TER!{a6}^!{a5}»');
new beginning, pagarme | login with ak_live_«{a30}».
parts joined, two words | AZURE_DEVOPS="«{l52}»"
found by grep | src/a.ts:12:fastly: "«{w32}»"⏎src/b.ts:3:x: 1
found by grep, with its command | $ grep -rn splunk src⏎src/a.yml:12:SPLUNK=«{a22}»
quoted | > netlify: "«{w43}»"⏎> port: 1
old webhook | https://outlook.office.com/webhook/«{uuid}@{uuid}/IncomingWebhook/{h32}/{uuid}»
under a comment | # hubspot⏎key: «{uuid}»
under a comment of code | // kontent api⏎key = "«{uuid}»"
under a comment, hex | ; toggl⏎key: «{h32}»
parts joined, underscore | customer_io: "«{h20}»"
parts joined, dot | last.fm = «{h32}»
parts joined, hyphen | {"travis-ci": "«{a22}»"}
parts joined in a name | 'new_relic_key' => '«{h40}»',
parts joined in a sentence | the customer.io key is «{h20}» there
long | SIMPLYNOTED=«{a350}»
hex of 128 digits | planview: "«{h128}»"
base 64 | imagekit: "private_«{b27}=»"
base 64 in capitals | FULLSTORY=«{b86}==»
pair | OPTIMIZELY=2:«{a52}»
pair in a sentence | using etsy token «{l24}:{l10}» now
row of Laravel | convier key: \`63|«{a40}»\`
parts by dots | caflou: "«{a30}.{a60}.{a40}»"
word alone | splunk: "«{a22}»"
word alone, env | export SEGMENT=«{a43}.{a43}»
signs in a key | onedeskKey = "«{a8}$!{a6}»"
signs in a sentence | the satismeter token is «{a10}$^{a6}»
uuid of a new name | 'tatum_key' => '«{uuid}»',
french part of a word | {"circle_api_key": "«{h40}»"}
spanish part of a word | enclave_api_key = "«{h40}»"
`).map(([name, row]) => [name, row.replace("'00{w40}»", "'«00{w40}»")] as const);

/** Values that look like a call or a path of names, dumps, and encodings. */
export const codeLikeValues: readonly Row[] = blocked(String.raw`
=== call
SECRET=«{x3}OC{d1}(p{x2}{d1}D)»
=== call behind export
export API_SECRET=«q{x2}ZX{d1}(k{d1}Q{x2})»
=== scope
api_key=«{x6}::kn{d2}fq»
=== scope in an env file
PORT=1
DB_PASSWORD=«Ab{x4}::p{d2}zk»
=== leading bracket
ACME_PRIVATE_KEY=«[bk)J{d1}Q{d1}Z@yc|C{d1}e[lV({a8}»
=== leading brace
APP_SECRET=«{a3}{{d1}q)Z{a6}»
=== leading round bracket
TOKEN=«(a{d1}Q{d2}x]Z{a6}»
=== password in hex
password_hex = «{h46}»
=== secret in hex
SECRET_HEX=«{h48}»
=== base64 of settings in a patch
@@ -1,0 +1 @@
+⟦base64|DB_HOST=d1
DB_PASSWORD=«{a22}»⟧
=== base64 of settings in JSON
{"text":"$ base64 .env\n⟦base64|DB_HOST=d1 DB_PASSWORD=«{a22}»⟧\n"}
=== env in numbered lines
12→t- name: DB_TOKEN
13→t  value: "«{a14}»"
=== variable in numbered lines
7→tvariable "db_password" {
8→t  default = "«{a14}»"
`);

/** Keys whose owner no list names, under a name that is all that tells. */
export const unknownOwners: readonly Row[] = lined(`
camel case, hexadecimal | const medixKey = "«{h32}»";
camel case, UUID | let zorblyKey = '«{uuid}';»
low line, arrow | 'quantar_key' => '«{h40}»',
low line, JSON | {"nordigo_key": "«{uuid}»", "retries": 3}
hyphen, YAML | trunkee-key: «{h64}»
one word | fleetiokey = «{h32}»
one word, quoted | hubblykey: "«{uuid}»"
list of markdown | - Plovo key: ´«{h32}»´
log, token | INFO worker-3 using plovo token «{h40}»
log, token, UUID | DEBUG signing in with the brivo token «{uuid}»
prose, secret | the snapwell secret «{h40}» was rotated
known owner, longer name | algolia_search_key: «{h32}»
short behind a telling beginning | zorb_sk_«{a24}»
one case behind a telling beginning | use zorb_live_«{l24}» here
capitals before the run | ZORB_CI_«{a32}»
pair in a header | Authorization: zorb-key «{a37}:{a24}»
client of a service | const client = new Zendesk("«{a40}");»
field, value first | <input value="«{a10}{d2}!»" type="password">
field, capitals | <INPUT TYPE="PASSWORD" VALUE="«{a10}{d2}!»">
base 64 of a number and a secret | curl -H "X-Pat: «MjQzMjkzMDQyNTI1Ok{b26}»" https://wiki.example.net
hash of Kerberos | $krb5asrep$23$ada@x.example:{h32}$«{h200}»
command, key | vastai set api-key «{h64}»
`);

/** What looks like these and holds no secret. */
export const fourthLookAlikes: readonly Row[] = lined(`
css, focus | #password:focus{outline:2px solid #0af}
css, hover | .token:hover { color: #369 }
css, not | #secret:not(.open){display:none}
sed | s/password=[^&]*/password=***/g
sed, other sign | sed -E 's#token=[^ ]+#token=***#' log.txt
look-behind | rg --pcre2 '(?<=token=)[^&]+' logs/
look-ahead | grep -P 'password(?==[^;]*)' x
german prose | Passwort: ungültig, bitte erneut versuchen
german label | Kennwort: mindestens 12 Zeichen
spanish prose | contraseña: inválida.
french prose | mot de passe : obligatoire, à saisir
russian prose | пароль: неверный!
polish label | hasło: wymagane!
turkish label | şifre: geçersiz.
chinese label | 密码: 不能为空！
spanish, code | const contraseña = leerContraseña();
portuguese, code | senha=config.senha
german, hash | passwort_hash: {h64}
french, key of a map | clé: valeur
commit of a service | github: {h40}
digest of a service | vercel: {h64}
port of a service | heroku: 8080
version of a service | sentry: 7.120.3-beta.1
name of a project | vercel: my-project-of-the-year-2024
channel of a service | slack: C04ABCD1234
log of a service | INFO github client ready with key {h40}
base64 of a picture | "value": "EAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA"
table | 2024|alpha|beta|gamma
code, call | SECRET = get_secret(name2)
code, call in a file of shell | token=$(vault read -field=x secret/y)
dump | 00000000: 7f45 4c46 0201 0100 0000 0000 0000 0000  .ELF............
cookies, count | select count(*) from cookies;⏎12
name of a class | my-Component_With2-Many3-Parts4_And5-Digits6_In-Its7-Name_of8-Words
session of a client | req_{w48}
anchor | docs-Getting-Started-With-V2_3-Of-The-Library-And-Its-Plugins
revision | revisionKey = "{h40}"
row of a table | {"primary_key": "{uuid}"}
key of a list in React | <Row rowKey="{uuid}" />
key of a cache, one word | cachekey = {h64}
token of a parser | unexpected token {h40} in the answer
word that ends so | monkey = "{h32}"
site key, one word | data-sitekey="{h40}"
name of a message | user_{a24}
secret of a store | {"secret_id": "{uuid}"}
column of a table, revision | | gitlab | {h40} |
variable called so, revision | GITHUB={h40}
provider, kind of key | {"provider": "google", "key": "primary-of-two"}
comment, revision | # github⏎commit: {h40}
comment, word | # cache⏎key: {h40}
word, digest | splunk: {h40}
word, version | segment: 9.12.3-beta.4+build.5678
word, name | flickr: photo-of-a-very-long-name-2024
name, address | imagekit: https://ik.imagekit.io/acme/pictures/2024-01-02_header.png
name, pair | sentry: org:project-of-the-year
name, time | sparkpost: 2024-01-02T10:11:12.345+01:00
websocket, names | Sec-WebSocket-Protocol: graphql-ws, chat
`);

// Forms that published rules of scanners name and that no corpus before held: tokens, names of variables, odd places.
import { blocked, type Row } from "./third-fill.ts";

/** Tokens with a form of their own, in places that say nothing of them. */
export const publishedTokens: readonly Row[] = blocked(String.raw`
=== apify, of the page
{"id": 7, "value": "«apify_ui_{a36}»"}
=== hcaptcha
| prod | «ES_{h32}» |
=== lark session
set it up with «XN0YXJ0-{w60}-WVuZA» there
=== workato
tool push «wrkaeu-eyJhbGciOi{a20}.eyJ{a60}.{w86}»
=== yandex session
- ´«c1.9euelZ{w120}.{w86}»´
=== contribsys, command
bundle config enterprise.contribsys.com «{h8}:{h8}»
=== courier
courier.send --auth «dk_prod_{a24}»
=== deepl, free
deepl.Translator("«{uuid}:fx»")
=== swarm, unlock
docker swarm unlock <<< «SWMKEY-1-{b48}»
=== swarm, join
docker swarm join --token «SWMTKN-1-{l49}-{l26}» 10.0.0.1:2377
=== cfx
the server key is «cfxk_{a17}-{a8}»
=== gemfury, empty password
source "https://«{a20}»:@gem.fury.io/me/"
=== ghost, admin
new GhostAdminAPI({ url: 'https://x.example', key: '«{h22}7a:{h64}»' })
=== instagram
| prod | «IGQVJ{w60}» |
=== appsync
x-api-key of the host is «da2-{l26}»
=== slack, old app
$ echo «xapp-{d12}-{a24}» > /tmp/t
=== facebook, app
export DEPLOY_AUTH=«{d16}|{w24}4fQ»
=== beamer, lower case
tool push «b_{l9}2{l4}9{l8}={l4}3{l8}7{l6}»
=== freemius
client = Client("«sk_{A3}^Q7{a5}#{a17}»")
=== grafana, short
- ´«eyJrIjoi{b50}==»´
=== finage
I set it up with «API_KEY{u31}» on the box
=== cisco, type 8
enable secret 8 «§8§{a14}§{a43}»
=== cisco, type 9
username ada secret 9 «§9§{a14}§{a43}»
=== tines
curl https://acme.tines.com/webhook/«{h32}/{l32}»
=== salesforce, of a user
sid=«006{a12}!{a96}»
=== bearer, hexadecimal
- Bearer «{h64}»
=== artifactory, encrypted password
"«AP9{a56}»"
=== ssh2 key
---- BEGIN SSH2 ENCRYPTED PRIVATE KEY ----
«{b64}»
«{b60}»
---- END SSH2 ENCRYPTED PRIVATE KEY ----
=== wordpress, double quotes
define("SECURE_AUTH_SALT", "«{a9}#{a10}»");
=== wordpress, nonce
define( "NONCE_KEY", "«{a9} {a9}|{a6}»" );
=== curl, blank escaped
curl -H Authorization:\ Bearer\ «{a32}» https://api.acme.example
=== curl, token escaped
curl -H Authorization:\ Token\ «{h40}» https://api.acme.example
`);

/** Names that promise a secret in a way of their own, and services whose own name stands alone. */
export const publishedNames: readonly Row[] = blocked(String.raw`
=== token in one word
repotoken = "«{a24}»"
=== token in one word, env
export VSCETOKEN=«{a24}»
=== secret in one word
docker run -e MYSQLSECRET=«{h40}» acme/app
=== key in one word
BINTRAYKEY: «{a24}»
=== password and whose
PASSWORDTRAVIS=«{x9}{d2}»
=== password and whose, yaml
  passwordjenkins: «{x9}{d2}»
=== private alone
stripe_private = "«{a24}»"
=== private alone, camel
"stripePrivate": "«{h40}»",
=== key and which
ALGOLIA_ADMIN_KEY_MCM=«{h40}»
=== key and which, camel
"algoliaAdminKeyMcm": "«{a32}»",
=== sign-in, small
prebuild_auth=«{h40}»
=== sign-in, yaml
  CATTLE_AGENT_INSTANCE_AUTH: «{h40}»
=== skey
OMISE_SKEY: «{h40}»
=== record key
cypress_record_key=«{h40}»
=== license
newrelic.license="«{h40}»"
=== keystring
etsy keystring = "«{l24}»"
=== login of sonar
property "sonar.login", '«{h40}»'
=== redis auth
config.redis.auth = '«{a16}»'
=== service alone, digest
PINATA=«{h64}»
=== service alone, two words
IBMCLOUD=«{w44}»
=== service alone, yaml
  shopee: "«{h64}»"
=== service alone, digest in yaml
gumroad: "«{h64}»"
=== service alone, arrow
    'algolia' => '«{a32}»',
=== service alone, container
docker run -e SENDGRID=«{a32}» acme/app
=== service alone, before a command
AIRTABLE=«{a24}» node sync.js
=== option behind a login
$ coinlib login --token «{x8}{d2}{x6}»
=== option behind another command
acme-cli connect --token «{x10}{d3}» --region eu
=== session of aws
"awsSession": "«{b160}==»"
=== token of digits
      VBOUT_TOKEN: «{d25}»
=== service alone, in capitals
ORBIT=«{a43}»
=== key shown once
unkey_plaintext=«{a38}»
=== service, client
new Novu("«{h32}»")
=== service, whose key
keen master key «{h64}»
=== nessus
nessuscli agent link --key=«{h64}» --host=x.example.com
=== trend micro
Client("«tmc1{a28}:{a64}»")
=== twitter
Twitter(auth=OAuth('«{a50}»',
  '«{a45}»',
  '«{a25}»',
  '«{a50}»'))
=== php, serialized
a:1:{s:8:"password";s:12:"«{a12}»";}
=== php, serialized key
"fbconnectkey";s:32:"«{h32}»";
`);

/** Places of command lines, settings and tests that no corpus before held. */
export const oddPlaces: readonly Row[] = blocked(String.raw`
=== decoded, echo
echo «⟦base64|ana:{a14}⟧» | base64 -d
=== decoded, printf
printf '«⟦base64|svc@acme.example:{a16}⟧»' | base64 --decode > /tmp/x
=== decoded, here-string
base64 -d <<< "«⟦base64|{a24}⟧»"
=== decoded, openssl
echo «⟦base64|ana:{a14}⟧» | openssl base64 -d
=== decoded, atob
const [user, pass] = atob("«⟦base64|ana:{a14}⟧»").split(":");
=== decoded, python
cred = base64.b64decode("«⟦base64|ana:{a14}⟧»")
=== decoded, node
const auth = Buffer.from('«⟦base64|ana:{a14}⟧»', 'base64').toString();
=== decoded, powershell
[Text.Encoding]::UTF8.GetString([Convert]::FromBase64String("«⟦base64|ana:{a14}⟧»"))
=== wireless code
WIFI:T:WPA;S:acme;P:«{a20}»;;
=== wireless code, other order
qrencode -o w.png 'WIFI:S:Acme Guests;T:WPA2;P:«{plain}»;H:true;;'
=== yaml, tag of its own
bind_password: !vault-plain «{a20}»
=== yaml, tag of a type
password: !!str «{a6}{d2}{a4}»
=== yaml, tag unsafe
  db_password: !unsafe «{a4}%{a8}»
=== yaml, tag in quotes
  api_token: !plain "«{a24}»"
=== step, filled in
When I fill in "Password" with "«{a14}»"
=== step, label of the page
And I fill in "user_password_confirmation" with '«{a14}»'
=== step, typed into
 - type: "«{a14}»" into "#password"
=== step, entered
Then she enters "«{a14}»" into the password field
=== step, set
* I set "Login password" to "«{a14}»"
=== robot
    Input Password    id=password    «{a14}»
=== robot, text
    Input Text    name:login_password    «{a14}»
=== step, in
And I type '«{a14}»' in the "Password" box
=== french, joined by a hyphen
Le mot de passe est «{A7}-2{a5}»
=== german, words between
Das Passwort des Servers lautet «{A5}-7{a6}»
`);

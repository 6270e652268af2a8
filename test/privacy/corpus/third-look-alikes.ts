// What only looks like a secret and must stay: hashes, ids, placeholders, public keys, code and prose about secrets.
import { blocked } from "./third-fill.ts";

export const hashesAndIds = blocked(`
=== git log
commit {h40}
Merge: {h7} {h7}
Author: Ana <ana@acme.example>
=== git log, one line
{h7} Rotate the API token every 90 days
{h7} Fix password reset mail
=== git reflog
{h7} HEAD@{0}: commit: Move secrets to the vault
=== git index line
index {h7}..{h7} 100644
--- a/src/token.ts
+++ b/src/token.ts
=== git ls-tree
100644 blob {h40}→tsrc/auth/password.ts
=== git submodule
+{h40} vendor/secrets-store (v1.4.2-3-g{h7})
=== image digest
registry.acme.example/app@sha256:{h64}
=== docker build
 => exporting manifest sha256:{h64}
 => naming to docker.io/acme/auth-service:1.2.0
=== docker ps
{h12}   postgres:16   "docker-entrypoint.s…"   2 hours ago   Up 2 hours   5432/tcp   auth-db
=== sha256sum
{h64}  password-hasher-linux-amd64.tar.gz
=== md5sum
{h32}  tokens.csv
=== checksum in a formula
  url "https://files.acme.example/tokenizer-2.1.0.tar.gz"
  sha256 "{h64}"
=== etag
ETag: "{h32}"
Cache-Control: private, max-age=0
=== request id
x-request-id: {uuid}
x-amzn-trace-id: Root=1-{h8}-{h24}
=== trace parent
traceparent: 00-{h32}-{h16}-01
=== uuid column
 id                                   | name
--------------------------------------+-------
 {uuid} | token-service
=== uuid of a key
kms key id: {uuid} (enabled)
=== kms arn
arn:aws:kms:eu-central-1:123456789012:key/{uuid}
=== secret arn
arn:aws:secretsmanager:eu-central-1:123456789012:secret:prod/shop-{a6}
=== kubernetes uid
  uid: {uuid}
  resourceVersion: "48213377"
=== replica names
secret-rotator-{h9}-{l5}   1/1   Running   0   3d
=== object id
{ "_id": ObjectId("{h24}"), "kind": "token.issued" }
=== ulid
session 01J{u23} started
=== stripe ids
created pi_3{a23} for cus_{a14} with price_1{a23}
=== slack ids
channel C0{u9} user U0{u9} ts 1772366401.001200
=== twilio sids
Account SID AC{h32}, message SM{h32} delivered
=== key ids of certificates
X509v3 Subject Key Identifier:
    {H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}:{H2}
=== fingerprint
256 SHA256:{b43} ana@laptop (ED25519)
=== md5 fingerprint
2048 MD5:{h2}:{h2}:{h2}:{h2}:{h2}:{h2}:{h2}:{h2}:{h2}:{h2}:{h2}:{h2}:{h2}:{h2}:{h2}:{h2} deploy key
=== gpg key id
pub   ed25519/{H16} 2026-01-02 [SC]
      Key fingerprint = {H4} {H4} {H4} {H4} {H4}  {H4} {H4} {H4} {H4} {H4}
=== serial of a certificate
serialNumber={H32}
=== nonce of csp
<script nonce="{b22}==" src="/app.js"></script>
=== webpack chunk
asset password-reset.{h20}.js 14.2 KiB [emitted] [immutable]
=== source map names
auth-{a8}.js      41.20 kB │ gzip: 12.31 kB
=== css module
.passwordField_{a5} { border: 0 }
=== cache key
Cache restored from key: node-modules-Linux-{h64}
=== ci run
Run actions/checkout@{h40}
=== action pin
uses: docker/login-action@{h40} # v3.3.0
=== terraform ids
random_password.db: Refreshing state... [id=none]
aws_secretsmanager_secret.db: Creation complete after 1s [id=arn:aws:secretsmanager:eu-west-1:123456789012:secret:db-{a6}]
=== tx hash
Transaction 0x{h64} mined in block 19283746
=== contract address
Token deployed at 0x{h40}
=== ipfs
ipfs://Qm{a44}
=== memory address
<TokenStore object at 0x7f{h10}>
=== core dump
rax            0x{h16}→trdi            0x{h12}
=== hex dump
00000000  7b 22 70 61 73 73 77 6f  72 64 22 3a 6e 75 6c 6c  |{"password":null|
=== test run id
run {h8}: 214 passed, 0 failed (auth/password.test.ts)
=== tool use ids
{"type":"tool_result","tool_use_id":"toolu_01{a22}","content":"ok"}
=== order numbers
Order 4839-2201-77 for token pack, tracking 1Z999AA10123456784
`);

export const placeholders = blocked(`
=== angle brackets
export API_TOKEN=<your-token>
=== angle brackets in words
curl -H "Authorization: Bearer <YOUR API KEY HERE>" https://api.acme.example
=== capitals
GITHUB_TOKEN=YOUR_GITHUB_TOKEN
=== variable
DB_PASSWORD=§{DB_PASSWORD}
=== variable without braces
curl -u "§USER:§PASSWORD" https://api.acme.example
=== variable with a question
password: §{DB_PASSWORD:?must be set}
=== windows variable
set TOKEN=%CI_TOKEN%
=== powershell variable
Authorization = "Bearer §env:GITHUB_TOKEN"
=== github expression
  token: §{{ secrets.GITHUB_TOKEN }}
=== gitlab variable
  - docker login -u "§CI_REGISTRY_USER" -p "§CI_REGISTRY_PASSWORD" §CI_REGISTRY
=== jinja
password: "{{ vault_db_password }}"
=== go template
password: {{ .Values.db.password | quote }}
=== erb
password: <%= Rails.application.credentials.db[:password] %>
=== asterisks
password: ********
=== asterisks after a beginning
Using token ghp_****************************
=== github mask
  GITHUB_TOKEN: ***
=== x signs
API_KEY=xxxxxxxxxxxxxxxxxxxxxxxx
=== dots
"apiKey": "sk-..."
=== ellipsis
ANTHROPIC_API_KEY=sk-ant-…
=== redacted
Authorization: Bearer [REDACTED]
=== redacted in angle brackets
"password": "<redacted>"
=== hidden
password = (sensitive value)
=== known after apply
      + password = (known after apply)
=== filtered
Parameters: {"email"=>"ana@acme.example", "password"=>"[FILTERED]"}
=== changeme comment
# POSTGRES_PASSWORD=changeme  <- set your own
=== empty
SMTP_PASSWORD=
SMTP_USER=
=== empty quotes
password: ""
token: ''
=== null and none
{"password": null, "token": false}
=== python none
password=None, token=None, api_key=None
=== undefined
password: undefined
=== example value of aws
AWS_ACCESS_KEY_ID=AKIAIOSFODNN7EXAMPLE
=== documentation
api_key: your-api-key-here
=== todo
secret: TODO
=== reference to a file
password_file: /run/secrets/db_password
=== reference to an environment
passwordFrom: env:DB_PASSWORD
=== secret key ref
          valueFrom:
            secretKeyRef:
              name: shop-db
              key: password
=== one password reference
DB_PASSWORD="op://Production/shop-db/password"
=== vault reference
password: vault:secret/data/shop#password
=== ssm reference
DB_PASSWORD={{resolve:ssm-secure:/shop/db/password:1}}
=== azure reference
"Password": "@Microsoft.KeyVault(SecretUri=https://acme.vault.azure.net/secrets/db)"
=== sops
password: ENC[AES256_GCM,data:{b12},iv:{b43}=,tag:{b22}==,type:str]
=== ansible vault name
db_password: "{{ lookup('env', 'DB_PASSWORD') }}"
=== prompt without an answer
Password for user shop:
=== prompt of git
Username for 'https://git.acme.example': ana
Password for 'https://ana@git.acme.example':
`);

export const publicThings = blocked(String.raw`
=== ssh public key
ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{b43} ana@laptop
=== ssh rsa public key
ssh-rsa AAAAB3NzaC1yc2EAAAADAQABAAABAQ{b120} deploy@ci
=== authorized keys
no-pty,command="/usr/bin/backup" ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{b43} backup
=== known hosts
|1|{b27}=|{b27}= ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI{b43}
=== pem public key
-----BEGIN PUBLIC KEY-----
{b64}
{b64}
{b24}
-----END PUBLIC KEY-----
=== certificate
-----BEGIN CERTIFICATE-----
MIID{b60}
{b64}
{b50}==
-----END CERTIFICATE-----
=== certificate request
-----BEGIN CERTIFICATE REQUEST-----
{b64}
-----END CERTIFICATE REQUEST-----
=== pgp public block
-----BEGIN PGP PUBLIC KEY BLOCK-----

mDME{b60}
{b64}
={b4}
-----END PGP PUBLIC KEY BLOCK-----
=== pgp signature
-----BEGIN PGP SIGNATURE-----

iQEz{b60}
={b4}
-----END PGP SIGNATURE-----
=== jwk public
{"kty":"EC","crv":"P-256","x":"{w43}","y":"{w43}","use":"sig","kid":"2026-01"}
=== jwks of rsa
{"keys":[{"kty":"RSA","n":"{w86}","e":"AQAB","alg":"RS256","kid":"{h16}"}]}
=== wireguard peer
[Peer]
PublicKey = {b43}=
AllowedIPs = 10.7.0.0/24
=== age recipient
age1{l58}
=== minisign public key
untrusted comment: minisign public key {H16}
RW{b54}
=== stripe publishable key
const stripe = Stripe("pk_live_{a24}");
=== recaptcha site key
<div class="g-recaptcha" data-sitekey="6L{w38}"></div>
=== sentry dsn
Sentry.init({ dsn: "https://{h32}@o12345.ingest.sentry.io/67890" });
=== google analytics
gtag('config', 'G-{u10}');
=== oauth client id
client_id={d12}-{l32}.apps.googleusercontent.com
=== image, png
<img src="data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ{b120}" alt="key">
=== image, svg
background: url("data:image/svg+xml;base64,PHN2ZyB4bWxucz0iaHR0cDovL3d3dy53My5vcmcvMjAwMC9zdmciIHdpZHRoPSIxMiI+{b80}");
=== font
src: url(data:font/woff2;base64,d09GMgABAAAAA{b160}) format("woff2");
=== notebook output
"image/png": "iVBORw0KGgoAAAANSUhEUgAAAoAAAAHgCAYAAAA{b150}\n",
=== source map
//# sourceMappingURL=data:application/json;base64,eyJ2ZXJzaW9uIjozLCJzb3VyY2VzIjpbImEudHMiXX0=
=== mappings
{"version":3,"sources":["auth.ts"],"names":["token","password"],"mappings":"AAAA,SAASA,IAAIC,QACX,OAAOD,KAAKE"}
=== htaccess hash named in a doc
A bcrypt hash begins with $2y$10$ and is 60 characters long.
=== totp address of an example
The address has the form otpauth://totp/Acme:ana?secret=BASE32SECRET&issuer=Acme.
=== dkim
v=DKIM1; k=rsa; p=MIGfMA0GCSqGSIb3DQEBAQUAA4GNADCBiQKBgQ{b120}IDAQAB
=== caa and txt
acme.example. TXT "google-site-verification={w43}"
`);

export const codeAboutSecrets = blocked(`
=== type
interface Credentials { username: string; password: string; token?: string }
=== function
export async function verifyPassword(password: string, hash: string): Promise<boolean> {
=== call
const token = await getAccessToken({ clientId, clientSecret });
=== destructuring
const { password, passwordConfirmation, ...user } = req.body;
=== comparison
if (password !== passwordConfirmation) throw new Error("passwords do not match");
=== environment
const apiKey = process.env.API_KEY ?? throwMissing("API_KEY");
=== python environment
SECRET_KEY = os.environ["SECRET_KEY"]
=== python getpass
password = getpass.getpass("Password: ")
=== go environment
token := os.Getenv("GITHUB_TOKEN")
=== rust environment
let token = std::env::var("API_TOKEN").expect("API_TOKEN");
=== java getter
public String getPassword() { return this.password; }
=== java annotation
@Value("§{spring.datasource.password}") private String password;
=== kotlin
val secret = System.getenv("JWT_SECRET") ?: error("JWT_SECRET is missing")
=== c sharp
var password = configuration["Db:Password"];
=== ruby
has_secure_password validations: false
=== rails filter
Rails.application.config.filter_parameters += [:passw, :secret, :token, :_key, :crypt, :salt]
=== php
§password = §_POST['password'] ?? '';
=== swift
let password = try keychain.get("shop-password")
=== sql column
ALTER TABLE users ADD COLUMN password_hash varchar(255) NOT NULL;
=== sql select
SELECT id, token, expires_at FROM api_tokens WHERE user_id = $1;
=== graphql
mutation Login($email: String!, $password: String!) { login(email: $email, password: $password) { token } }
=== proto
message LoginRequest { string username = 1; string password = 2; }
=== openapi
        password: { type: string, format: password, minLength: 12 }
=== zod
password: z.string().min(12).max(128),
=== valibot
const token = v.pipe(v.string(), v.regex(/^ghp_[A-Za-z0-9]{36}$/));
=== regular expression of tokens
/(?:ghp|gho|ghu|ghs|ghr)_[A-Za-z0-9]{36}/
=== jsx
<input type="password" name="password" autoComplete="current-password" onChange={setPassword} />
=== html label
<label for="password">Password</label><input id="password" type="password" required>
=== i18n
"password.tooShort": "The password is too short", "token.expired": "Your token has expired"
=== css
input[type="password"]::placeholder { color: #8a8f98; }
=== test name
test("rejects a wrong password and keeps the session token", async () => {
=== test names in a report
✓ auth > password reset > sends a token that expires (12 ms)
✓ auth > api key > is hashed before it is stored (3 ms)
=== log format
logger.info("token refreshed", { userId, expiresIn: 3600 });
=== header names
const allowed = ["authorization", "x-api-key", "cookie", "set-cookie"];
=== header of a variable
headers: { Authorization: ´Bearer §{accessToken}´ }
=== fetch with header of a call
headers.set("Authorization", "Bearer " + (await this.tokens.current()));
=== enum
enum TokenKind { Access = "access_token", Refresh = "refresh_token", Id = "id_token" }
=== object of lengths
const limits = { passwordLength: 128, tokenBytes: 32, secretRotationDays: 90 };
=== max tokens
{"model":"m","max_tokens":4096,"usage":{"input_tokens":1201,"output_tokens":338}}
=== tokenizer
const tokens = tokenizer.encode(text); // 1,204 tokens
=== token of a parser
Unexpected token '}' at line 12 column 3
=== csrf of a template
<meta name="csrf-token" content="<%= csrfToken %>">
=== key of a map
const key = ´§{userId}:§{projectId}´; cache.delete(key);
=== primary key
PRIMARY KEY (tenant_id, key_id), UNIQUE (api_key_hash)
=== keyboard
onKeyDown={(e) => e.key === "Enter" && submit()}
=== react key
{items.map((item) => <Row key={item.id} secret={item.hidden} />)}
=== shell function
login() { read -rsp "Password: " PASSWORD && export PASSWORD; }
=== shell, from a command
export GITHUB_TOKEN=§(gh auth token)
=== shell, from a file
DB_PASSWORD="§(cat /run/secrets/db_password)"
=== shell, made anew
openssl rand -base64 32 > jwt.secret
=== command with a password prompt
mysql -u root -p shop < schema.sql
=== psql without a password
psql "host=localhost dbname=shop user=shop"
=== address without a password
postgres://shop@localhost:5432/shop_test
=== address with variables
amqp://§{RABBIT_USER}:§{RABBIT_PASS}@mq:5672/
=== git over ssh
git@github.com:acme/secrets-manager.git
=== docker secret
docker secret create db_password ./db_password.txt
=== kubectl secret from a file
kubectl create secret generic tls --from-file=key.pem
=== terraform sensitive
output "db_password" { value = random_password.db.result  sensitive = true }
=== terraform variable
variable "db_password" { type = string  sensitive = true }
=== eslint rule
"no-secrets/no-secrets": ["error", { "tolerance": 4.2 }]
=== feature flags
"passwordless_login": true, "token_exchange": "beta"
`);

export const proseAndFiles = blocked(String.raw`
=== prose, rule
Passwords must have at least 12 characters, one digit and one sign.
=== prose, question
Where is the API key read? I cannot find the token in settings.ts.
=== prose, plan
Next: store the password hash with argon2, then drop the plain column.
=== prose, colon
The password: it is asked for at the first start and never written to disk.
=== prose, is
The token is missing, so the request fails with 401.
=== prose, secret of
The secret is to keep functions short.
=== prose, key
The key: smaller commits. The value: faster reviews.
=== prose, German
Das Passwort ist abgelaufen; bitte unter Einstellungen ändern.
=== prose, French
Le mot de passe doit être changé tous les ans.
=== prose, reset
If you forgot your password, use "memoir token --new" to make another.
=== prose, bearer
Send the token in the Authorization header as Bearer token.
=== prose, path
See docs/secrets/rotation.md and src/auth/token-store.ts:42.
=== prose, error
Error: secretOrPrivateKey must have a value
=== prose, http
HTTP/1.1 401 Unauthorized
WWW-Authenticate: Bearer realm="api", error="invalid_token"
=== prose, ssh
Permission denied (publickey,password,keyboard-interactive).
=== prose, warning
WARNING: Using a password on the command line interface can be insecure.
=== prose, mail
Subject: Your password was changed
=== help text
  --password-file FILE   read the password from FILE
  --token TOKEN          access token (or ACME_TOKEN)
=== usage
usage: login [-u USER] [-p PASSWORD] [--api-key KEY] host
=== man page
-p password, --password=password  Password to use. Without it the client asks.
=== table of settings
| name | default | what |
|---|---|---|
| auth.token | none | who may call the API |
| auth.password | none | asked for where it is not set |
=== changelog
- Passwords are compared in constant time (#1204)
- Tokens expire after 30 days
=== package lock
    "node_modules/password-prompt": {
      "version": "1.1.3",
      "resolved": "https://npm.acme.example/password-prompt/-/password-prompt-1.1.3.tgz",
      "integrity": "sha512-{b86}=="
    },
=== yarn lock
token-types@^4.2.1:
  version "4.2.1"
  resolved "https://npm.acme.example/token-types/-/token-types-4.2.1.tgz#{h40}"
  integrity sha1-{b27}=
=== pnpm lock
  keytar@7.9.0:
    resolution: {integrity: sha512-{b86}==}
=== bun lock
    "jsonwebtoken": ["jsonwebtoken@9.0.2", "", { "dependencies": { "jws": "^3.2.2" } }, "sha512-{b86}=="],
=== cargo lock
[[package]]
name = "secrecy"
version = "0.8.0"
checksum = "{h64}"
=== go sum
github.com/golang-jwt/jwt/v5 v5.2.1 h1:{b43}=
github.com/golang-jwt/jwt/v5 v5.2.1/go.mod h1:{b43}=
=== poetry lock
    {file = "keyring-25.2.0-py3-none-any.whl", hash = "sha256:{h64}"},
=== pip hashes
secretstorage==3.3.3 \
    --hash=sha256:{h64}
=== gemfile lock
    bcrypt (3.1.20)
    jwt (2.8.1)
  CHECKSUMS
    bcrypt (3.1.20) sha256={h64}
=== composer lock
"reference": "{h40}", "shasum": ""
=== gradle verification
<sha256 value="{h64}" origin="Generated by Gradle"/>
=== subresource integrity
<script src="https://cdn.acme.example/jwt.min.js" integrity="sha384-{b64}" crossorigin="anonymous"></script>
=== nix hash
  hash = "sha256-{b43}=";
=== flake lock
"narHash": "sha256-{b43}=", "rev": "{h40}", "type": "github"
=== terraform lock
    "h1:{b43}=",
    "zh:{h64}",
=== helm chart lock
digest: sha256:{h64}
generated: "2026-03-01T12:00:00Z"
=== snapshot
exports[´password form renders 1´] = ´<form><input type="password" /></form>´;
=== versions
openssl 3.0.13, libsecret-1-0 0.21.4-1build3, keyutils 1.6.3-3build1
=== base 64 of a greeting
echo ⟦base64|Hello from the documentation of the tool⟧ | base64 -d
=== ls
-rw------- 1 ana ana 411 Mar  1 12:00 id_ed25519
-rw-r--r-- 1 ana ana  98 Mar  1 12:00 id_ed25519.pub
=== find
./config/credentials.yml.enc
./secrets/.gitkeep
./src/tokens/index.ts
=== df of names
tmpfs  1.0G  0  1.0G  0% /run/secrets/kubernetes.io/serviceaccount
=== coverage
 src/auth/password.ts    |   98.21 |    91.66 |     100 |   98.21 | 41-42
=== stack trace
    at verifyToken (/srv/app/dist/auth/token.js:88:17)
=== env names only
Missing: DATABASE_PASSWORD, STRIPE_SECRET_KEY, SESSION_SECRET
=== metrics
auth_token_refresh_total{client="web",result="ok"} 18213
=== cron of rotation
0 4 1 * * /usr/local/bin/rotate-secrets --all
=== locale numbers
Password attempts: 3, token age: 86400 s, key size: 4096 bits
`);

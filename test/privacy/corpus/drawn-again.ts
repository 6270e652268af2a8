// Forms of code, settings, logs and sentences that were drawn once the wider ones were mended: 86 % went at first. All were looked at.
import { blocked } from "./third-fill.ts";

export const drawnAgain = blocked(String.raw`
=== java, hikari props
hikari.addDataSourceProperty("password", "«{signed}»");
=== java, spring test props
@TestPropertySource(properties = { "db.password=«{signed}»" })
=== java, optional
String pw = Optional.ofNullable(System.getenv("PW")).orElse("«{signed}»");
=== kotlin, const
const val API_SECRET = "«{a28}»"
=== kotlin, build config
buildConfigField("String", "API_KEY", "\"«{a32}»\"")
=== c#, credentials
new Credentials { UserName = "ana", Password = "«{signed}»" }
=== c#, environment
Environment.SetEnvironmentVariable("DB_PASSWORD", "«{signed}»");
=== go, map
map[string]string{"user": "shop", "password": "«{signed}»"}
=== go, viper
viper.SetDefault("db.password", "«{signed}»")
=== go, dsn
dsn := "shop:«{plain}»@tcp(db1:3306)/shop?parseTime=true"
=== go, printf
fmt.Println("password:", "«{signed}»")
=== rust, const str
const DB_PASSWORD: &'static str = "«{signed}»";
=== rust, env var or
let pw = env::var("DB_PASSWORD").unwrap_or("«{signed}»".into());
=== rust, match
.with_password("«{signed}»")
=== python, environ get
PASSWORD = os.environ.get('PASSWORD') or '«{signed}»'
=== python, decouple
SECRET = config("SECRET", default="«{a20}»")
=== python, paramiko
ssh.connect("h1", username="ana", password="«{signed}»")
=== python, fabric
Connection("h1", connect_kwargs={"password": "«{signed}»"})
=== python, pexpect
child.expect("Password:"); child.sendline("«{signed}»")
=== python, urllib
f"https://ana:{quote('«{signed}»')}@x"
=== python, hmac
hmac.new(b"«{a20}»", body, hashlib.sha256)
=== python, fernet
f = Fernet(b"«{w43}=»")
=== python, attr
self._password = "«{signed}»"
=== python, class dict
DATABASES = {"default": {"USER": "shop", "PASSWORD": "«{signed}»"}}
=== python, comment
# password: «{signed}»
=== js, comment
// pass = «{signed}»
=== js, ternary
const pw = isProd ? process.env.PW : "«{signed}»";
=== js, mongoose
mongoose.connect("mongodb://shop:«{plain}»@db1/shop");
=== js, mysql
mysql.createConnection({ host: "db1", user: "shop", password: "«{signed}»" });
=== js, env assign
process.env.DB_PASSWORD = "«{signed}»";
=== js, env bracket
process.env["DB_PASSWORD"] = '«{signed}»';
=== js, optional chain
config?.db?.password === "«{signed}»"
=== js, template
const url = ´https://ana:«{plain}»@x.acme.example´;
=== js, puppeteer
await page.type("#password", "«{signed}»");
=== js, playwright label
await page.getByLabel("Password").fill("«{signed}»");
=== js, testing library
userEvent.type(screen.getByLabelText(/password/i), "«{signed}»");
=== php, wp
define("DB_PASSWORD", "«{signed}»");
=== php, const
const DB_PASS = '«{signed}»';
=== php, this
§this->password = "«{signed}»";
=== php, mailer
§mail->Password = '«{signed}»';
=== php, curl
curl_setopt(§ch, CURLOPT_USERPWD, "ana:«{signed}»");
=== ruby, basic
http.basic_auth("ana", "«{signed}»")
=== ruby, attr
config.password = "«{signed}»"
=== ruby, const hash
CREDENTIALS = { login: "ana", password: "«{signed}»" }.freeze
=== swift, urlcredential
URLCredential(user: "ana", password: "«{signed}»", persistence: .none)
=== objc, msg
[client setPassword:@"«{signed}»"];
=== objc, dict
@{@"user": @"ana", @"password": @"«{signed}»"}
=== scala, typesafe
password = §{?DB_PASSWORD} // «{signed}»
=== haskell, maybe
password = Just "«{signed}»"
=== elixir, keyword
[username: "shop", password: "«{signed}»"]
=== elixir, module attr
@api_token "«{a30}»"
=== erlang, map
#{password => <<"«{signed}»">>}
=== fsharp
let password = "«{signed}»"
=== clojure, env or
(or (env :db-password) "«{signed}»")
=== lisp, defparameter
(defparameter *password* "«{signed}»")
=== tcl
set password "«{signed}»"
=== powershell, param
param([string]§Password = "«{signed}»")
=== powershell, cred
New-Object PSCredential("ana", (ConvertTo-SecureString "«{signed}»" -AsPlainText -Force))
=== powershell, env
[Environment]::SetEnvironmentVariable('API_TOKEN', '«{a30}»', 'User')
=== bash, local
local password='«{signed}»'
=== bash, readonly
readonly DB_PASSWORD="«{signed}»"
=== bash, declare
declare -x SMTP_PASS="«{signed}»"
=== bash, array map
declare -A creds=([user]=ana [password]='«{signed}»')
=== bash, default
DB_PASSWORD="§{DB_PASSWORD:-«{a5}{signed}»}"
=== bash, printf var
printf -v PASSWORD '%s' '«{signed}»'
=== bash, heredoc sql
mysql <<SQL
SET PASSWORD FOR 'ana' = '«{signed}»';
SQL
=== csh
setenv DB_PASSWORD '«{signed}»'
=== sql, create user
CREATE USER ana WITH ENCRYPTED PASSWORD '«{signed}»';
=== sql, insert
INSERT INTO users (name, password) VALUES ('ana', '«{signed}»');
=== sql, update
UPDATE users SET password = '«{signed}»' WHERE id = 1;
=== sql, credential
CREATE DATABASE SCOPED CREDENTIAL c WITH IDENTITY = 'x', SECRET = '«{a40}»';
=== snowflake
CREATE USER ana PASSWORD = '«{signed}»' MUST_CHANGE_PASSWORD = TRUE;
=== mongo shell
db.createUser({ user: "shop", pwd: "«{signed}»", roles: [] })
=== redis config
CONFIG SET requirepass "«{signed}»"
=== k8s secret stringData
kind: Secret
stringData:
  dsn: "«{signed}»"
=== k8s literal
kubectl create secret generic db --from-literal=password='«{signed}»'
=== docker secret
echo "«{signed}»" | docker secret create db_pw -
=== swarm env
docker service create -e DB_PASSWORD='«{signed}»' app
=== compose secret env list
      - "DB_PASSWORD=«{a4}§§{a5}»"
=== terraform var
variable "token" { default = "«{a30}»" }
=== terraform locals
locals { db_password = "«{signed}»" }
=== terraform cli
terraform apply -var="db_password=«{signed}»"
=== terraform cli, quotes
terraform apply -var 'api_token=«{a30}»'
=== ansible extra
ansible-playbook x.yml -e "db_password=«{plain}»"
=== ansible vars
db_password: "«{signed}»"
=== helm values
postgresql:
  auth:
    postgresPassword: «{plain}»
=== helm set string
helm install x . --set-string mail.password='«{signed}»'
=== github cli
gh secret set DB_PASSWORD -b"«{signed}»"
=== gitlab curl
curl --header "JOB-TOKEN: «{a20}»" https://gitlab.acme.example
=== azure app setting
az webapp config appsettings set --settings DB_PASSWORD="«{signed}»"
=== gcloud
gcloud sql users set-password ana --instance=x --password='«{signed}»'
=== aws rds
aws rds modify-db-instance --master-user-password '«{signed}»'
=== aws ssm
aws ssm put-parameter --name /db/pw --value '«{signed}»' --type SecureString
=== fly
fly secrets set DB_PASSWORD='«{signed}»'
=== heroku
heroku config:set API_SECRET=«{a30}»
=== vercel
vercel env add DB_PASSWORD production <<< '«{signed}»'
=== npmrc
//registry.npmjs.org/:_authToken=«{uuid}»
=== npmrc, password
//npm.acme.example/:_password=⟦base64|«{signed}»⟧
=== yarnrc
npmAuthToken: "«{a36}»"
=== pip conf
extra-index-url = https://ana:«{plain}»@pypi.acme.example/simple
=== pypirc
[pypi]
username = __token__
password = «pypi-{a80}»
=== cargo
[registries.acme]
token = "«{a36}»"
=== nuget
<add key="ClearTextPassword" value="«{signed}»" />
=== maven settings
<server><id>x</id><username>ana</username><password>«{plain}»</password></server>
=== sbt
credentials += Credentials("Realm", "nexus.acme.example", "ana", "«{signed}»")
=== gradle
maven { credentials { username = "ana"; password = "«{signed}»" } }
=== git credential
https://ana:«{plain}»@git.acme.example
=== git credential fill
protocol=https
host=git.acme.example
username=ana
password=«{a30}»
=== subversion
--password «{plain}» --non-interactive
=== rsync
RSYNC_PASSWORD=«{plain}» rsync -a ana@h1::x .
=== s3cfg
secret_key = «{b40}»
=== boto
aws_secret_access_key = «{b40}»
=== rclone
pass = «{a30}»
=== restic file
AWS_SECRET_ACCESS_KEY=«{b40}»
=== log4j
log4j.appender.mail.SMTPPassword=«{plain}»
=== winlog
Password supplied: «{signed}»
=== log, arrow
auth attempt user=ana pw=>«{signed}»
=== log, brackets
[auth] user=[ana] password=[«{plain}»]
=== log, quotes escaped
msg="connect \"password\":\"«{signed}»\""
=== log, single json
{'user': 'ana', 'token': '«{a30}»'}
=== log, key colon no blank
user:ana password:«{plain}» db:shop
=== log, pipe
user=ana|password=«{plain}»|db=shop
=== log, tab
password→t«{plain}»
=== log, masked then shown
password=**** (was «{signed}»)
=== log, url decoded
Redirecting to https://x.acme.example/cb#access_token=«{a40}»&expires=3600
=== log, bearer lower
authorization=bearer «{a40}»
=== log, x-amz
X-Amz-Security-Token: «{b200}»
=== log, basic proxied
Proxy-Authorization: Basic ⟦base64|ana:«{signed}»⟧
=== log, digest
Authorization: Digest username="ana", response="«{h32}»"
=== log, cookie
Cookie: sessionid=«{a32}»; csrftoken=«{a32}»
=== log, jwt
token eyJhbGciOiJIUzI1NiJ9.«{w60}.{w43}»
=== log, go error
pq: password authentication failed for user "shop" (password: «{signed}»)
=== log, prisma
Error: P1000 postgresql://shop:«{plain}»@db1:5432/shop
=== log, dotenv
[dotenv] DB_PASSWORD → «{signed}»
=== log, table
│ DB_PASSWORD │ «{signed}» │
=== log, box ascii
| password | «{signed}» |
=== log, diff word
password: [-old-]{+«{signed}»+}
=== log, yaml dump list
- {name: DB_PASSWORD, value: «{plain}»}
=== mail reset
Your new password is: «{signed}»
=== prose, dash
password – «{signed}»
=== prose, paren
the root password («{signed}») was changed
=== prose, credentials
credentials are ana/«{signed}»
=== prose, log in
you can log in as ana with «{signed}»
=== prose, use
use «{signed}» as the password
=== prose, quoted
the password "«{signed}»" does not work
=== chat, key
here is the api key «{a32}»
=== chat, token
my token: «{a32}»
`);

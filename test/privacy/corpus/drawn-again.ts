// Forms of code, settings, logs and sentences, and services' own examples, drawn once the wider ones were mended: 86 and 92 % went at
// first. All were looked at.
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
//packages.example.org/:_authToken=«{uuid}»
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

/** As their makers' examples and the published detectors have them. */
export const formatsAgain = blocked(`
=== trufflehog, twilio node
const client = twilio("AC{h32}", "«{h32}»");
=== trufflehog, sinch
const sinch = new SinchClient({ projectId: "{uuid}", keyId: "{uuid}", keySecret: "«{w34}»" });
=== trufflehog, nexmo
const nexmo = new Nexmo({ apiKey: "{h8}", apiSecret: "«{a16}»" });
=== trufflehog, pusher
const pusher = new Pusher({ appId: "{d7}", key: "{h20}", secret: "«{h20}»", cluster: "eu" });
=== trufflehog, flickr
flickr = flickrapi.FlickrAPI("{h32}", "«{h16}»")
=== trufflehog, kanban
curl -u 'api_token:«{u12}»' https://acme.kanbantool.com/api/v3/x.json
=== trufflehog, freshdesk
curl -u «{a20}»:X https://acme.freshdesk.com/api/v2/tickets
=== trufflehog, pipedrive
https://api.pipedrive.com/v1/deals?api_token=«{h40}»
=== trufflehog, close
curl https://api.close.com/api/v1/me/ -u api_«{a22}.{a22}»:
=== trufflehog, freshbooks
Authorization: Bearer «{l64}»  # freshbooks
=== trufflehog, trello
https://api.trello.com/1/members/me?key={h32}&token=«{h64}»
=== trufflehog, dotmailer
auth=("apiuser-{l12}@apiconnector.com", "«{a16}»")
=== trufflehog, mailjet
mailjet = Client(auth=("{h32}", "«{h32}»"), version="v3.1")
=== trufflehog, sumologic
sumologic: accessId: su{a12} accessKey: «{a64}»
=== trufflehog, plaid
plaid.Client(client_id="{h24}", secret="«{h30}»", environment="sandbox")
=== trufflehog, coinbase
exchange = ccxt.coinbase({"apiKey": "{a32}", "secret": "«{b86}==»"})
=== trufflehog, kraken
kraken.private_key = "«{b86}==»"
=== trufflehog, moralis
await Moralis.start({ apiKey: "«{a64}»" });
=== trufflehog, etherscan
https://api.etherscan.io/api?module=account&action=balance&apikey=«{u34}»
=== trufflehog, infura
new Web3("https://mainnet.infura.io/v3/«{h32}»")
=== trufflehog, zendesk
curl -u ana@acme.example/token:«{a40}» https://acme.zendesk.com/api/v2/x
=== trufflehog, helpscout
HELPSCOUT_APP_SECRET=«{a32}»
=== trufflehog, dwolla
dwolla key {a50} secret «{a50}»
=== trufflehog, fullcontact
headers={"Authorization": "Bearer «{a32}»"}
=== trufflehog, ip2location
https://api.ip2location.io/?key=«{h32}»&ip=8.8.8.8
=== trufflehog, opencage
https://api.opencagedata.com/geocode/v1/json?q=bern&key=«{h32}»
=== trufflehog, walkscore
http://api.walkscore.com/score?format=json&wsapikey=«{h32}»
=== trufflehog, tomtom
https://api.tomtom.com/search/2/geocode/bern.json?key=«{a32}»
=== trufflehog, foursquare
&client_id={u48}&client_secret=«{u48}»&v=2026
=== trufflehog, strava
strava: client_secret «{h40}» refresh_token «{h40}»
=== trufflehog, wistia
curl -H "Authorization: Bearer «{h64}»" https://api.wistia.com/v1/x
=== trufflehog, uptimerobot
curl -d "api_key=«u{d7}-{h24}»&format=json" https://api.uptimerobot.com/v2/getMonitors
=== trufflehog, statuscake
StatusCake: {h4} «{a30}»
=== trufflehog, larksuite
app_id=cli_{h16} app_secret=«{a32}»
=== trufflehog, docusign
DOCUSIGN_INTEGRATION_KEY={uuid} DOCUSIGN_SECRET=«{uuid}»
=== trufflehog, auth0
{"client_id":"{a32}","client_secret":"«{w64}»","audience":"https://acme.eu.auth0.com/api/v2/"}
=== trufflehog, azure storage
DefaultEndpointsProtocol=https;AccountName=acme;AccountKey=«{b86}==»;EndpointSuffix=core.windows.net
=== trufflehog, appconfig
Endpoint=https://acme.azconfig.io;Id=abc-l0-s0:{a16};Secret=«{b43}=»
=== trufflehog, cosmos
AccountEndpoint=https://acme.documents.azure.com:443/;AccountKey=«{b86}==»;
=== trufflehog, service bus
Endpoint=sb://acme.servicebus.windows.net/;SharedAccessKeyName=Root;SharedAccessKey=«{b43}=»
=== trufflehog, snowflake
snowsql -a acme -u ana -p «{signed}»
=== trufflehog, couchbase
Cluster.connect("couchbases://x", "ana", "«{signed}»")
=== trufflehog, ldap
ldap.simple_bind_s("cn=admin,dc=acme", "«{signed}»")
=== trufflehog, ftp
ftp://ana:«{plain}»@ftp.acme.example/x
=== trufflehog, sqlserver
sqlserver://sa:«{plain}»@db1:1433?database=shop
=== trufflehog, netsuite
consumer_secret: «{h64}» token_secret: «{h64}»
=== trufflehog, paypal
curl -u "A{w79}:«E{w79}»" https://api-m.paypal.com/v1/oauth2/token
=== trufflehog, gcp app default
{"client_id":"x","client_secret":"«{w24}»","refresh_token":"«1//0{w60}»","type":"authorized_user"}
=== trufflehog, twitter consumer
auth = tweepy.OAuth1UserHandler("{a25}", "«{a50}»", "{d19}-{a30}", "«{a45}»")
=== trufflehog, reddit
reddit = praw.Reddit(client_id="{w14}", client_secret="«{w27}»", user_agent="x")
=== trufflehog, spotify
SpotifyClientCredentials(client_id="{h32}", client_secret="«{h32}»")
=== trufflehog, telegram
bot = telebot.TeleBot("«{d10}:AA{w33}»")
=== trufflehog, mailgun
curl -s --user 'api:«{h32}-{h8}-{h8}»' https://api.mailgun.net/v3/x
=== trufflehog, sentry dsn with secret
SENTRY_DSN=https://{h32}:«{h32}»@sentry.acme.example/3
=== trufflehog, algolia
const client = algoliasearch("{u10}", "«{h32}»");
=== trufflehog, contentful
contentful.createClient({ space: "{l12}", accessToken: "«{w43}»" })
=== trufflehog, mapbox
mapboxgl.accessToken = "«sk.eyJ1Ijoi{a60}.{w22}»";
=== trufflehog, bitly
bitly_access_token: «{h40}»
=== trufflehog, yelp
yelp_api_key='«{w128}»'
=== trufflehog, tmdb
https://api.themoviedb.org/3/movie/550?api_key=«{h32}»
=== np, aws session
aws_session_token=«{b300}»
=== np, jenkins
curl -u ana:«11{h32}» https://ci.acme.example/job/x/build
=== np, gradle
signing.password=«{plain}»
=== np, odbc
odbc:Driver=x;Uid=ana;Pwd=«{plain}»;
=== np, netrc default
default login ana password «{plain}»
=== np, linkedin
linkedin client secret: «{a16}»
=== np, react
REACT_APP_API_SECRET=«{a24}»
=== np, thingsboard
mosquitto_pub -h thingsboard.cloud -t v1/devices/me/telemetry -u "«{a20}»" -m x
=== np, wireguard psk
PresharedKey = «{b43}=»
=== np, dependency track
X-Api-Key: «odt_{a32}»
=== np, hash
root:«§6§{a8}§{a86}»:19000:0:99999:7:::
=== ds, basic auth
https://ana:«{plain}»@x.acme.example/
=== ds, softlayer
sl = SoftLayer.Client(username="ana", api_key="«{h64}»")
=== ds, ibm cos
"cos_hmac_keys": {"access_key_id": "{h32}", "secret_access_key": "«{h48}»"}
=== ds, box
{"boxAppSettings":{"clientID":"{l32}","clientSecret":"«{a32}»","appAuth":{"passphrase":"«{h32}»"}}}
=== ds, discord
client.run("«MT{a24}.{w6}.{w38}»")
`);

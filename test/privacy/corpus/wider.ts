// Hard forms of more languages, files, logs and commands: written before the rules that take them.
import { drawnAgain, formatsAgain } from "./drawn-again.ts";
import type { Faked } from "./fake.ts";
import {
  fifthLookAlikes,
  lettersAlone,
  listedOnes,
  prefixedLines,
  saidAtEnd,
  saidNames,
} from "./fifth-forms.ts";
import {
  codeLikeValues,
  foreignNames,
  fourthLookAlikes,
  servicesAlone,
  unknownOwners,
} from "./fourth-forms.ts";
import { oddPlaces, publishedNames, publishedTokens } from "./published.ts";
import { sentAlong, sentAlongLookAlikes } from "./sent-along.ts";
import { blocked, filled, type Row } from "./third-fill.ts";

/** Signs inside of values, where no quote or a quote of another kind is around. */
const signs = blocked(String.raw`
=== env, tilde and caret
ADMIN_PASSWORD=~«{a4}^{a5}~»
=== env, at and colon
FTP_PASS=«{a5}@{a4}:{a3}»
=== env, slash
export ROOT_PASSWORD=«{a4}/{a6}»
=== env, two dollars
POSTGRES_PASSWORD=«{a3}§§{a6}»
=== env, backtick
MYSQL_ROOT_PASSWORD=«{a5}´{a5}»
=== env, quote at the end
GRAFANA_ADMIN_PASSWORD=«{a6}{a4}"»
=== env, brackets around
APP_PASSWORD=«[{a5}]{a4}»
=== env, leading hash
SMTP_PASS="#«{a8}»"
=== env, percent
MAIL_PASS=«{a4}%{d2}{a5}»
=== env, plus and equals
TOKEN_KEY=«{a6}+{a7}=={a3}»
=== yaml, leading star in quotes
password: "*«{a8}»!"
=== yaml, colon inside
password: «{a5}:{a6}»
=== yaml, hash inside
password: «{a5}#{a6}»
=== yaml, flow map
db: {user: shop, password: «{a5}!{a4}», port: 5432}
=== toml, literal
password = '«{a4}"{a5}»'
=== toml, triple
password = """«{a4}"{a5}»"""
=== ini, semicolon
password=«{a5};{a5}»
=== properties, escaped colon
db.password=«{a4}\:{a4}\={a3}»
=== nix
  services.shop.dbPassword = "«{a4}§{a5}»";
=== hcl, escapes
  password = "«{a4}\"{a5}»"
=== dockerfile, env
ENV ADMIN_PASSWORD=«{a4}|{a5}»
=== compose, map
    environment:
      POSTGRES_PASSWORD: «{a4}&{a5}»
=== k8s env
        - name: SMTP_PASSWORD
          value: '«{a4},{a5}»'
=== helm set
helm upgrade shop ./chart --set auth.password=«{a4}\,{a5}» --wait
=== shell, single quotes glued
export PASS='«{a4}'"'"'{a5}»'
=== cli option, equals
app login --password=«{a4};{a5}» --user ana
=== cli short, mysql
mysql -h db1 -u shop -p'«{a4};{a5}»' shop
=== cli, bare bar
psql "host=db1 user=shop password=«{a4}|{a5}» dbname=shop"
=== url, encoded
amqp://shop:«{a4}%7C{a5}»@mq1:5672/%2F
=== url, sharp
redis://default:«{a4}#{a5}»@cache1:6379/0
=== odbc braces
Driver={ODBC Driver 18};Server=db1;UID=shop;PWD={«{a4};{a5}»};Encrypt=yes
=== jdbc param
jdbc:mysql://db1:3306/shop?user=shop&password=«{a4}!{a5}»&useSSL=true
=== xml, entity
<password>«{a4}&lt;{a5}»</password>
=== xml, cdata
<password><![CDATA[«{a4}<{a5}»]]></password>
=== xml, attribute single
<datasource user='shop' password='«{a4}"{a5}»'/>
=== ldif
userPassword: «{a5}!{a6}»
=== bind with exclaim
ldapwhoami -x -D cn=svc,dc=acme -w «{a4}!{a5}» -H ldap://dc1
=== sshpass
sshpass -p '«{a4}§{a5}»' scp a ana@h1:/tmp
=== curl user with brackets
curl -sS --user 'ana:«{a4}[{a4}]»' https://nexus.acme.example/
=== pgpass, escaped backslash
db2:5432:*:ana:«{a4}\\{a5}»
=== netrc, hash
machine git.acme.example login ana password «{a4}#{a5}»
=== json, slash
{"password":"«{a4}\/{a5}»"}
=== csv, doubled quotes
ana,"«{a4}""{a5}»",admin
=== markdown, code
The admin password is ´«{a4}*{a5}»´.
=== powershell, doubled
§password = '«{a4}''{a5}»'
=== batch
set DB_PASSWORD=«{a4}%%{a5}»
=== batch, caret
set "API_SECRET=«{a4}^&{a5}»"
=== mail, sentence end
Your temporary password is «{a4}.{a5}!». Change it soon.
=== chat
pw: «{a4}?{a5}»
`);

/** Assignments, calls, builders, structs and annotations of languages. */
const code = blocked(String.raw`
=== python, dict call
conn = psycopg2.connect(dict(host="db1", user="shop", password="«{a4};{a5}»"))
=== python, dataclass default
    password: str = "«{plain}»"
=== python, pydantic secret
token = SecretStr("«{a10}.{a10}»")
=== python, os.environ set
os.environ["SMTP_PASSWORD"] = '«{a4}"{a5}»'
=== python, setdefault
os.environ.setdefault("DB_PASS", "«{plain}»")
=== python, getenv default
pw = os.getenv("DB_PASS", "«{signed}»")
=== python, tuple auth
r = requests.get(url, auth=("ana", "«{signed}»"))
=== python, httpbasic
r = requests.get(url, auth=HTTPBasicAuth('ana', '«{signed}»'))
=== python, keyring
keyring.set_password("acme", "ana", "«{signed}»")
=== python, argparse default
parser.add_argument("--password", default="«{signed}»")
=== python, f-string
dsn = f"postgresql://shop:«{plain}»@{host}/shop"
=== python, smtplib
smtp.login("mailer@acme.example", "«{signed}»")
=== python, multi-line call
client = Client(
    user="ana",
    password=(
        "«{a6}{signed}»"
    ),
)
=== js, basic header
headers.Authorization = "Basic " + btoa("ana:«{signed}»");
=== js, destructured default
const { password = "«{signed}»" } = options;
=== js, class field
  #apiSecret = '«{a12}{a12}»';
=== js, new url
const u = new URL("https://x.acme.example"); u.password = "«{signed}»";
=== js, axios auth
axios.get(u, { auth: { username: "ana", password: "«{signed}»" } });
=== js, sign
const t = jwt.sign({ id }, "«{a10}#{a10}»");
=== js, cookie session
app.use(session({ secret: "«{a6} {a6}», ", resave: false }));
=== js, express basic auth
app.use(basicAuth({ users: { admin: "«{signed}»" } }));
=== ts, as const
export const creds = { login: "ana", pass: "«{signed}»" } as const;
=== ts, decorated
@Column({ default: "x" }) password = "«{signed}»";
=== go, const block
	dbPass    = "«{signed}»"
=== go, url userpassword
u := &url.URL{User: url.UserPassword("ana", "«{signed}»")}
=== go, setbasicauth
req.SetBasicAuth("ana", "«{signed}»")
=== go, ssh password
Auth: []ssh.AuthMethod{ssh.Password("«{signed}»")},
=== go, setenv
os.Setenv("API_TOKEN", "«{a24}»")
=== go, flag default
pass := flag.String("password", "«{signed}»", "the password")
=== rust, env set
std::env::set_var("DB_PASSWORD", "«{signed}»");
=== rust, into
let cfg = Config { password: "«{signed}»".into(), ..Default::default() };
=== rust, secret new
let s = SecretString::new("«{a10}{signed}»".to_string());
=== rust, builder method
let opts = PgConnectOptions::new().username("shop").password("«{signed}»");
=== java, builder
Mail.builder().username("ana").password("«{signed}»").build();
=== java, setter
ds.setPassword("«{signed}»");
=== java, tochararray
char[] pw = "«{signed}»".toCharArray();
=== java, put
map.put("password", "«{signed}»");
=== java, system property
System.setProperty("mail.smtp.password", "«{signed}»");
=== java, static final
private static final String DB_PASS = "«{signed}»";
=== kotlin, env or
val token = System.getenv("API_TOKEN") ?: "«{a24}»"
=== kotlin, apply
ds.apply { username = "shop"; password = "«{signed}»" }
=== scala, def
def apiKey = "«{a28}»"
=== c#, property
public string Password { get; set; } = "«{signed}»";
=== c#, indexer
config["Smtp:Password"] = "«{signed}»";
=== c#, interpolated
var c = §"Server=db1;User=sa;Password=«{plain}»;Timeout={t}";
=== vb, connection
Dim c = "Data Source=db1;User ID=sa;Password=«{plain}»"
=== swift, keychain
try keychain.set("«{signed}»", key: "password")
=== swift, let optional
let apiToken: String? = "«{a30}»"
=== objc, define
static NSString *const kApiSecret = @"«{a26}»";
=== dart, named
final db = Db(user: 'shop', password: '«{signed}»');
=== ruby, env fetch
password = ENV.fetch("DB_PASSWORD", "«{signed}»")
=== ruby, hash rocket
{ :user => "shop", :password => "«{signed}»" }
=== ruby, heredoc
PASSWORD = <<~TEXT
  «{signed}»
TEXT
=== php, getenv
§pass = getenv('DB_PASS') ?: '«{signed}»';
=== php, mysqli
§db = new mysqli("db1", "shop", "«{signed}»", "shop");
=== php, property
    private string §password = '«{signed}»';
=== php, env helper
'password' => env('DB_PASSWORD', '«{signed}»'),
=== perl, dbi
my §dbh = DBI->connect("dbi:Pg:dbname=shop", "shop", "«{signed}»");
=== lua, assign
local password = "«{signed}»"
=== elixir, system env
password: System.get_env("DB_PASSWORD") || "«{signed}»",
=== erlang, tuple
{password, <<"«{signed}»">>}.
=== haskell, binding
dbPassword = "«{signed}»"
=== ocaml, let
let password = "«{signed}»" in
=== clojure, keyword
(connect {:user "shop", :password "«{signed}»"})
=== julia, const
const API_TOKEN = "«{a28}»"
=== r, setenv
Sys.setenv(DB_PASSWORD = "«{signed}»")
=== matlab, var
password = '«{signed}»';
=== zig, const
const password: []const u8 = "«{signed}»";
=== nim, const
const dbPassword = "«{signed}»"
=== crystal
PASSWORD = ENV["PASSWORD"]? || "«{signed}»"
=== groovy, closure
credentials { username 'build'; password '«{signed}»' }
=== gradle kts
password = "«{signed}»"
=== cobol
       01 WS-PASSWORD PIC X(12) VALUE '«{plain}»'.
=== plsql
  l_password VARCHAR2(30) := '«{signed}»';
=== tsql
CREATE LOGIN shop WITH PASSWORD = N'«{signed}»';
=== vimscript
let g:acme_token = '«{a30}»'
=== emacs
(setq smtp-password "«{signed}»")
=== awk
awk -v password='«{signed}»' -f x.awk
=== cmake
set(API_TOKEN "«{a30}»")
=== bazel
build --action_env=NPM_TOKEN=«{a32}»
=== jsonnet
  adminPassword:: '«{signed}»',
=== cue
password: "«{signed}»"
=== dhall
let password = "«{signed}»" in { password }
=== bicep
param adminPassword string = '«{signed}»'
=== pulumi
const pw = pulumi.secret("«{a8}{signed}»");
=== cdk
SecretValue.unsafePlainText("«{a8}{signed}»")
=== selenium
driver.find_element(By.NAME, "password").send_keys("«{signed}»")
=== cypress
cy.get('input[type=password]').type('«{signed}»')
=== capybara
fill_in "Password", with: "«{signed}»"
=== supertest
.send({ email: "ana@acme.example", password: "«{signed}»" })
=== graphql
mutation { login(email: "ana@acme.example", password: "«{signed}»") { token } }
=== protobuf text
password: "«{signed}»" user: "ana"
=== expect
spawn ssh ana@h1; expect "password:"; send "«{signed}»\r"
`);

/** What programs print. */
const logs = blocked(`
=== logfmt, unquoted
ts=2026-01-02T03:04:05Z lvl=info msg="login" user=ana pass=«{plain}» ip=10.0.0.1
=== json line, nested
{"t":"x","args":{"db":{"user":"shop","passwd":"«{a4},{a5}»"}}}
=== syslog
Jan  2 03:04:05 h1 app[77]: connecting as shop with password «{a4}{signed}»
=== access log, query
10.0.0.1 - - [02/Jan/2026:03:04:05 +0000] "GET /cb?access_token=«{a36}» HTTP/1.1" 302 -
=== access log, basic user
10.0.0.1 - ana [02/Jan/2026:03:04:05 +0000] "POST /login?user=ana&password=«{plain}» HTTP/1.1" 200 12
=== nginx error
2026/01/02 03:04:05 [error] 7#7: *1 upstream, request: "GET /?api_key=«{h32}» HTTP/1.1", host: "x"
=== java stack
java.sql.SQLException: Access denied for jdbc:mysql://db1/shop?user=shop&password=«{a4}!{a5}»
	at com.acme.Db.open(Db.java:12)
=== python trace
  File "app.py", line 3, in <module>
    connect(user="shop", password="«{signed}»")
psycopg2.OperationalError: FATAL
=== python locals
password = '«{signed}»'
user     = 'shop'
=== node error object
Error: connect ECONNREFUSED { user: 'shop', password: '«{signed}»', port: 5432 }
=== go panic
panic: dial shop:«{plain}»@tcp(db1:3306)/shop: refused
=== spring debug
Property 'spring.mail.password' = «{signed}»
=== actuator
{"name":"systemEnvironment","properties":{"DB_PASSWORD":{"value":"«{signed}»"}}}
=== php warning
PHP Warning:  mysqli_connect('db1', 'shop', '«{signed}»') failed in /srv/x.php on line 3
=== rails params
Parameters: {"user"=>{"email"=>"ana@acme.example", "password"=>"«{signed}»"}, "commit"=>"Log in"}
=== django debug
<td>SECRET_KEY</td><td class="code"><pre>&#x27;«{a20}{a20}»&#x27;</pre></td>
=== sql echo
INFO sqlalchemy.engine [generated] {'username': 'ana', 'password': '«{signed}»'}
=== mysql log
Query	ALTER USER 'ana'@'%' IDENTIFIED BY '«{signed}»'
=== pg log
LOG:  statement: ALTER ROLE shop PASSWORD '«{signed}»';
=== mongo log
{"msg":"cmd","attr":{"saslStart":1,"user":"ana","pwd":"«{signed}»"}}
=== redis monitor
1772366401.123456 [0 10.0.0.1:5000] "AUTH" "«{signed}»"
=== redis monitor, user
1772366401.123456 [0 10.0.0.1:5000] "AUTH" "ana" "«{signed}»"
=== ftp dialogue
USER ana
331 Password required
PASS «{signed}»
230 Logged in
=== pop dialogue
+OK ready
USER ana
+OK
PASS «{plain}»
=== imap dialogue, quoted
a2 LOGIN "ana@acme.example" "«{signed}»"
=== smtp dialogue
334 VXNlcm5hbWU6
YW5h
334 UGFzc3dvcmQ6
«{b16}=»
=== smtp auth login
AUTH LOGIN ⟦base64|ana:«{signed}»⟧
=== telnet
login: ana
Password: «{signed}»
=== ansible diff
changed: [h1] => (item={'name': 'ana', 'password': '«{signed}»'})
=== terraform state show
    password               = "«{signed}»"
    username               = "shop"
=== kubectl exec env
REDIS_PASSWORD=«{a4}!{a5}»
KUBERNETES_PORT=tcp://10.0.0.1:443
=== docker inspect
            "Env": ["POSTGRES_PASSWORD=«{a4};{a5}»", "PATH=/usr/bin"],
=== docker history
/bin/sh -c #(nop)  ENV API_TOKEN=«{a30}»
=== docker run shown
+ docker run -e DB_PASSWORD=«{a4}&{a4}» -p 80:80 app
=== ps aux
ana  77  0.0 mysql -u shop -p«{a4}{signed}» shop
=== ps aux, java
java -Dspring.datasource.password=«{a4}{signed}» -jar app.jar
=== systemd show
Environment=DB_PASSWORD=«{a4}{signed}» PORT=80
=== crontab
0 3 * * * PGPASSWORD=«{a4}{signed}» pg_dump shop > /b/x.sql
=== history
  501  export SMTP_PASSWORD=«{a4}{signed}»
=== history, login
  502  curl -u ana:«{a4}{signed}» https://x.acme.example/api
=== wget log
--2026-01-02--  https://ana:«{plain}»@files.acme.example/x.tgz
=== curl verbose, bearer
> authorization: Bearer «{a40}»
=== curl verbose, cookie
< set-cookie: session=«{a40}»; Path=/; HttpOnly
=== http dump, form
Content-Type: application/x-www-form-urlencoded

username=ana&password=«{a4}%26{a4}»&go=1
=== http dump, multipart
Content-Disposition: form-data; name="password"

«{signed}»
--b1
=== http dump, json
POST /oauth/token HTTP/1.1

{"client_id":"x","client_secret":"«{a40}»","grant_type":"client_credentials"}
=== oauth answer
{"access_token":"«{a60}»","token_type":"Bearer","expires_in":3600,"refresh_token":"«{a50}»"}
=== grpc metadata
metadata: map[authorization:[Bearer «{a40}»] user-agent:[grpc]]
=== aws debug
CanonicalRequest: x-amz-security-token:«{b200}»
=== vault read
Key              Value
---              -----
password         «{a4}-{a8}»
username         v-shop
=== vault kv json
{"data":{"data":{"password":"«{signed}»"},"metadata":{"version":2}}}
=== vault init
Unseal Key 1: «{b43}=»
Initial Root Token: «hvs.{a24}»
=== consul kv
shop/db/password:«{signed}»
=== heroku config
=== shop Config Vars
DATABASE_URL: postgres://u:«{a20}»@ec2.acme.example:5432/d
API_SECRET:   «{a32}»
=== installer
Admin user: admin
Admin password: «{a4}{signed}»
=== seed
Created user ana@acme.example with password «{a4}{signed}»
=== reset
The password for ana has been set to «{a4}{signed}»
=== elastic setup
PASSWORD elastic = «{a20}»
=== elastic setup, new
Password for the [elastic] user successfully reset.
New value: «{a20}»
=== rabbit log
Creating user "shop" with password "«{signed}»" ...
=== gdb
§1 = {user = 0x55 "shop", password = 0x56 "«{signed}»"}
=== lldb
(lldb) po password
"«{signed}»"
=== delve
password: "«{signed}»"
=== node repl
> process.env.DB_PASSWORD
'«{signed}»'
=== irb
irb(main):001:0> ENV["DB_PASSWORD"]
=> "«{signed}»"
=== python repl
>>> settings.SECRET_KEY
'«{a20}#{a20}»'
=== echo var
§ echo §DB_PASSWORD
«{signed}»
=== jq raw
§ jq -r .password creds.json
«{signed}»
=== pass show
§ pass show acme/db
«{a4}{signed}»
=== op read
§ op read op://dev/db/password
«{a4}{signed}»
=== security find
password: "«{signed}»"
=== aws secret
§ aws secretsmanager get-secret-value --secret-id db --query SecretString --output text
«{a4}{signed}»
=== kubectl decode
§ kubectl get secret db -o jsonpath='{.data.password}' | base64 -d
«{a4}{signed}»
=== argocd
§ argocd admin initial-password -n argocd
«{a16}»
`);

/** Places of settings and commands, with passwords that people choose. */
const places = blocked(String.raw`
=== cf auth
cf auth ana@acme.example «{plain}»
=== az login
az login -u ana@acme.example -p «{signed}»
=== oc login
oc login https://api.acme.example -u ana -p «{plain}»
=== docker login
docker login registry.acme.example -u ana -p «{plain}»
=== mongosh uri
mongosh "mongodb+srv://ana:«{plain}»@c0.acme.mongodb.net/shop"
=== psql env
PGPASSWORD=«{plain}» psql -h db1 shop
=== redis cli user
redis-cli -h cache1 --user ana --pass «{plain}»
=== mysqladmin
mysqladmin -u root -p«{plain}» shutdown
=== ldapadd
ldapadd -x -D "cn=admin,dc=acme" -w «{plain}» -f x.ldif
=== ftp inline
lftp -u ana,«{plain}» ftp.acme.example
=== smbclient
smbclient //fs1/share -U ana%«{plain}»
=== mount cifs
mount -t cifs //fs1/s /mnt -o username=ana,password=«{plain}»
=== rdp
xfreerdp /u:ana /p:«{plain}» /v:h1
=== sqlcmd
sqlcmd -S db1 -U sa -P «{plain}» -Q "select 1"
=== sqlplus
sqlplus system/«{plain}»@db1:1521/xe
=== keytool
keytool -genkey -alias x -storepass «{plain}» -keypass «{plain}»
=== openssl pkcs12
openssl pkcs12 -export -in c.pem -passout pass:«{plain}»
=== gpg
gpg --batch --passphrase «{plain}» -d x.gpg
=== restic
RESTIC_PASSWORD=«{plain}» restic snapshots
=== htpasswd
htpasswd -bc .htpasswd ana «{plain}»
=== net user
net user ana «{plain}» /add
=== psexec
psexec \\h1 -u ACME\ana -p «{plain}» cmd
=== curl netrc style
curl --user ana:«{plain}» https://x.acme.example
=== wget
wget --user=ana --password=«{plain}» https://x.acme.example/f
=== http form
http -f POST x.acme.example/login user=ana password=«{plain}»
=== svn
svn checkout --username ana --password «{plain}» https://svn.acme.example/x
=== git remote
git remote add o https://ana:«{plain}»@git.acme.example/x.git
=== hg
[auth]
acme.prefix = https://hg.acme.example
acme.password = «{plain}»
=== nomad env
      env { DB_PASS = "«{plain}»" }
=== consul tokens
{"acl": {"tokens": {"agent": "«{uuid}»", "default": "«{uuid}»"}}}
=== consul tokens, hcl
tokens { agent = "«{uuid}»" }
=== encrypt key
encrypt:
  key: «{plain}»
=== remotepass
remotepass = «{plain}»
=== smtp_pass
smtp_pass = «{plain}»
=== imap pass, lisp
(imap-pass "«{signed}»")
=== db.pass
db.pass=«{plain}»
=== mailPass
mailPass: "«{signed}»"
=== proxy pass word
proxy-user: ana
proxy-pass: «{plain}»
=== svn auth file
password
V 14
«{plain}»
END
=== wifi conf
wpa-psk "«{words}»"
=== hostapd
wpa_passphrase=«{words}»
=== cups
AuthInfoRequired username,password
DeviceURI smb://ana:«{plain}»@fs1/printer
=== airflow conn
AIRFLOW_CONN_DB='postgresql://shop:«{plain}»@db1/shop'
=== celery
broker_url = "amqp://shop:«{plain}»@mq1//"
=== jenkins creds xml
<password>{AQAAABAAAAAQ«{b43}=»}</password>
=== tomcat connector
<Connector port="8443" keystorePass="«{plain}»" />
=== activemq
<authenticationUser username="ana" password="«{plain}»" groups="admins"/>
=== log4j jdbc
<Property name="password">«{plain}»</Property>
=== persistence
<property name="javax.persistence.jdbc.password" value="«{plain}»"/>
=== weblogic
<node-manager-password-encrypted>«{a16}»</node-manager-password-encrypted>
=== zabbix
DBPassword=«{plain}»
=== nagios
§USER5§=«{plain}»
=== icinga
vars.http_auth_pair = "ana:«{plain}»"
=== telegraf
  password = "«{plain}»"
=== logstash
    password => "«{plain}»"
=== filebeat
output.elasticsearch.password: "«{plain}»"
=== kafka jaas
org.apache.kafka.common.security.plain.PlainLoginModule required username="ana" password="«{plain}»";
=== zookeeper
super:«{plain}»
=== mosquitto
mosquitto_pub -u ana -P «{plain}» -t x -m y
=== nats
authorization { user: ana, password: «{plain}» }
=== coturn
user=ana:«{plain}»
=== asterisk
secret=«{plain}»
=== freepbx
AMPDBPASS=«{plain}»
=== radius user
ana Cleartext-Password := "«{plain}»"
=== pam mysql
auth required pam_mysql.so user=shop passwd=«{plain}» host=db1
=== dovecot
connect = host=db1 dbname=mail user=mail password=«{plain}»
=== postfix mysql
password = «{plain}»
=== proftpd
SQLConnectInfo shop@db1 shop «{plain}»
=== vsftpd users
ana
«{plain}»
=== ddclient
login=ana
password='«{plain}»'
=== esphome
wifi:
  ssid: "Acme"
  password: "«{signed}»"
=== esp sketch
const char* password = "«{signed}»";
=== wifi begin
WiFi.begin("Acme", "«{signed}»");
=== autounattend
<Password><Value>«{plain}»</Value><PlainText>true</PlainText></Password>
=== cloud-init users
    plain_text_passwd: '«{plain}»'
=== kickstart
rootpw --plaintext «{plain}»
=== preseed
d-i passwd/user-password password «{plain}»
=== packer
  "ssh_password": "«{plain}»",
=== vagrant
config.ssh.password = "«{plain}»"
=== test kitchen
    password: «{plain}»
=== ansible inventory
h1 ansible_user=ana ansible_password=«{plain}»
=== ansible become
ansible_become_pass: «{plain}»
=== chef
  'password' => '«{plain}»',
=== puppet
  password => '«{plain}»',
=== salt
  - password: «{plain}»
=== github actions inline
      - run: deploy --user ana --password '«{plain}»'
=== gitlab variables
variables:
  DB_PASSWORD: "«{plain}»"
=== travis
env:
  - DB_PASSWORD=«{plain}»
=== circleci
      environment:
        MYSQL_ROOT_PASSWORD: «{plain}»
=== readme
Log in with **admin** / **«{signed}»**
=== readme, table
| admin | ´«{signed}»´ |
=== prose, quoted
user ana, password "«{signed}»", port 22
=== prose, arrow
login ana -> «{signed}»
=== chat, two lines
user: ana
pass: «{plain}»
=== chat, creds
creds: ana / «{signed}»
=== chat, german
das Passwort für den Server ist «{signed}»
=== chat, french
le mot de passe est «{signed}»
=== mail
Username: ana
Password: «{plain}»
`);

const families: Readonly<Record<string, readonly Row[]>> = {
  "wider: values with signs": signs,
  "wider: code": code,
  "wider: logs": logs,
  "wider: places": places,
  "wider: drawn again": drawnAgain,
  "wider: formats, drawn again": formatsAgain,
  "wider: names in other languages": foreignNames,
  "wider: services alone": servicesAlone,
  "wider: owners that no list names": unknownOwners,
  "wider: values like code": codeLikeValues,
  "wider: published tokens": publishedTokens,
  "wider: published names": publishedNames,
  "wider: sent along": sentAlong,
  "wider: odd places": oddPlaces,
  "wider: look-alikes": fourthLookAlikes,
  "wider: look-alikes of what is sent along": sentAlongLookAlikes,
  "wider: letters alone": lettersAlone,
  "wider: names said": saidNames,
  "wider: lists and cells": listedOnes,
  "wider: lines behind a prefix": prefixedLines,
  "wider: look-alikes, again": fifthLookAlikes,
  "wider: said at the end": saidAtEnd,
};

/** Family, name and text of each case. */
export function widerCases(): Array<readonly [family: string, name: string, faked: Faked]> {
  return Object.entries(families).flatMap(([family, rows]) =>
    rows.map(([name, template]) => [family, name, filled(template, `${family}/${name}`)] as const),
  );
}

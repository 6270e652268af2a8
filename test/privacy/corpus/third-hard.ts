// Hard forms: values with signs, dots and no quotes, in settings, terminals, code, logs and what CI prints.
import { blocked } from "./third-fill.ts";

/** As engineers' settings and terminals show them. */
export const signedForms = blocked(String.raw`
=== env file, ampersand
DB_HOST=10.0.3.4
DB_PASSWORD=«{plain}&{a4}»
DB_NAME=shop
=== env file, semicolon
SMTP_PASSWORD=«{a5};{a5}»
=== env file, comma
ADMIN_PASSWORD=«{plain},{a4},x»
=== env file, bar
export REDIS_PASSWORD=«{a4}|{a6}»
=== env file, round bracket
APP_SECRET=«{a6}({a4})»
=== env file, square bracket
JWT_SECRET=«{a8}[{a4}]{a4}»
=== env file, brace
SESSION_SECRET=«{a4}}{a7}{{a4}»
=== env file, angle brackets
LDAP_BIND_PASSWORD=«{a4}<{a5}>{a3}»
=== env file, double quote inside
MYSQL_PASSWORD=«{a5}"{a6}»
=== env file, apostrophe inside
PG_PASSWORD=«{plain}'s{a4}»
=== env file, hash inside
MAIL_PASSWORD=«{a5}#{a6}»
=== env file, dollar inside
RABBIT_PASSWORD=«{a4}§{a6}»
=== env file, backslash inside
SAMBA_PASSWORD=«{a5}\{a5}»
=== env file, equals at the end
ENCRYPTION_KEY=«{b43}=»
=== env file, dots inside
GRAFANA_PASSWORD=«{a5}.{a6}.{a3}»
=== env file, value like code
API_SECRET=«{x6}.{x5}{d3}»
=== env file, blanks in quotes
BACKUP_PASSPHRASE="«{words}»"
=== env file, comment behind
TOKEN_SECRET=«{a6}%{a7}» # rotate in May
=== properties, colon and blanks
spring.datasource.username = shop
spring.datasource.password : «{a5};{a6}»
=== ini, blanks around
[client]
user     = root
password = «{a6}>{a5}»
=== yaml, plain with comma
database:
  user: shop
  password: «{plain},{a5}»
=== yaml, single quoted with apostrophe
redis:
  password: '«{a5}''{a5}»'
=== yaml, block
secrets:
  api_token: |
    «{a18}.{a12}»
=== yaml, folded
signing_secret: >-
  «{a24}»
=== yaml, flow
users: [{name: ana, password: «{plain}}{a3}»}]
=== toml, literal string
[database]
password = '«{a5}"{a5}\{a3}»'
=== json, escaped quote
{"user":"ana","password":"«{a4}\"{a6}»"}
=== json, escaped slash
{"client_secret": "«{a8}\/{a10}\/{a6}»"}
=== json, one line of many
{"host":"db1","port":5432,"user":"shop","passwd":"«{a4},{a4}]{a3}»","ssl":true}
=== xml, attribute with entity
<add name="Shop" connectionString="Server=db1;Database=shop;User Id=shop;Password=«{a6}&amp;{a5}»;" />
=== xml, element
<server><id>nexus</id><username>build</username><password>«{a5}&lt;{a5}»</password></server>
=== psql by environment
$ PGPASSWORD=«{a4})({a6}» psql -h db1.acme.example -U shop -d shop -c 'select 1'
=== mysql, no blank
$ mysql -h db1 -u root -p«{plain}!{a3}» shop < dump.sql
=== openssl pass
$ openssl pkcs12 -in site.pfx -nodes -passin pass:«{a5},{a6}» | openssl x509 -noout -dates
=== curl user, quote and dollar
$ curl -su 'ana:«{a4}§§{a5}»' https://nexus.acme.example/service/rest/v1/status
=== curl form
$ curl -X POST https://sso.acme.example/token -d 'grant_type=password&username=ana&password=«{a4}%26{a6}»&scope=openid'
=== wget
$ wget --user=ana --password='«{a5}&{a5}»' https://files.acme.example/build.zip
=== sshpass
$ sshpass -p '«{a4}({a4})»' ssh -o StrictHostKeyChecking=no deploy@10.2.0.8 uptime
=== zip
$ zip -r -P «{a5};{a4}» backup.zip ./data
=== htpasswd
$ htpasswd -b -B /etc/nginx/.htpasswd ana «{plain}?{a3}»
=== ldapsearch
$ ldapsearch -x -H ldaps://dc1.acme.example -D "cn=svc,dc=acme,dc=example" -w «{a4}|{a5}» -b dc=acme,dc=example
=== net use
C:\> net use Z: \\fs1\build «{a5}^{a5}» /user:ACME\svc-build
=== cmdkey
C:\> cmdkey /add:fs1.acme.example /user:ACME\ana /pass:«{plain}#{a3}»
=== cookie jar
# Netscape HTTP Cookie File
#HttpOnly_.acme.example→tTRUE→t/→tTRUE→t1793491200→tsession→t«{h32}»
=== cookie header with two
Cookie: theme=dark; connect.sid=s%3A«{w32}.{b43}»; lang=de
=== set-cookie
Set-Cookie: laravel_session=«eyJpdiI6I{a80}»; expires=Sun, 22-Nov-2026 21:00:00 GMT; path=/; httponly
=== kubeconfig token
users:
- name: ana
  user:
    token: «{x6}.{l16}»
=== kubeconfig key
users:
- name: admin@kind
  user:
    client-certificate-data: LS0tLS1CRUdJTiBDRVJUSUZJQ0FURS0tLS0tCk1J
    client-key-data: «LS0tLS1CRUdJTiBSU0EgUFJJVkFURSBLRVktLS0tLQpN{b120}»
=== dockercfg
{"https://index.docker.io/v1/":{"auth":"⟦base64|ana:«{signed}»⟧","email":"ana@acme.example"}}
=== pgpass
db1.acme.example:5432:shop:shop:«{a4}\:{a6}»
=== my.cnf with quotes
[mysqldump]
user=backup
password="«{a4}#{a3}'{a3}»"
=== netrc on one line
machine api.acme.example login ana password «{a4},{a5};{a2}»
=== tfvars
db_username = "shop"
db_password = "«{a5}]{a5}»"
=== terraform output
§ terraform output -json
{ "admin_password": { "sensitive": true, "type": "string", "value": "«{a6}<{a6}»" } }
=== compose, list
services:
  db:
    environment:
      - POSTGRES_USER=shop
      - POSTGRES_PASSWORD=«{a5}:{a5}»
=== docker run
$ docker run -d --name db -e MYSQL_ROOT_PASSWORD=«{a4}&{a4}» -p 3306:3306 mysql:8.4
=== docker inspect
            "Env": [
                "PATH=/usr/local/bin:/usr/bin",
                "MONGO_INITDB_ROOT_PASSWORD=«{plain}]{a4}»",
                "TZ=UTC"
            ],
=== systemd
[Service]
Environment="API_TOKEN=«{a10};{a10}»" "PORT=8080"
=== crontab
15 3 * * * BORG_PASSPHRASE='«{words}»' /usr/bin/borg create ssh://b@nas/./repo::{now} /srv
=== ansible inventory
db1 ansible_host=10.0.0.5 ansible_user=root ansible_password='«{a4}!{a3},{a3}»' ansible_become_pass=«{plain}»
=== address, sign not encoded
postgresql://shop:«{a4}#{a5}»@db1.acme.example:5432/shop
=== address, at sign in it
amqp://worker:«{a4}@{a5}»@mq.acme.example:5672/prod
=== address, slash in it
redis://:«{a5}/{a6}»@cache.acme.example:6379/0
=== ps output
root      1412  0.0  0.1  /usr/bin/mysqld_exporter --mysqld.username=exp --mysqld.password=«{a4};{a5}» --web.listen-address=:9104
=== shell history
 1021  export AWS_PROFILE=acme
 1022  echo '«{a4}&{a6}»' | docker login --username ana --password-stdin registry.acme.example
 1023  docker ps
=== expect prompt
Password for user shop: «{plain}?{a3}»
psql (16.4)
Type "help" for help.
=== telnet session
ftp> open ftp.acme.example
331 Please specify the password.
PASS «{a4}|{a4}»
230 Login successful.
`);

/** In twenty languages. */
export const codeForms = blocked(String.raw`
=== python, dictionary
DATABASES = {"default": {"ENGINE": "django.db.backends.postgresql", "USER": "shop", "PASSWORD": "«{a4},{a4}}»", "HOST": "db1"}}
=== python, keyword and escape
conn = psycopg2.connect(host="db1", user="shop", password='«{a4}\'{a5}»', dbname="shop")
=== python, f string
url = f"https://ana:«{plain}»@{host}/simple/"
=== python, triple quotes
SECRET_KEY = """«{a20};{a20}»"""
=== python, default of a variable
token = os.environ.get("ACME_TOKEN", "«{h40}»")
=== javascript, template
const dsn = ´mongodb+srv://shop:«{plain}»@cluster0.acme.example/§{db}?retryWrites=true´;
=== javascript, header in fetch
await fetch(url, { headers: { authorization: 'Bearer «{a20}.{a20}»', accept: 'application/json' } });
=== typescript, class field
private readonly apiKey: string = "«{a12}-{a12}»";
=== typescript, fallback
const secret = process.env.JWT_SECRET ?? '«{a8}[{a6}]»';
=== go, raw string
var dbPassword = ´«{a4}"{a4}\{a3}»´
=== go, struct
cfg := &Config{User: "shop", Password: "«{a5}>{a5}»", Addr: ":5432"}
=== go, set header
req.Header.Set("X-Api-Key", "«{a10}.{a16}»")
=== rust, const
const SIGNING_KEY: &str = r#"«{a10}"{a10}»"#;
=== rust, builder
let client = Client::builder().basic_auth("ana", Some("«{plain}»")).build()?;
=== java, property
props.setProperty("javax.net.ssl.trustStorePassword", "«{a4},{a4}»");
=== java, driver manager
Connection c = DriverManager.getConnection("jdbc:oracle:thin:@db1:1521/shop", "shop", "«{plain}#{a2}»");
=== java, annotation
@Value("§{mail.password:«{a5};{a4}»}") private String mailPassword;
=== kotlin, named argument
val ds = hikari(username = "shop", password = "«{a4})({a4}»")
=== gradle, store
signingConfigs { release { storePassword '«{plain}»' keyAlias 'app' keyPassword "«{a4}§{a4}»" } }
=== c sharp, verbatim
var cs = @"Data Source=db1;Initial Catalog=shop;User ID=sa;Password=«{a4}""{a4}»;TrustServerCertificate=true";
=== c sharp, network credential
smtp.Credentials = new NetworkCredential("mailer", "«{a4}&{a5}»");
=== ruby, symbol
config.action_mailer.smtp_settings = { user_name: 'mailer', password: '«{a4}]{a5}»', port: 587 }
=== ruby, percent literal
Aws.config.update(credentials: Aws::Credentials.new('AKIAEXAMPLE', %q(«{b40}»)))
=== php, define
define( 'DB_PASSWORD', '«{a4})({a5}»' );
=== php, define of a salt
define('AUTH_KEY',         '«{a8}|{a8}:{a6}+{a8};{a8}»');
=== php, array
'mysql' => ['username' => 'shop', 'password' => '«{a4}\'{a4}»', 'port' => 3306],
=== php, pdo
§db = new PDO('mysql:host=db1;dbname=shop', 'shop', '«{plain}%{a3}»');
=== swift, literal
let clientSecret: String = "«{a10}.{a14}»"
=== elixir, config
config :shop, Shop.Repo, username: "shop", password: "«{a4}|{a4}»", hostname: "db1"
=== scala, config
val password: String = "«{a5}<{a5}>»"
=== perl, hash
my %db = (user => 'shop', password => q{«{a5}'{a5}»});
=== r, call
con <- dbConnect(RPostgres::Postgres(), user = "shop", password = "«{plain};{a3}»")
=== lua, table
local cfg = { user = "shop", passwd = [[«{a4}]{a5}»]], host = "db1" }
=== c, macro
#define WIFI_PASSWORD "«{words}»"
=== c plus plus, raw string
static const char* kToken = R"(«{a12}"{a12}»)";
=== arduino, array
char pass[] = "«{plain}»";   // WiFi
=== dart, const
const apiSecret = '«{a12},{a8}»';
=== haskell, record
defaultConn = ConnectInfo { connectUser = "shop", connectPassword = "«{a4}-{a4}>»", connectPort = 5432 }
=== clojure, map
(def db {:user "shop" :password "«{a4}){a5}»"})
=== powershell, secure string
§pw = ConvertTo-SecureString '«{a4}&{a4}§{a3}»' -AsPlainText -Force
=== powershell, here string
§env:DB_PASSWORD = "«{a4};{a5}»"
=== bash, array
auth=(--user "ana:«{a4}({a3})»" --silent)
=== bash, here document
cat > ~/.my.cnf <<'EOF'
[client]
password=«{a4}<{a4}>»
EOF
=== bash, read back
: "§{ACME_TOKEN:=«{a24}»}"
=== fish, set
set -gx GITEA_TOKEN «{h40}»
=== make, variable
DEPLOY_PASSWORD ?= «{a4},{a5}»
=== sql, identified by
CREATE USER 'shop'@'%' IDENTIFIED BY '«{a4}''{a5}»';
=== groovy, jenkins
withEnv(['NEXUS_PASSWORD=«{a4}[{a4}]»']) { sh 'mvn deploy' }
`);

/** As logs and CI print them. */
export const loggedForms = blocked(String.raw`
=== debug of a request
2026-03-01 12:00:01,114 DEBUG urllib3 send: b'GET /v1/me HTTP/1.1\r\nHost: api.acme.example\r\nAuthorization: Bearer «{a16}.{a20}»\r\n\r\n'
=== curl verbose
> GET /v2/ HTTP/1.1
> Host: registry.acme.example
> Authorization: Basic ⟦base64|ana:«{signed}»⟧
> User-Agent: curl/8.5.0
=== key and value
level=info ts=2026-03-01T12:00:01Z msg="config loaded" user=shop password=«{a4};{a4}» port=5432
=== key and value in quotes
time=12:00:01 level=DEBUG msg=connect dsn="host=db1 user=shop password=«{a4}'{a4}» sslmode=disable"
=== json line
{"level":30,"time":1772366401,"req":{"headers":{"x-api-key":"«{a12}-{a12}»","host":"api"}},"msg":"in"}
=== go struct print
config: {Host:db1 Port:5432 User:shop Password:«{a5},{a5}» SSL:false}
=== java record print
DbConfig[host=db1, user=shop, password=«{a5}){a4}», pool=10]
=== python repr
Settings(db_host='db1', db_password='«{a4}]{a5}»', debug=False)
=== rust debug
Config { user: "shop", password: "«{a4}}{a5}»", retries: 3 }
=== ruby inspect
#<Client:0x00007f @host="api", @token="«{h32}»", @timeout=5>
=== php dump
array(3) {
  ["host"]=>
  string(3) "db1"
  ["password"]=>
  string(11) "«{a5};{a5}»"
}
=== var_export
'password' => '«{a5}({a5}»',
=== exception with an address
sqlalchemy.exc.OperationalError: could not connect: postgresql+psycopg2://shop:«{plain}»@db1.acme.example/shop
=== git failure
fatal: unable to access 'https://ana:«ghp_{a36}»@github.com/acme/app.git/': The requested URL returned error: 403
=== npm debug
npm http fetch GET 401 https://npm.acme.example/app 91ms headers { authorization: 'Bearer «npm_{a36}»' }
=== set -x
+ curl -fsS -H 'PRIVATE-TOKEN: «glpat-{w20}»' https://gitlab.acme.example/api/v4/user
=== github actions group
2026-03-01T12:00:03.1234567Z env:
2026-03-01T12:00:03.1234571Z   DEPLOY_TOKEN: «{a32}»
2026-03-01T12:00:03.1234580Z   NODE_ENV: production
=== gitlab job
§ export VAULT_TOKEN=§(vault write -field=token auth/jwt/login role=ci)
§ echo §VAULT_TOKEN
«hvs.{w95}»
=== jenkins console
[Pipeline] sh
+ mvn -s settings.xml deploy -Dnexus.user=build -Dnexus.password=«{a4}>{a4}»
=== circle environment
Using environment variables from project settings and/or contexts:
  SONAR_TOKEN=«sqp_{h40}»
=== printenv
HOSTNAME=web-6c9
SECRET_KEY_BASE=«{h128}»
HOME=/app
=== env diff
-STRIPE_KEY=«sk_live_{a24}»
+STRIPE_KEY=§{STRIPE_KEY}
=== git diff of settings
@@ -4,3 +4,3 @@ production:
   username: shop
-  password: «{a5},{a6}»
+  password: <%= ENV["DB_PASSWORD"] %>
=== grep with names
config/prod.env:3:MAIL_PASSWORD=«{a4}|{a5}»
config/prod.env:9:MAIL_HOST=smtp.acme.example
=== ripgrep heading
src/db.ts
14:  password: "«{a5}]{a4}»",
=== cat with numbers
     1→texport default {
     2→t  clientSecret: '«{a8}.{a12}»',
     3→t};
=== docker logs, first start
db-1  | GENERATED ROOT PASSWORD: «{a32}»
=== jenkins first start
Please use the following password to proceed to installation:

«{h32}»

This may also be found at: /var/lib/jenkins/secrets/initialAdminPassword
=== kubectl describe
    Environment:
      DB_USER:      shop
      DB_PASSWORD:  «{a5}&{a5}»
=== kubectl get secret
apiVersion: v1
kind: Secret
data:
  username: ⟦base64|shop⟧
  password: ⟦base64|«{signed}»⟧
=== strace
write(4, "AUTH «{plain}»\r\n", 22) = 17
=== tcpdump
E..T..@.@.......P.....POST /login HTTP/1.1..Content-Length: 41....user=ana&password=«{a5}%21{a4}»
=== ansible verbose
ok: [db1] => {"changed": false, "invocation": {"module_args": {"login_password": "«{a4},{a5}»", "name": "shop"}}}
=== terraform plan
      + master_password = "«{a4}}{a5}»"
      + username        = "shop"
=== vagrant
    default: The generated admin password is "«{a4}<{a6}»". Keep it safe.
`);

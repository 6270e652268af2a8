// Hard forms: private keys in any wrapping, secrets inside of encodings, and private passages in unusual tags.
import { blocked } from "./third-fill.ts";

export const wrappedKeys = blocked(String.raw`
=== RSA, cat -n
$ cat -n deploy.pem
     1→t-----BEGIN RSA PRIVATE KEY-----
     2→t«{b64}»
     3→t«{b64}»
     4→t«{b50}==»
     5→t-----END RSA PRIVATE KEY-----
=== EC, grep -Hn
certs/ec.pem:1:-----BEGIN EC PRIVATE KEY-----
certs/ec.pem:2:«{b64}»
certs/ec.pem:3:«{b64}»
certs/ec.pem:4:«{b42}==»
certs/ec.pem:5:-----END EC PRIVATE KEY-----
=== grep -A, dashes between
keys.txt:12:-----BEGIN PRIVATE KEY-----
keys.txt-13-«{b64}»
keys.txt-14-«{b64}»
keys.txt-15-«{b24}»
keys.txt-16------END PRIVATE KEY-----
=== diff, taken away
--- a/id_ed25519
+++ /dev/null
@@ -1,5 +0,0 @@
------BEGIN OPENSSH PRIVATE KEY-----
-«{b70}»
-«{b70}»
-«{b38}»
------END OPENSSH PRIVATE KEY-----
=== combined diff
++-----BEGIN RSA PRIVATE KEY-----
++«{b64}»
+ «{b64}»
++-----END RSA PRIVATE KEY-----
=== log with time and level
2026-03-02 10:00:00,001 INFO key: -----BEGIN PRIVATE KEY-----
2026-03-02 10:00:00,001 INFO key: «{b64}»
2026-03-02 10:00:00,001 INFO key: «{b64}»
2026-03-02 10:00:00,001 INFO key: -----END PRIVATE KEY-----
=== docker compose log
web-1  | -----BEGIN ENCRYPTED PRIVATE KEY-----
web-1  | «{b64}»
web-1  | «{b64}»
web-1  | -----END ENCRYPTED PRIVATE KEY-----
=== github actions log
2026-03-01T12:00:03.1234567Z -----BEGIN OPENSSH PRIVATE KEY-----
2026-03-01T12:00:03.1234568Z «{b70}»
2026-03-01T12:00:03.1234569Z «{b70}»
2026-03-01T12:00:03.1234570Z -----END OPENSSH PRIVATE KEY-----
=== journal
Mar 02 10:00:00 web1 app[411]: -----BEGIN RSA PRIVATE KEY-----
Mar 02 10:00:00 web1 app[411]: «{b64}»
Mar 02 10:00:00 web1 app[411]: «{b64}»
Mar 02 10:00:00 web1 app[411]: -----END RSA PRIVATE KEY-----
=== slash comments
// -----BEGIN RSA PRIVATE KEY-----
// «{b64}»
// «{b64}»
// -----END RSA PRIVATE KEY-----
=== star comments
/*
 * -----BEGIN EC PRIVATE KEY-----
 * «{b64}»
 * «{b36}==»
 * -----END EC PRIVATE KEY-----
 */
=== sql comments
-- -----BEGIN PRIVATE KEY-----
-- «{b64}»
-- «{b64}»
-- -----END PRIVATE KEY-----
=== quotation of a mail
> -----BEGIN RSA PRIVATE KEY-----
> «{b64}»
> «{b64}»
> -----END RSA PRIVATE KEY-----
=== quotation in a quotation
>> -----BEGIN PGP PRIVATE KEY BLOCK-----
>>
>> «lQdGB{b59}»
>> «{b64}»
>> ={b4}
>> -----END PGP PRIVATE KEY BLOCK-----
=== markdown list
1. copy this
   -----BEGIN OPENSSH PRIVATE KEY-----
   «{b70}»
   «{b70}»
   -----END OPENSSH PRIVATE KEY-----
2. chmod 600
=== yaml block, deep
        tls:
          key: |
            -----BEGIN PRIVATE KEY-----
            «{b64}»
            «{b64}»
            -----END PRIVATE KEY-----
          ca: none
=== json with line ends
{"type":"service_account","private_key_id":"{h40}","private_key":"-----BEGIN PRIVATE KEY-----\n«{b64}»\n«{b64}»\n«{b20}»\n-----END PRIVATE KEY-----\n","client_email":"ci@acme.iam.gserviceaccount.com"}
=== json in json
{"log":"{\"key\":\"-----BEGIN RSA PRIVATE KEY-----\\n«{b64}»\\n«{b64}»\\n-----END RSA PRIVATE KEY-----\\n\"}\n"}
=== one line, blanks for line ends
SSH_KEY=-----BEGIN OPENSSH PRIVATE KEY----- «{b70}» «{b70}» «{b30}» -----END OPENSSH PRIVATE KEY-----
=== one line, nothing for line ends
MIX_KEY="-----BEGIN PRIVATE KEY-----«{b64}{b64}{b40}»-----END PRIVATE KEY-----"
=== env file over lines
GITHUB_APP_KEY="-----BEGIN RSA PRIVATE KEY-----
«{b64}»
«{b64}»
-----END RSA PRIVATE KEY-----"
=== javascript, array joined
const key = [
  "-----BEGIN RSA PRIVATE KEY-----",
  "«{b64}»",
  "«{b64}»",
  "-----END RSA PRIVATE KEY-----",
].join("\n");
=== java, lines added up
String key = "-----BEGIN PRIVATE KEY-----\n" +
    "«{b64}»\n" +
    "«{b64}»\n" +
    "-----END PRIVATE KEY-----\n";
=== c, lines side by side
static const char key[] =
"-----BEGIN EC PRIVATE KEY-----\r\n"
"«{b64}»\r\n"
"«{b40}»\r\n"
"-----END EC PRIVATE KEY-----\r\n";
=== cut off before its end
$ head -4 id_rsa
-----BEGIN OPENSSH PRIVATE KEY-----
«b3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQAAAAAAAAABAAAB{b14}»
«{b70}»
«{b70}»
=== putty
PuTTY-User-Key-File-3: ssh-ed25519
Encryption: none
Comment: ana
Private-Lines: 1
«{b43}=»
Private-MAC: {h64}
=== wireguard
[Interface]
Address = 10.7.0.2/32
PrivateKey = «{b43}=»
ListenPort = 51820
=== jwk
{"kty":"EC","crv":"P-256","x":"{w43}","y":"{w43}","d":"«{w43}»","kid":"1"}
=== key of an account, one word
"Account 0: 0x7e5f4552091a69125d5dfcb7b8c2659029395bdf (10000 ETH)"
"Private Key: 0x«{h64}»"
=== pem in base 64
ID_RSA_B64=⟦base64|«-----BEGIN RSA PRIVATE KEY-----
{b64}
{b64}
-----END RSA PRIVATE KEY-----
»⟧
=== dsa, indented by tabs
→t→t-----BEGIN DSA PRIVATE KEY-----
→t→t«{b64}»
→t→t«{b64}»
→t→t-----END DSA PRIVATE KEY-----
=== with encryption headers
-----BEGIN RSA PRIVATE KEY-----
Proc-Type: 4,ENCRYPTED
DEK-Info: AES-128-CBC,{H32}

«{b64}»
«{b64}»
-----END RSA PRIVATE KEY-----
`);

export const encodedForms = blocked(String.raw`
=== base 64, kubernetes secret of a file
  application.properties: ⟦base64|spring.datasource.password=«{signed}»⟧
=== base 64, decoded in a pipe
$ echo '⟦base64|DB_PASSWORD=«{signed}»⟧' | base64 -d > .env
=== base 64, header without colon name
$ http GET api.acme.example/me "Authorization:Basic ⟦base64|ana:«{a12}»⟧"
=== base 64 address, git config
[http "https://git.acme.example/"]
→textraheader = AUTHORIZATION: basic ⟦base64|x-access-token:«ghs_{a36}»⟧
=== base 64 address, web safe
{"payload":"⟦base64url|{"user":"ana","password":"«{signed}»"}⟧"}
=== url, form body
body: 'username=ana&password=«⟦url|{a4}&{a4}=%{a3}⟧»'
=== url, twice
redirect=https%3A%2F%2Fsso.acme.example%2Fcb%3Faccess_token%3D«{a20}%252F{a12}»%26state%3D1
=== url, address in a parameter
GET /proxy?target=https%3A%2F%2Fana%3A«{plain}»%40repo.acme.example%2Fsimple HTTP/1.1
=== url, user part
mongodb://shop:«⟦url|{a4}@{a4}#{a3}⟧»@mongo1.acme.example,mongo2.acme.example/shop?replicaSet=rs0
=== json in json
{"body":"{\"grant_type\":\"password\",\"username\":\"ana\",\"password\":\"«{a5};{a5}»\"}"}
=== json in json in json
{"message":"{\"body\":\"{\\\"client_secret\\\":\\\"«{a20},{a6}»\\\"}\"}"}
=== json, unicode escapes
{"password":"«{a4}\u0026{a4}\u003c{a3}»","user":"ana"}
=== html, entities
<input type="hidden" name="password" value="«{a4}&amp;{a4}&#39;{a3}»">
=== html, data attribute
<div data-config="{&quot;apiKey&quot;:&quot;«{a32}»&quot;,&quot;region&quot;:&quot;eu&quot;}"></div>
=== yaml in json
{"values.yaml":"db:\n  user: shop\n  password: «{a5}>{a5}»\n"}
=== shell in json
{"command":"curl -u \"ana:«{a4}&{a5}»\" https://nexus.acme.example"}
=== shell in yaml
    - run: "PGPASSWORD='«{a4};{a4}»' pg_dump -h db1 -U shop shop > /tmp/shop.sql"
=== sql in a log
[query] ALTER ROLE "shop" WITH PASSWORD \'«{a4})({a4}»\' VALID UNTIL \'infinity\'
=== hex
openssl enc -d -aes-256-cbc -K «{h64}» -iv {h32} -in dump.enc
=== python bytes
os.environb[b"API_TOKEN"] = b"«{a12}\\{a12}»"
=== csv
name,username,password,url
nexus,build,"«{a4},{a5}»",https://nexus.acme.example
=== tsv
user→tpassword→trole
ana→t«{plain}»→tadmin
=== markdown table
| service | user | password |
|---|---|---|
| nexus | build | «{a4}&{a4}» |
=== plist
<key>AccessToken</key>
<string>«{a40}»</string>
=== ini in an escape
"config": "[default]\naws_access_key_id = AKIAEXAMPLE\naws_secret_access_key = «{b40}»\n"
`);

export const privateForms = blocked(`
=== over paragraphs
Set this up:
<private>
host 10.1.2.3

«{plain} is the one for root»
</private>
then restart.
=== upper case
<PRIVATE>«{words}»</PRIVATE> and go on
=== blanks in the tag
< private >«{words}»< / private >
=== full width
＜ｐｒｉｖａｔｅ＞«{words}»＜／ｐｒｉｖａｔｅ＞
=== zero width
<pri‸vate>«{words}»</priv‸ate>
=== nested
<private>one <private>«{words}»</private> «two {a10}»</private> three
=== never closed
remember: <private>«{words}»
=== escaped in html
&lt;private&gt;«{words}»&lt;/private&gt;
=== in a string of code
const note = "<private>«{words}»</private>";
=== attribute in the tag
<private reason="customer">«{words}»</private>
`);

// What programs and people send along or show without a telling name beside it: hooks, cookies, logins, entries with a type.
import { lined, type Row } from "./third-fill.ts";

/** Places of which a sixth reading told. */
export const sentAlong: readonly Row[] = lined(String.raw`
loggly, python handler | handler = HTTPSHandler("https://logs-01.loggly.com/inputs/«{uuid}»/tag/python")
loggly, shell | curl -d "$LINE" http://logs.loggly.com/inputs/«{uuid}»
sumologic, helm | endpoint: https://endpoint4.collection.sumologic.com/receiver/v1/http/«{b96}==»
sumologic, fluentd | endpoint https://collectors.sumologic.com/receiver/v1/http/«{b88}=»
cronitor, crontab | 0 3 * * * /usr/bin/backup && curl -s https://cronitor.link/p/«{h32}»/backup?state=complete
bark, shell | curl "https://api.day.app/«{a22}»/Backup/done"
server chan, python | requests.post("https://sctapi.ftqq.com/«SCT{d6}T{a24}».send", data=d)
honeycomb, otel | OTEL_EXPORTER_OTLP_HEADERS="x-honeycomb-team=«{a22}»"
honeycomb, yaml | headers:⏎  x-honeycomb-team: «{a22}»⏎  x-honeycomb-dataset: shop
pagerduty, python | payload = {"routing_key": "«{h32}»", "event_action": "trigger"}
pagerduty, yaml | - routing_key: «{h32}»⏎  severity: error
hardhat, config | polygon: { url: RPC, accounts: ["«0x{h64}»"], gas: 1 }
hardhat, bare | accounts: ['«{h64}»'],
marketplace | npx @vscode/vsce publish -p «{l52}»
open vsx | ovsx publish build/x.vsix -p «{uuid}»
requests session | api.auth = ("reports", "«{a14}»")
two keys of a cloud | AKIA{t16} / «{b40}»
twilio, key pair | const c = require("twilio")("SK{h32}", "«{l32}»", { accountSid: sid });
secret in one line | apiVersion: v1⏎kind: Secret⏎metadata: {name: mail}⏎data: {user: «{b16}», smtp-password: «{b22}==»}
jsonpath | ❯ kubectl -n shop get secret pg -o jsonpath="{.data.pw}"⏎«{b30}==»
go template | kubectl get secret pg -o go-template='{{.data.pw}}'⏎«{b30}==»
httpx cookies | client = httpx.Client(cookies={"session_id": "«{l32}»"})
playwright cookies | await ctx.addCookies([{ name: "auth", value: "«{a40}»", url }])
next cookies | cookies().set("sid", "«{a32}»", { httpOnly: true })
parameter store | {⏎ "Name": "/shop/db", "Type": "SecureString", "Value": "«{a20}»"⏎}
vault export | {"type": "password", "name": "root of db1", "value": "«{a16}»"}
escaped form | value=&quot;«{a24}»&quot; id=&quot;t&quot; name=&quot;access_token&quot;
openvpn | <tls-auth>⏎-----BEGIN OpenVPN Static key V1-----⏎«{h32}»⏎«{h32}»⏎-----END OpenVPN Static key V1-----
short header | curl -H 'Key: «{h80}»' https://api.example.org/check
browserbase, test | BROWSERBASE=bb_test_«{w27}»
switch, obscured | aaa group server radius ISE⏎ key 7 «{H22}»
sqlcmd | sqlcmd -S tcp:db,1433 -U sa -P «{x6}{d2}{x5}» -i f.sql
discord bot | client.login("«{a59}»").then(ready);
passport | new JwtStrategy({ jwtFromRequest, secretOrKey: '«{a20}*{a4}»' })
vault, a row | secret_id               «{uuid}»⏎secret_id_accessor      {uuid}
mail of an app | s.login('ada@gmail.com', '«{x4} {x4} {x4} {x4}»')
best time | besttime private: pri_«{h32}»
ppp | ppp pap sent-username x password 0 «{a14}»
authorize.net | <name>x</name><transactionKey>«{a16}»</transactionKey>
`);

/** What stands in such places and is no secret. */
export const sentAlongLookAlikes: readonly Row[] = lined(String.raw`
routing key of a queue | routing_key: orders.created.v2
routing key of a test | "routing_key": "checkout-eu-1"
addresses of accounts | accounts: ["0x{h40}", "0x{h40}"]
number of accounts | accounts: { count: 20, mnemonic: process.env.MNEMONIC }
documentation of a hook | POST https://logs-01.loggly.com/inputs/TOKEN/tag/http/
publish with a variable | vsce publish -p $VSCE_PAT && ovsx publish -p "$OVSX_PAT"
cookie of a choice | requests.get(url, cookies={"consent": "analytics-only-2024"})
clearing cookies | cookies().set("sid", "", { maxAge: 0 })
type of a schema | {"type": "password", "label": "Password", "value": ""}
parameter that is none | {"Name": "/shop/size", "Type": "String", "Value": "m5.large-12"}
config map in one line | kind: ConfigMap⏎data: {colour: blue-and-white-1, size: medium-12}
key of a cache | cache key: deps-{h64}
password in a file | mysqldump --defaults-extra-file=x password=@/run/secrets/db
type in a table of options | | secret | *string* | required |
bot with a script | bot.run("./scripts/main2.py")
token of a design | color: #fff; /* token: grey/200 */
expression | const re = /(?:token|secret)\s*[:=]\s*\S+/i;
option of a manual | -p, --password=name  Password to use when connecting to server.
option of a manual, short | --token=value  token to send, see docs
error of kubectl | kubectl get secret pg -o jsonpath='{.data.pw}'⏎Error from server (NotFound): secrets "pg" not found
`);

// Formats that public rule sets document, each in a place where it really stands. Facts only: no text of theirs is here.
//
// The union is drawn from by seed: the ids of four rule sets, as stored in public in 2026, each list in the sets' own order
// without generic rules (passwords, private keys, JWT) and without ids that are no secret (client ids, public keys); 84 of
// 194 rules of gitleaks, 78 of 698 detectors of trufflehog, 18 of 82 files of noseyparker, 8 of 24 plugins of
// detect-secrets, by the smallest numbers of `createRandom("third corpus <set>")`. GitHub's list of supported patterns
// names types without their shapes; all of it that was drawn is in the others. Drawn twice, and written once: the formats
// of Fastly, Heroku, Mailgun, Telegram and Twilio. Left out: PostHog's project key, which its maker calls public.
// A detector that asks for a word beside the token gets it there.
import { lined } from "./third-fill.ts";

export const gitleaksFormats = lined(`
1password-secret-key, emergency kit | 1Password Emergency Kit⏎Sign-in address  acme.1password.com⏎Email  ana@acme.example⏎Secret Key  «A3-{u6}-{u11}-{u5}-{u5}-{u5}»
1password-service-account-token, env file | OP_CONNECT_HOST=http://localhost:8080⏎OP_SERVICE_ACCOUNT_TOKEN=«ops_eyJ{b280}»
age-secret-key, key file | # created: 2026-03-04T10:11:12+01:00⏎# public key: age1lggyhqrw2nlhcxprm67z43rta597azn8gknawjehu9d9dl0jq3yqqvfafg⏎«AGE-SECRET-KEY-1{q58}»
airtable-api-key, code | const AIRTABLE_API_KEY = "«key{a14}»";⏎const base = new Airtable({ apiKey: AIRTABLE_API_KEY }).base("appTasks");
alibaba-access-key-id, config | [default]⏎region = eu-central-1⏎access_key_id = «LTAI{a20}»⏎access_key_secret = «{a30}»
anthropic-api-key, bare in a log | 2026-05-02T08:00:11Z debug client=anthropic key «sk-ant-api03-{w93}AA» accepted
artifactory-reference-token, curl | curl -H "Authorization: Bearer «cmVmd{a59}»" -O https://artifacts.acme.example/artifactory/libs/app-1.4.2.jar
azure-ad-client-secret, JSON of a command | {⏎  "appId": "{uuid}",⏎  "displayName": "ci-deployer",⏎  "password": "«{a3}8Q~{a34}»",⏎  "tenant": "{uuid}"⏎}
beamer-api-token, env file | BEAMER_API_KEY="«b_{w44}»"
cisco-meraki-api-key, curl | curl -s -L --request GET --url https://api.meraki.com/api/v1/organizations -H 'X-Cisco-Meraki-API-Key: «{h40}»'
clickhouse-cloud-api-secret-key, curl | curl --user "{a20}:«4b1d{a38}»" https://api.clickhouse.cloud/v1/organizations
cohere-api-token, notebook | !export CO_API_KEY=«{a40}»
coinbase-access-token, config | coinbase_access_token: «{w64}»
confluent-access-token, env file | CONFLUENT_CLOUD_API_KEY=«{u16}»⏎CONFLUENT_CLOUD_API_SECRET=«{b64}»
contentful-delivery-api-token, code | export const contentfulDeliveryToken = "«{w43}»";
digitalocean-access-token, bare in a log | INFO oauth callback ok user=ana token «doo_v1_{h64}» expires_in=2592000
dropbox-api-token, JSON | { "dropbox": { "dropbox_app_key": "{l15}", "dropbox_app_secret": "«{l15}»" } }
dropbox-short-lived-api-token, code | dbx = dropbox.Dropbox(dropbox_token="«sl.{w135}»")
duffel-api-token, curl | curl -X GET "https://api.duffel.com/air/airlines" -H "Duffel-Version: v2" -H "Authorization: Bearer «duffel_live_{w43}»"
dynatrace-api-token, helm | helm upgrade oneagent dynatrace/dynatrace-operator --set apiToken=«dt0c01.{u24}.{u64}»
easypost-test-api-token, ruby | client = EasyPost::Client.new(api_key: '«EZTK{a54}»')
etsy-access-token, env file | ETSY_KEYSTRING=«{l24}»
fastly-api-token, curl | curl -X POST -H "Fastly-Key: «{w32}»" https://api.fastly.com/service/SU1Z0isxPaozGVKXdv0eY/purge_all
finicity-client-secret, properties | finicity.partner.secret=«{l20}»
flickr-access-token, python | FLICKR_API_KEY = u'«{h32}»'
flutterwave-encryption-key, node | const flw = new Flutterwave(process.env.PUBLIC, process.env.SECRET);⏎const encryptionKey = "«FLWSECK_TEST-{h12}»";
flyio-access-token, terminal | $ fly tokens create deploy -x 999999h⏎FlyV1 «fm2_lJPECAAAAAA{b120}»
gcp-api-key, html | <script async src="https://maps.googleapis.com/maps/api/js?key=«AIza{w35}»&callback=initMap"></script>
github-app-token, git remote | origin	https://x-access-token:«ghs_{a36}»@github.com/acme/app.git (fetch)
gitlab-deploy-token, docker login | docker login -u gitlab+deploy-token-12 -p «gldt-{w20}» registry.acme.example
gitlab-feature-flag-client-token, yaml | unleash:⏎  url: https://gitlab.acme.example/api/v4/feature_flags/unleash/42⏎  instanceId: «glffct-{w20}»
gitlab-feed-token, address | https://gitlab.acme.example/dashboard/issues.atom?feed_token=«glft-{w20}»&state=opened
gitlab-kubernetes-agent-token, helm | helm upgrade --install agent gitlab/gitlab-agent --set config.token=«glagent-{w50}» --set config.kasAddress=wss://kas.acme.example
gitlab-ptt, curl | curl -X POST --fail -F token=«glptt-{h40}» -F ref=main https://gitlab.acme.example/api/v4/projects/17/trigger/pipeline
gitlab-rrt, terminal | sudo gitlab-runner register --url https://gitlab.acme.example/ --registration-token «GR1348941{w20}»
gitlab-runner-authentication-token, toml | [[runners]]⏎  name = "shared-1"⏎  url = "https://gitlab.acme.example"⏎  id = 31⏎  token = "«glrt-{w20}»"
gitlab-scim-token, bare in a chat | here is the scim one «glsoat-{w20}» put it into entra
grafana-api-key, curl | curl -H "Authorization: Bearer «eyJrIjoi{a84}==»" http://localhost:3000/api/dashboards/home
harness-api-key, header in code | req.Header.Set("x-api-key", "«pat.{w22}.{h24}.{a20}»")
hashicorp-tf-api-token, rc file | credentials "app.terraform.io" {⏎  token = "«{a14}.atlasv1.{w67}»"⏎}
heroku-api-key, CI output | + export HEROKU_API_KEY=«{uuid}»⏎+ HEROKU_API_KEY=«{uuid}» heroku container:push web
infracost-api-token, yaml | version: "0.1"⏎api_key: «ico-{a32}»⏎pricing_api_endpoint: https://pricing.api.infracost.io
intra42-client-secret, python | client = OAuth2Session("u-s4t2ud-{h64}")⏎SECRET = "«s-s4t2ud-{h64}»"
jfrog-identity-token, env file | JFROG_ACCESS_TOKEN=«{a64}»
kraken-access-token, JSON | {"exchange": {"name": "kraken", "kraken_secret": "«{b86}==»"}}
kucoin-secret-key, env file | KUCOIN_API_SECRET='«{uuid}»'
lob-api-key, env file | LOB_API_KEY=«live_{h35}»
mailgun-private-api-token, curl | curl -s --user 'api:«key-{h32}»' https://api.mailgun.net/v3/mg.acme.example/messages -F to=ana@acme.example
microsoft-teams-webhook, code | $uri = "https://acme.webhook.office.com/webhookb2/«{uuid}@{uuid}/IncomingWebhook/{h32}/{uuid}»"
new-relic-insert-key, yaml | new_relic_insert_key: «NRII-{w32}»
notion-api-token, JSON | {"mcpServers":{"notion":{"command":"npx","env":{"NOTION_TOKEN":"«ntn_{d11}{a35}»"}}}}
npm-access-token, npmrc | //npm.acme.example/:_authToken=«npm_{a36}»⏎always-auth=true
nuget-config-password, xml | <packageSourceCredentials>⏎  <Acme>⏎    <add key="Username" value="build" />⏎    <add key="ClearTextPassword" value="«{plain}»" />⏎  </Acme>⏎</packageSourceCredentials>
nytimes-access-token, address in code | const nytimesKey = "«{a32}»";⏎fetch("https://api.nytimes.com/svc/topstories/v2/home.json?api-key=" + nytimesKey)
planetscale-api-token, terminal | pscale branch list acme --service-token-id {l12} --service-token «pscale_tkn_{w43}»
planetscale-oauth-token, bare in a log | [pscale] refreshed «pscale_oauth_{w43}» for org acme
planetscale-password, address | DATABASE_URL='mysql://{l20}:«pscale_pw_{w43}»@aws.connect.psdb.cloud/acme?sslaccept=strict'
postman-api-token, curl | curl --location 'https://api.getpostman.com/collections' --header 'X-API-Key: «PMAK-{h24}-{h34}»'
privateai-api-token, python | private_ai_key = "«{l32}»"
rapidapi-access-token, curl | curl --request GET --url https://imdb8.p.rapidapi.com/title --header 'X-RapidAPI-Key: «{h10}msh{h15}p1{h6}jsn{h11}»'
readme-api-token, CI | npx rdme openapi openapi.yaml --key=«rdme_{l70}» --id=64f0
sendgrid-api-token, python | sg = SendGridAPIClient('«SG.{w22}.{w43}»')
sentry-access-token, rc file | [auth]⏎sentry_token=«{h64}»
sentry-org-token, env file | SENTRY_AUTH_TOKEN=«sntrys_eyJpYXQiO{a60}LCJyZWdpb25fdXJs{a40}_{b43}»
settlemint-application-access-token, env file | SETTLEMINT_ACCESS_TOKEN=«sm_aat_{a16}»
settlemint-personal-access-token, bare in a log | settlemint login ok «sm_pat_{a16}» workspace=acme
shippo-api-token, curl | curl https://api.goshippo.com/shipments/ -H "Authorization: ShippoToken «shippo_live_{h40}»"
shopify-access-token, curl | curl -X GET "https://acme.myshopify.com/admin/api/2024-01/shop.json" -H "X-Shopify-Access-Token: «shpat_{h32}»"
shopify-custom-access-token, JSON | {"shop":"acme.myshopify.com","access_token":"«shpca_{h32}»","scope":"read_orders"}
shopify-private-app-access-token, address | https://{h32}:«shppa_{h32}»@acme.myshopify.com/admin/api/2022-10/orders.json
slack-app-token, python | handler = SocketModeHandler(app, "«xapp-1-A{u10}-{d13}-{h64}»")
slack-config-access-token, JSON | {"ok":true,"token":"«xoxe.xoxp-1-{u164}»","team_id":"T0ACME"}
slack-config-refresh-token, JSON | {"ok":true,"refresh_token":"«xoxe-1-{u146}»","exp":1780000000}
slack-legacy-bot-token, env file | HUBOT_SLACK_TOKEN=«xoxb-{d12}-{a24}»
slack-user-token, bare in a log | slack: auth.test as «xoxp-{d12}-{d12}-{d12}-{h32}» -> ana
sourcegraph-access-token, env file | SRC_ACCESS_TOKEN=«sgp_{h16}_{h40}»
stripe-access-token, curl | curl https://api.stripe.com/v1/charges -u «rk_live_{a60}»: -d amount=2000
telegram-bot-api-token, address | https://api.telegram.org/bot«{d10}:A{w34}»/getUpdates
travisci-access-token, terminal | travis login --pro --github-token x⏎TRAVIS_TOKEN: «{a22}»
twitch-api-token, ini | [twitch]⏎twitch_oauth = «{l30}»
twitter-access-secret, python | auth.set_access_token(twitter_token, twitter_secret)⏎twitter_secret = "«{a45}»"
twitter-bearer-token, header | GET /2/tweets?ids=12 HTTP/1.1⏎Host: api.twitter.com⏎Authorization: Bearer «AAAAAAAAAAAAAAAAAAAAAA{a28}%3D{a54}»
vault-service-token, terminal | $ vault login -method=oidc⏎Key                  Value⏎---                  -----⏎token                «hvs.{w95}»⏎token_accessor       {a24}⏎token_duration       768h
yandex-api-key, yaml | yandex_api_key: "«AQVN{w37}»"
`);

export const trufflehogFormats = lined(String.raw`
aha, curl | curl -g "https://acme.aha.io/api/v1/features" -H "Authorization: Bearer «{h64}»"
amadeus, form | curl https://test.api.amadeus.com/v1/security/oauth2/token -d "grant_type=client_credentials&client_id={a32}&client_secret=«{a16}»"
apify, address | curl "https://api.apify.com/v2/acts?token=«apify_api_{a36}»&my=true"
apitemplate, JSON | {"apitemplate": {"api_key": "«{a39}»"}}
autodesk, env file | AUTODESK_CLIENT_ID={a32}⏎AUTODESK_CLIENT_SECRET=«{a16}»
azure_batch, python | client = BatchServiceClient(SharedKeyCredentials("acmebatch", "«{b86}==»"), batch_url="https://acmebatch.westeurope.batch.azure.com")
boostnote, env file | BOOSTNOTE_ACCESS_TOKEN=«{h64}»
braintreepayments, ruby | gateway = Braintree::Gateway.new(⏎  environment: :sandbox,⏎  merchant_id: "{l16}",⏎  public_key: "{l16}",⏎  private_key: "«{h32}»",⏎)
brandfetch, curl | curl -X POST https://api.brandfetch.io/v1/color -H 'x-api-key: «{a40}»' -d '{"domain":"acme.example"}'
calendarific, address | GET https://calendarific.com/api/v2/holidays?api_key=«{l40}»&country=US&year=2026
calorieninja, python | calorieninja = requests.get(url, headers={'X-Api-Key': '«{a40}»'})
cloudsmith, CI | cloudsmith push deb acme/stable/ubuntu/noble app.deb -k «{h40}»
codemagic, curl | curl https://api.codemagic.io/apps -H "x-auth-token: «{w43}»"
coinbase_waas, JSON of a key | {"name":"organizations/{uuid}/apiKeys/{uuid}","privateKey":"-----BEGIN EC PRIVATE KEY-----\n«{b64}»\n«{b64}»\n«{b38}==»\n-----END EC PRIVATE KEY-----\n"}
coinlib, address | https://coinlib.io/api/v1/global?key=«{l16}»&pref=EUR
deepgram, header | curl -X POST https://api.deepgram.com/v1/listen -H 'Authorization: Token «{h40}»' --data-binary @call.wav
demio, env file | DEMIO_API_KEY=«{a32}»⏎DEMIO_API_SECRET=«{a18}»
dfuse, JSON body | curl https://auth.dfuse.io/v1/auth/issue -d '{"api_key":"«web_{h32}»"}'
docker, config.json | {⏎	"auths": {⏎		"registry.acme.example": {⏎			"auth": "⟦base64|build:«{signed}»⟧"⏎		}⏎	}⏎}
dovico, header | # dovico⏎Authorization: WRAP access_token="client=«{l32}.{d5}»&user_token=«{l32}.{d6}»"
dronahq, address | https://plugin.api.dronahq.com/users/?tokenkey=«{l50}»
ethplorer, form | curl https://api-mon.ethplorer.io/createPool -d "apiKey=«EK-{a5}-{a7}-{a5}»&addresses=0xb2930b35844a230f00e51431acae96fe543a0347"
faceplusplus, form | curl -X POST "https://api-us.faceplusplus.com/facepp/v3/detect" -F "api_key=«{w32}»" -F "api_secret=«{w32}»"
findl, curl | curl "https://api.findl.com/v1.0/query?limit=6" -H "X-API-Key: «{uuid}»"
flightapi, address | curl https://api.flightapi.io/iata/«{h24}»/london/airport
ftp, address | lftp -e "mirror -R dist /htdocs" ftp://web4711:«{plain}»@ftp.acme.example
getgist, curl | # getgist contacts⏎curl https://api.getgist.com/contacts -H "Authorization: Bearer «{a67}=»"
getresponse, header | X-Auth-Token: api-key «{l32}»⏎Host: api.getresponse.com
github_oauth2, env file | GITHUB_CLIENT_ID={h20}⏎GITHUB_CLIENT_SECRET=«{h40}»
goodday, header in code | const goodday = { headers: { "gd-api-token": "«{h32}»" } };
graphhopper, address | https://graphhopper.com/api/1/geocode?q=berlin&key=«{uuid}»&type=json
harvest, curl | curl "https://api.harvestapp.com/v2/users/me" -H "Harvest-Account-ID: 1234567" -H "Authorization: Bearer «{d7}.pt.{a86}»"
holistic, env file | HOLISTIC_API_KEY=«{h64}»
imagekit, node | const imagekit = new ImageKit({ publicKey: "public_{a27}=", privateKey: "«private_{a27}=»", urlEndpoint: "https://ik.imagekit.io/acme" });
jupiterone, yaml | jupiterone:⏎  account: acme⏎  accessToken: «{a76}»
kickbox, address | https://api.kickbox.com/v2/verify?email=ana@acme.example&apikey=«live_{h64}»
langfuse, env file | LANGFUSE_PUBLIC_KEY=pk-lf-{uuid}⏎LANGFUSE_SECRET_KEY=«sk-lf-{uuid}»
lendflow, header | curl https://app.lendflow.io/api/v1/deals -H "Authorization: Bearer «{a36}.{a235}.{a32}-{a47}-{a162}-{a42}»"
lessannoyingcrm, address | https://api.lessannoyingcrm.com?UserCode={u5}&APIToken=«{u5}-{a51}»&Function=GetUserInfo
loggly, terminal | docker run -d -p 514:514/udp -e LOGGLY_TOKEN=«{uuid}» -e TAG=prod sendgridlabs/loggly-docker
logzio, yaml | output.logstash:⏎  hosts: ["listener.logz.io:5015"]⏎fields:⏎  logzio_token: «{uuid}»
mite, curl | curl -H 'X-MiteApiKey: «{h16}»' https://acme.mite.yo.lk/account.json
mockaroo, address | curl "https://api.mockaroo.com/api/generate.csv?key=«{h8}»&schema=users"
monkeylearn, header | requests.post(monkeylearn_url, headers={"Authorization": "Token «{h40}»"})
moonclerk, header | curl -H "Authorization: Token token=«{h32}»" -H "Accept: application/vnd.moonclerk+json;version=1" https://api.moonclerk.com/forms
nftport, header | curl https://api.nftport.xyz/v0/me/contracts -H "Authorization: «{uuid}»"
ngrok, terminal | ngrok config add-authtoken «2{a26}_4{a20}»
omnisend, header | curl https://api.omnisend.com/v3/contacts -H 'X-API-KEY: «{h24}-{a50}»'
paralleldots, python | paralleldots.set_api_key("«{a43}»")
percy, CI | $ export PERCY_TOKEN=«{h64}»⏎$ npx percy exec -- cypress run
planviewleankit, env file | PLANVIEW_SUBDOMAIN=acme⏎PLANVIEW_TOKEN=«{h128}»
plivo, python | client = plivo.RestClient("MAXXXXXXXXXXXXXXXXXX", "«{w40}»")
pollsapi, header | curl https://api.pollsapi.com/v1/get/polls -H "api-key: «{u28}»"
poloniex, config | poloniex:⏎  key: {u8}-{u8}-{u8}-{u8}⏎  secret: «{h128}»
postbacks, header | Postbacks-Authorization: «{uuid}»
proxycrawl, address | https://api.proxycrawl.com/leads?token=«{w22}»&domain=acme.example
rebrandly, header | curl https://api.rebrandly.com/v1/account -H "apikey: «{h32}»"
requestfinance, header | requestfinance: get("https://api.request.finance/invoices", { Authorization: "«{u7}-{u7}-{u7}-{u7}»" })
robinhoodcrypto, python | API_KEY = "«rh-api-{uuid}»"⏎BASE64_PRIVATE_KEY = "«{b43}=»"
route4me, address | https://api.route4me.com/api.v4/address_book.php?api_key=«{H32}»
scalewaykey, yaml | profiles:⏎  scaleway:⏎    access_key: SCW{u17}⏎    secret_key: «{uuid}»
scraperapi, address | requests.get(f"http://api.scraperapi.com?api_key=«{h32}»&url={url}")
scrapestack, address | https://api.scrapestack.com/scrape?access_key=«{h32}»&url=https://acme.example
scrutinizerci, CI | SCRUTINIZER_ACCESS_TOKEN=«{l64}» php ocular.phar code-coverage:upload --format=php-clover coverage.clover
selectpdf, address | https://selectpdf.com/api2/convert/?key=«{uuid}»&url=https://acme.example
sendbirdorganizationapi, header | SENDBIRDORGANIZATIONAPITOKEN: «{h24}»
skrappio, header | curl https://api.skrapp.io/api/v2/account -H "X-Access-Key: «{a42}»"
teamworkspaces, curl | curl https://acme.teamwork.com/spaces/api/v1/users.json -H "Authorization: Bearer «tkn.v1_{a71}=»"
tomorrowio, address | https://api.tomorrow.io/v4/weather/realtime?location=bern&apikey=«{a32}»
uplead, header | curl https://api.uplead.com/v2/credits -H "Authorization: «{h32}»"
vagrantcloudpersonaltoken, terminal | export VAGRANT_CLOUD_TOKEN=«{a14}.atlasv1.{a67}» && vagrant cloud publish
visualcrossing, address | https://weather.visualcrossing.com/VisualCrossingWebServices/rest/services/timeline/LA?key=«{u25}»
vpnapi, address | curl https://vpnapi.io/api/8.8.8.8?key=«{h32}»
webscraping, address | https://api.webscrapingapi.com/v1?api_key=«{a32}»&url=https%3A%2F%2Facme.example
youneedabudget, curl | curl -H "Authorization: Bearer «{h64}»" https://api.youneedabudget.com/v1/budgets
zeplin, env file | ZEPLIN_ACCESS_TOKEN=«{a36}.{a290}.{a43}»
`);

export const otherFormats = lined(`
noseyparker dockerhub, terminal | docker login -u ana -p «dckr_pat_{w27}»
noseyparker doppler service, terminal | doppler run --token «dp.st.prd.{a43}» -- node server.js
noseyparker doppler cli, yaml | scoped:⏎  /:⏎    token: «dp.ct.{a43}»⏎    api-host: https://api.doppler.com
noseyparker doppler scim, bare in a log | scim provisioner started dp dp.scim ok «dp.scim.{a43}»
noseyparker firecrawl, python | app = FirecrawlApp(api_key="«fc-{h32}»")
noseyparker google client secret, JSON | {"installed":{"client_id":"{d12}-{l32}.apps.googleusercontent.com","client_secret":"«GOCSPX-{w28}»","redirect_uris":["http://localhost"]}}
noseyparker google access token, terminal | $ gcloud auth print-access-token⏎«ya29.{w160}»
noseyparker google old client secret, code | const CLIENT_ID = '{d12}-{l32}.apps.googleusercontent.com';⏎const CLIENT_SECRET = '«{w24}»';
noseyparker hashicorpvault service, env file | VAULT_CLIENT_TOKEN="«s.{a26}»"
noseyparker hashicorpvault batch, header | curl -H "X-Vault-Token: «hvb.{a60}»" http://127.0.0.1:8200/v1/secret/data/app
noseyparker mapbox secret, env file | export MAPBOX_SECRET_TOKEN=«sk.eyJ1{a60}.{a22}»
noseyparker nasa, address | get('https://api.nasa.gov/planetary/earth/imagery?api_key=«{a40}»').then(show)
noseyparker netrc, file | machine git.acme.example⏎  login ana⏎  password «{signed}»
noseyparker newrelic license, yaml | common: &default_settings⏎  license_key: «{l6}{h30}NRAL»⏎  app_name: Acme (Production)
noseyparker newrelic rest, curl | curl -X POST "https://api.newrelic.com/v2/applications/380836898/deployments.json" -H "X-Api-Key:«NRRA-{h42}»" -i
noseyparker particle.io, curl | curl https://api.particle.io/v1/devices -d access_token=«{h40}»
noseyparker pyx, python | client.auth = httpx.BasicAuth(username="__token__", password="«sk-pyx-{a64}»")
noseyparker segment, JSON | {"workspace": "acme", "token": "«sgp_{a64}»"}
noseyparker stackhawk, env file | HAWK_API_KEY="«hawk.{w20}.{w20}»"
noseyparker truenas, websocket | {"id":"{uuid}", "msg":"method", "method":"auth.login_with_api_key", "params":["«8-{a64}»"]}
noseyparker twilio, code | const client = require("twilio")("AC{h32}", "«{h32}»"); // auth token⏎const apiKey = "«SK{h32}»";
noseyparker vmware, powershell | Connect-VIServer -Server vc.acme.example -User administrator@vsphere.local -Password «{signed}»
detect-secrets aiven_token, address | postgres://avnadmin:«AVNS_{w19}»@pg-acme.aivencloud.com:12691/defaultdb?sslmode=require
detect-secrets aws, terminal | AWS Access Key ID [None]: «AKIA{t16}»⏎AWS Secret Access Key [None]: «{b40}»⏎Default region name [None]: eu-central-1
detect-secrets cloudant, address | https://acme-bluemix:«{h64}»@acme-bluemix.cloudant.com/orders/_all_docs
detect-secrets ibm_cloud_iam, terminal | ibmcloud login --apikey «{w44}» -r eu-de
detect-secrets mailchimp, env file | MAILCHIMP_API_KEY=«{h32}-us12»
detect-secrets square_oauth, env file | SQUARE_APPLICATION_SECRET=«sq0csp-{w43}»
`);

// The tables of services' tokens, in their order: of two that begin alike the more specific stands first. How a row reads: `services.ts`.

/** In their order: the more specific of two that begin alike stands first. */
export const paymentRows = String.raw`
duffel-token  duffel_live_ duffel_test_  duffel_(?:live|test)_[\w=-]{40,60}  duffel_live_<{w43}>  duffel_test_mode  g
easypost-key  EZAK EZTK  EZ[AT]K[A-Za-z0-9]{54}  EZAK<{a54}>  EZAK  g
square-token  EAAA sq0atp- sq0csp- sq0idp-  (?:EAAA(?=[\w-]{0,40}\d)(?=[\w-]{0,40}[a-z])(?![\w-]{0,76}AAAA)[\w-]{22,80}(?![\w+/=])|sq0[a-z]{3}-[\w-]{22,60})
  sq0atp-<{w22}> | EAAA<{a60}> | EAAA<{a32}>  sq0atp-token  g
flutterwave-key  FLWSECK_TEST- FLWSECK-  FLWSECK(?:_TEST)?-[A-Za-z0-9]{12,40}(?:-X)?  FLWSECK_TEST-<{h32}-X>  FLWSECK-  g
mercury-token  secret-token:mercury_  secret-token:mercury_[a-z]+_[\w.]{30,120}
  secret-token:mercury_production_<{a40}>  secret-token:mercury_
plaid-token  access-production- access-development- access-sandbox-  access-(?:production|development|sandbox)-{uuid}
  access-production-<{uuid}>  access-production-database  g
razorpay-key  rzp_live_ rzp_test_  rzp_(?:live|test)_[A-Za-z0-9]{14,40}  rzp_live_<{a14}>  rzp_test_key  t
shippo-token  shippo_live_ shippo_test_  shippo_(?:live|test)_[0-9a-fA-F]{40}  shippo_live_<{h40}>  shippo_test_mode  g
shopify-token  shpat_ shpca_ shppa_ shpss_ shptka_ shpua_  shp[a-z]{2,3}_[0-9a-fA-F]{32}  shpat_<{h32}>  shpat_name  g
stripe-key  sk_live_ sk_test_ sk_prod_ rk_live_ rk_test_ rk_prod_ sk_org_  [sr]k_(?:live|test|prod|org)_[\w-]{16,300}
  sk_live_<{a24}>  sk_test_...  g
webhook-secret  whsec_  whsec_[A-Za-z0-9+/=]{24,255}  whsec_<{a32}>  whsec_test
cashfree-key  cfsk_ma_  cfsk_ma_(?:prod|test)_[0-9a-f]{32}_[0-9a-f]{8}(?!\w)  cfsk_ma_prod_<{h32}_{h8}>  cfsk_ma_prod
braintree-token  access_token$  access_token\$(?:production|sandbox)\$[0-9a-z]{16}\$[0-9a-f]{32}
  access_token$production$<{l16}$ab{h30}>  access_token$expires
gocardless-token  live_ sandbox_  (?:live|sandbox)_(?=[\w-]{0,38}\d)(?=[\w-]{0,38}[A-Z])[\w-]{40}(?![\w-])
  live_<{a40}>  live_view_of_the_dashboard_of_a_user_today  g
lob-key  live_ test_  (?:live|test)_[0-9a-f]{35}(?!\w)  live_<{h35}> | test_<{h35}>  test_{h32}  g
mollie-key  live_ test_  (?:live|test)_(?=[A-Za-z]{0,29}\d)(?=[a-z0-9]{0,29}[A-Z])[A-Za-z0-9]{30}(?!\w)
  live_<{a30}> | test_<{a30}>  test_that_a_page_opens
paddle-key  pdl_  pdl_(?:live|sdbx)_apikey_[a-z0-9]{26}_[A-Za-z0-9]{22}_[A-Za-z0-9]{3}
  pdl_live_apikey_<{l26}_{a22}_{a3}>  pdl_live_apikey_name
polar-token  polar_  polar_(?:oat|pat|cst|crt|cs|ac|us|whs|[ar]t_[uo])_[A-Za-z0-9]{32,60}
  polar_oat_<{a43}> | polar_at_u_<{a43}>  polar_oat_file
midtrans-key  Mid-server- SB-Mid-server-  (?:SB-)?Mid-server-[\w-]{20,40}  Mid-server-<{w24}> | SB-Mid-server-<{w24}>
  Mid-server-key
shopify-partner-token:shopify-token  prtapi_ atkn_  (?:prtapi_[0-9a-f]{32}|atkn_[\w-]{40,400})
  prtapi_<{h32}> | atkn_<{w80}>  prtapi_url
adyen-key  AQE  AQE[a-z]hm[A-Za-z0-9+/]{40,200}={0,2}(?:-[\w+/]{30,80}={0,2}-[^\s"'\`]{8,24})?
  AQEyhm<{a80}-{b43}=-{a16}>  AQEyhm
checkout-key  sk_  sk_(?:{uuid}|sbox_[a-z0-9]{26,27})(?!\w)  sk_<{uuid}> | sk_sbox_<{l26}>  sk_sbox_name
alchemy-key  alcht_  alcht_[A-Za-z0-9]{30,40}(?!\w)  alcht_<{a30}>  alcht_name
mollie-org-token:mollie-key  access_
  access_(?=[A-Za-z]{0,33}\d)(?=[a-z0-9]{0,33}[A-Z])(?=[A-Z0-9]{0,33}[a-z])[A-Za-z0-9]{30,40}(?!\w)  access_<{a34}>
  access_log
column-key  live_ test_  (?:live|test)_(?=[A-Za-z]{0,26}\d)(?=[a-z0-9]{0,26}[A-Z])[A-Za-z0-9]{27}(?!\w)  live_<{a27}>  test_that_it_is_done_at_once  t
crossmint-key  sk_production_ sk_staging_  sk_(?:production|staging)_[A-Za-z0-9]{60,300}  sk_production_<{a90}>  sk_staging_name
wallet-key:private-key  xprv yprv zprv tprv  [xyzt]prv[A-Za-z0-9]{107,108}(?!\w)  xprv<{a107}>  xprv of a wallet
nostr-key:private-key  nsec1  nsec1[a-z0-9]{58}(?!\w)  nsec1<{l58}>  nsec1 of a person
asaas-key  $aact_  \$aact_[\w+/=-]{60,300}  $aact_<{b100}==>  $aact_key
mercadopago-token  APP_USR- TEST-  (?:APP_USR|TEST)-\d{12,18}-\d{6}-[0-9a-f]{32}-\d{6,12}(?!\w)
  APP_USR-<{d16}-{d6}-{h32}-{d9}>  TEST-123
ebay-secret  PRD- SBX-  (?:PRD|SBX)-[0-9a-f]{12}-[0-9a-f]{4,8}(?:-[0-9a-f]{4}){3}(?!\w)  PRD-<{h12}-{h8}-{h4}-{h4}-{h4}>  PRD-2024
robinhood-key  rh-api-  rh-api-{uuid}  rh-api-<{uuid}>  rh-api-name  t
paypal-token  A21AA  A21AA(?=[\w-]{0,79}\d)[\w-]{80,120}(?![\w-])  A21AA<{w92}>  A21AA
ramp-secret  ramp_sec_  ramp_sec_[A-Za-z0-9]{40,60}(?!\w)  ramp_sec_<{a48}>  ramp_sec_name  t
freemius-secret  sk_
  sk_(?=[^\s"'\`]{0,28}\d)(?=[^\s"'\`]{0,28}[A-Z])(?=[^\s"'\`]{0,28}[a-z])(?=[^\s"'\`]{0,28}[#$%&*?@!<>^])[\w!#$%&*+,./:;<=>?@^|~-]{29}(?=[\s"'\`\\]|$)
  sk_<{x3}^Q{d1}{a5}#{a17}>  sk_name<of>the&values
pagarme-key  ak_live_ ak_test_  ak_(?:live|test)_[A-Za-z0-9]{30}(?!\w)  ak_live_<{a30}>  ak_live_name  t
recharge-key  sk_1x sk_2x sk_3x sk_5x sk_10x  sk_(?:10|[1235])x[123]_[0-9a-f]{64}(?!\w)  sk_1x1_<{h64}>  sk_2x2_grid  t
`;

/** In their order: the more specific of two that begin alike stands first. */
export const workRows = String.raw`
adobe-secret  p8e-  p8e-[A-Za-z0-9-]{32,64}  p8e-<{l32}>  p8e-client  g
hubspot-token  pat-na pat-eu  pat-(?:na|eu)\d-{uuid}  pat-na1-<{uuid}>  pat-na1-region
atlassian-token  ATATT3 ATCTT3 ATSTT3  AT[ACS]TT3[\w=.-]{50,400}  ATATT3<{w180}={H8}>  ATATT3...  g
authress-key  authress_ scauth_ sc_ ext_
  (?:authress|scauth|sc|ext)_[a-zA-Z0-9]{5,30}\.[a-zA-Z0-9]{4,6}\.acc[_-][a-zA-Z0-9-]{10,32}\.[\w+/=-]{30,120}
  authress_<{l12}.{l5}.acc_{l16}.{a48}>  sc_column.name  g
contentful-token  CFPAT-  CFPAT-[\w-]{40,60}  CFPAT-<{w43}>  CFPAT-token  t
figma-token  figd_ figu_ figo_  fig[duo]_[\w-]{38,60}  figd_<{w40}>  figd_file
frameio-token  fio-u-  fio-u-[\w=-]{60,80}  fio-u-<{w64}>  fio-u-name  g
intra42-secret  s-s4t2ud- s-s4t2af-  s-s4t2(?:ud|af)-[0-9a-f]{64}  s-s4t2ud-<{h64}>  s-s4t2ud-x  g
linear-key  lin_api_ lin_oauth_  lin_(?:api|oauth)_[A-Za-z0-9]{32,64}  lin_api_<{a40}>  lin_api_key  g
mapbox-token  sk.eyJ tk.eyJ  [st]k\.eyJ[\w-]{40,300}\.[\w-]{20,60}  sk.eyJ1Ijoi<{a60}.{w22}> | tk.eyJ1Ijoi<{a60}.{w22}>  sk.eyJ
notion-token  ntn_ secret_  (?:ntn_|secret_)[A-Za-z0-9]{43,60}(?!\w)  ntn_<{d11}{a35}> | secret_<{a43}>
  secret_access_key  g
readme-key  rdme_  rdme_[a-z0-9]{60,80}  rdme_<{l70}>  rdme_file  g
typeform-token  tfp_  tfp_[\w.=-]{40,80}  tfp_<{w59}>  tfp_model  g
apify-token  apify_api_ apify_ui_  apify_(?:api|ui)_[A-Za-z0-9-]{36,60}  apify_api_<{a36}> | apify_ui_<{a36}>  apify_api_url  t
clickup-token  pk_  pk_\d{6,12}_[A-Z0-9]{32}(?!\w)  pk_<{d8}_{u32}>  pk_1234567_users  t
okta-token  00  00(?!0{6})(?=[\w-]{0,39}[A-Z])(?=[\w-]{0,39}[g-z])[\w-]{40}(?![\w-])  00<{a40}>  00{h40}  g
stytch-secret  secret-live- secret-test-  secret-(?:live|test)-[\w=-]{32,60}  secret-live-<{w36}>  secret-test-value
trello-token  ATTA  ATTA[0-9a-fA-F]{72}(?!\w)  ATTA<{h64}{H8}>  ATTACH DATABASE
zoho-token  1000.  1000\.[0-9a-f]{32}\.[0-9a-f]{32}(?!\w)  1000.<{h32}.{h32}>  1000.50
dropbox-token  sl.  sl\.(?:u\.)?[\w=-]{130,2000}  sl.<{w135}> | sl.u.<{w135}>  sl.slice(1)  g
asana-token  1/1 1/2 1/3 1/4 1/5 1/6 1/7 1/8 1/9 2/1 2/2 2/3 2/4 2/5 2/6 2/7 2/8 2/9
  [12]/[1-9]\d{10,20}(?:/\d{10,20})?:[0-9a-f]{32}(?!\w)  1/1<{d15}:{h32}> | 2/1<{d15}/{d16}:{h32}>  1/1234567890123  t
canva-secret  cnvca  cnvca[\w-]{40,80}(?![\w-])  cnvca<{w51}>  cnvcanvas
lichess-token  lip_ lio_  li[po]_(?=[A-Za-z]{0,19}\d)[A-Za-z0-9]{20}(?!\w)  lip_<{a20}>  lip_gloss
onfido-token  api_live api_sandbox  api_(?:live|sandbox)(?:_[a-z]{2})?\.[\w-]{11}\.[\w-]{32}
  api_live.<{w11}.{w32}> | api_live_us.<{w11}.{w32}>  api_live.json
persona-key  persona_production_ persona_sandbox_  persona_(?:production|sandbox)_{uuid}  persona_production_<{uuid}>
  persona_sandbox_mode
salesforce-session  00  00(?:D[A-Za-z0-9]{12,15}|[A-Za-z0-9]{13})![\w.!-]{80,160}  <00D{a12}!{w96}> | <006{a12}!{w96}>  00D123
attio-token  at_  at_[0-9a-f]{64}(?!\w)  at_<{h64}>  at_{h32}
block-protocol-key  b10ck5.  b10ck5\.[A-Za-z0-9]{32}\.[A-Za-z0-9-]{36}(?!\w)  b10ck5.<{h32}.{uuid}>  b10ck5.json
cfx-key  cfxk_  cfxk_[A-Za-z0-9]{12,24}[_-][A-Za-z0-9]{5,10}(?!\w)  cfxk_<{a20}_{a6}> | cfxk_<{a16}-{a8}>  cfxk_name
coveo-key  xx  xx{uuid}(?![\w-])  xx<{uuid}>  xx-large
pangea-token  pts_  pts_(?=[a-z]{0,31}[2-7])[a-z2-7]{32}(?!\w)  pts_<{x8}2{x22}7>  pts_of_the_frame
salesforce-refresh-token:salesforce-session  5Aep861  5Aep861[\w.]{60,120}  5Aep861<{w80}>  5Aep861
zenhub-key  zh_  zh_[0-9a-f]{64}(?!\w)  zh_<{h64}>  zh_hans
ory-token  ory_  ory_(?:[ar]t|ac|pat|wak|apikey)_[\w-]{32,60}(?:\.[\w-]{40,60})?
  ory_at_<{w43}.{w43}> | ory_pat_<{a32}>  ory_pat_name
salesloft-key  v2_ak_  v2_ak_[\w-]{40,160}  v2_ak_<{a70}>  v2_ak_name
close-key  api_  api_[A-Za-z0-9]{20,24}\.[A-Za-z0-9]{20,24}(?!\w)  api_<{a22}.{a22}>  api_client.get  t
cal-key  cal_  cal_(?:live_)?[0-9a-f]{32}(?!\w)  cal_live_<{h32}> | cal_<{h32}>  cal_{h40}
apify-proxy-password:apify-token  apify_proxy_  apify_proxy_(?=[A-Za-z]{0,20}\d)[A-Za-z0-9]{17,60}(?!\w)
  apify_proxy_<{a30}>  apify_proxy_groups
hubspot-developer-key:hubspot-token  na1- eu1-  (?:na|eu)1(?:-[0-9a-f]{4}){3}-{uuid}  eu1-<{h4}-{h4}-{h4}-{uuid}>  eu1-region
voiceflow-key  VF.  VF\.(?:(?:DM|WS)\.)?[0-9a-fA-F]{24}\.[A-Za-z0-9]{16}(?!\w)  VF.DM.<{h24}.{a16}> | VF.<{h24}.{a16}>  VF.DM.name  t
metabase-key  mb_  mb_[A-Za-z0-9+/]{43}=(?!\w)  mb_<{b43}=>  mb_strlen
mappedin-key  mik_ mis_  mi(?:k_(?=[A-Za-z]{0,24}\d)[A-Za-z0-9]{25}|s_(?=[A-Za-z]{0,50}\d)[A-Za-z0-9]{51})(?!\w)  mik_<{a25}> | mis_<{a51}>  mis_name
tolgee-token  tgpak_ tgpat_  tgpa[kt]_[a-z0-9]{40,64}(?!\w)  tgpak_<{l50}>  tgpat_name
proof-key  prf_  prf_(?:cli_)?(?:test_)?(?=[\w-]{0,40}\d)(?=[a-z0-9_-]{0,40}[A-Z])[\w-]{20,80}(?![\w-])  prf_test_<{a28}>  prf_test_of_the_whole_program_at_once
lightspeed-token  XSPT-  XSPT-[A-Za-z0-9]{30,60}(?!\w)  XSPT-<{a40}>  XSPT-name
tines-webhook  tines.com/webhook/  tines\.com/webhook/[0-9a-f]{32}/[0-9a-z]{32}
  https://acme.tines.com/webhook/<{h32}/{h32}>  tines.com/webhook/  t
teamwork-token  tkn.v1_  tkn\.v1_[A-Za-z0-9]{71}=?  tkn.v1_<{a71}>=  tkn.v1_name  t
fleetbase-key  flb_live_ flb_test_  flb_(?:live|test)_[A-Za-z0-9]{20}(?!\w)  flb_live_<{a20}>  flb_test_mode  t
adafruit-key  aio_  aio_[A-Za-z0-9]{28}(?!\w)  aio_<{a28}>  aio_read  t
ubidots-token  BBFF- BBUS-  BB(?:FF|US)-[A-Za-z0-9]{30}(?!\w)  BBFF-<{a30}>  BBFF-name  t
lark-session  XN0YXJ0-  XN0YXJ0-[\w-]{40,200}-WVuZA  XN0YXJ0-<{w60}>-WVuZA  XN0YXJ0-name
workato-token  wrka  wrka(?:us|eu|jp|sg|au|il|cn|trial)?-eyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}  wrkaus-eyJhbGciOi<{w27}.eyJ{w60}.{w43}>  wrkaus-name
hcaptcha-secret  ES_  ES_[0-9a-f]{32}(?!\w)  ES_<{h32}>  ES_{h40}
finage-key  API_KEY  API_KEY(?=[A-Z]{0,31}\d)[A-Z0-9]{31,32}(?!\w)  API_KEY<{u31}>  API_KEY_OF_THE_SERVICE_OF_SHOP_TWO_OF_2
beamer-key  b_  b_(?=[\w=-]{0,43}\d)(?=[a-z0-9_=-]{0,43}[A-Z]|(?:[a-z_=-]{0,16}\d){4})[\w=-]{44}(?![\w-])  b_<{a44}> | b_<{l9}2{l4}9{l8}={l4}3{l8}7{l6}>  b_is_a_variable_of_this_very_long_function_name  g
bannerbear-key  bb_pr_ bb_ma_  bb_(?:pr|ma)_[0-9a-f]{30}(?!\w)  bb_pr_<{h30}>  bb_pr_name  t
`;

/** In their order: the more specific of two that begin alike stands first. */
export const messagingRows = String.raw`
discord-token  MT Mj Mz ND NT Nj Nz OD OT  [MNO][A-Za-z0-9_-]{23,28}\.[\w-]{6}\.[\w-]{27,45}(?![\w-])
  MT<{a24}.{w6}.{w38}>  MTest.method.call
discord-webhook  discord.com/api/webhooks/ discordapp.com/api/webhooks/
  discord(?:app)?\.com/api/webhooks/\d{5,25}/[\w-]{20,120}  https://discord.com/api/webhooks/{d18}/<{w68}>
  discord.com/api/webhooks/  t
facebook-token  EAA IGQV IGAA THAA  (?:(?:EAA[B-Z]|IGAA|THAA)[\w-]{54,400}|IGQV[\w-]{40,400})
  EAAC<{a120}> | EAAG<{a180}> | IGQVJ<{a56}> | IGAA<{a140}> | THAA<{a140}>  EAACH  g
mailgun-key  key-  key-(?=[A-Za-z]{0,31}\d)(?=\d{0,31}[A-Za-z])[A-Za-z0-9]{32}(?![\w-])  key-<{h32}> | key-<{l32}>  key-value  g
resend-key  re_  re_(?=\w{0,32}\d)[A-Za-z0-9]{8}_[A-Za-z0-9]{20,30}(?!\w)  re_<{a8}_{a24}>  re_compiled_expressions
sendgrid-key  SG.  SG\.[\w-]{16,40}\.[\w-]{16,80}  SG.<{w22}.{w43}>  SG.dart  g
brevo-key  xkeysib- xsmtpsib-  x(?:key|smtp)sib-[0-9a-f]{64}-[A-Za-z0-9]{16}  xkeysib-<{h64}-{a16}>  xkeysib-key  g
slack-configuration-token:slack-token  xoxe.xox  xoxe\.xox[bp]-\d-[A-Za-z0-9]{40,400}  xoxe.xoxp-1-<{u163}>  xoxe.xoxp  g
slack-token  xoxa- xoxb- xoxe- xoxo- xoxp- xoxr- xoxs- xoxc- xoxd-  xox(?:d-[\w%+/-]{10,400}={0,2}|[a-z]-(?!your-)[\w%-]{10,400})  xoxb-<{d12}-{d12}-{a24}> | xoxd-<{b120}==>
  xoxb-...  g
slack-app-token:slack-token  xapp-  xapp-\d{1,14}-[\w+-]{10,400}  xapp-1-<A{u10}-{d13}-{h64}> | xapp-{d12}-<{a24}>  xapp-server  g
slack-webhook  hooks.slack.com/  hooks\.slack\.com/(?:services|workflows|triggers)/[\w/-]{20,200}
  https://hooks.slack.com/services/<T{u8}/B{u8}/{a24}>  https://hooks.slack.com/services/  g
twilio-key  SK  SK[0-9a-f]{32}(?![0-9A-Za-z])  SK<{h32}>  SKIP  g
klaviyo-key  pk_  pk_[0-9a-f]{34}(?!\w)  pk_<{h34}>  pk_live_{a24}
onesignal-key  os_v2_  os_v2_(?:app|org)_[a-z0-9]{100,110}(?!\w)  os_v2_app_<{l103}>  os_v2_app_name
twitter-bearer  AAAAAAAAAAAAAAAAAAAA  A{20,22}(?=[\w%]{0,79}%)[\w%-]{60,110}(?![\w%+/=-])
  AAAAAAAAAAAAAAAAAAAAA<{a26}%2B{a50}>  AAAAAAAAAAAAAAAAAAAAAAAA  g
teams-old-webhook:teams-webhook  outlook.office.com/webhook/ outlook.office365.com/webhook/
  outlook\.office(?:365)?\.com/webhook/[\w@%-]{36,90}/\w{3,30}/[0-9a-f]{32}/{uuid}
  https://outlook.office.com/webhook/<{uuid}@{uuid}/IncomingWebhook/{h32}/{uuid}>  outlook.office.com/webhook/
teams-webhook  webhook.office.com/webhookb2/
  webhook\.office\.com/webhookb2/[\w@-]{36,80}/IncomingWebhook/[\w/-]{32,120}
  https://x.webhook.office.com/webhookb2/<{uuid}@{uuid}/IncomingWebhook/{h32}/{uuid}>  webhook.office.com/webhookb2/  g
zapier-webhook  hooks.zapier.com/hooks/catch/  hooks\.zapier\.com/hooks/catch/\d+/[a-z0-9]{5,20}
  https://hooks.zapier.com/hooks/catch/<{d7}/{l7}>  hooks.zapier.com/hooks/catch/  t
mailersend-token  mlsn.  mlsn\.[0-9a-f]{64}  mlsn.<{h64}>  mlsn.send
mailersend-password:mailersend-token  mssp.  mssp\.[A-Za-z0-9]{7}\.[A-Za-z0-9]{16}\.[A-Za-z0-9]{7}(?![\w.])  mssp.<{a7}.{a16}.{a7}>  mssp.send
linkedin-secret  WPL_AP  WPL_AP\d\.[A-Za-z0-9]{16}\.[A-Za-z0-9+/]{6}={0,2}(?!\w)  WPL_AP1.<{a16}.{b6}==>  WPL_AP1
notify-key  gcntfy-  gcntfy-[\w-]{0,60}{uuid}-{uuid}  gcntfy-app-<{uuid}-{uuid}>  gcntfy-client
pinterest-token  pina_ pinr.  pin(?:a_|r\.)[A-Za-z0-9]{32,600}(?!\w)  pina_<{u60}> | pinr.<{u60}>  pina_colada
telnyx-key  KEY0 KEY1  KEY[0-9A-Fa-f]{32}_[A-Za-z0-9]{22}  KEY0<{h31}_{a22}>  KEY0_NAME  t
courier-token  pk_prod_ pk_test_ dk_prod_ dk_test_  (?:pk_(?:prod|test)_[A-Z0-9]{28}|dk_(?:prod|test)_[A-Za-z0-9]{20,40})(?!\w)  pk_prod_<{u28}> | dk_prod_<{a24}>  pk_test_{a24}  t
intercom-token  dG9rO  dG9rO[\w+/-]{50,60}={0,2}(?![\w+/])  dG9rO<{b54}==>  dG9rOmE=
twist-token  oauth2:  oauth2:[0-9a-f]{40}(?!\w)  oauth2:<{h40}>  oauth2:authorize  t
twitch-token  oauth:  oauth:(?=[a-z]{0,29}\d)[a-z0-9]{30}(?!\w)  oauth:<{l30}>  oauth:authorize
vk-token  vk1.a.  vk1\.a\.[\w-]{80,260}(?![\w-])  vk1.a.<{w120}>  vk1.a.name
tiktok-token  act. clt. rft.  (?:act|clt|rft)\.(?=[A-Za-z]{0,40}\d)[A-Za-z0-9!]{40,120}(?![\w.(])
  act.<{a60}> | clt.<{a60}>  act.run(step)
make-webhook  hook.eu1.make.com/ hook.eu2.make.com/ hook.us1.make.com/ hook.us2.make.com/ hook.integromat.com/
  hook\.(?:[a-z]{2}\d\.make|integromat)\.com/[a-z0-9]{20,40}  https://hook.eu1.make.com/<{l32}>  hook.eu1.make.com/
ifttt-key  maker.ifttt.com/  maker\.ifttt\.com/(?:trigger/[^\s/]{1,80}/(?:json/)?with|use)/?(?:key/)?[\w-]{20,60}
  https://maker.ifttt.com/trigger/x/with/key/<{w22}>  maker.ifttt.com/use
loggly-input  logs-01.loggly.com/inputs/ logs.loggly.com/inputs/  logs(?:-01)?\.loggly\.com/inputs/{uuid}
  https://logs-01.loggly.com/inputs/<{uuid}>/tag/http/  logs-01.loggly.com/inputs/TOKEN
bark-key  api.day.app/  api\.day\.app/(?=[A-Za-z]{0,21}\d)[A-Za-z0-9]{22}(?!\w)  https://api.day.app/<{a22}>/done  api.day.app/docs
sumologic-collector  collectors.sumologic.com/ endpoint4.collection.sumologic.com/ endpoint1.collection.sumologic.com/
  [\w.]{3,40}\.sumologic\.com/receiver/v1/http/[\w+/-]{40,300}={0,2}
  https://collectors.sumologic.com/receiver/v1/http/<{b80}==>  collectors.sumologic.com/docs
cronitor-key  cronitor.link/  cronitor\.link/(?:p/)?[0-9a-f]{32}  https://cronitor.link/p/<{h32}>/backup  cronitor.link/docs
serverchan-key  sctapi.ftqq.com/  sctapi\.ftqq\.com/SCT\w{20,60}  https://sctapi.ftqq.com/<SCT{d5}T{a24}>.send  sctapi.ftqq.com/send
lark-webhook  open.feishu.cn/open-apis/bot/ open.larksuite.com/open-apis/bot/
  open\.(?:feishu\.cn|larksuite\.com)/open-apis/bot/(?:v\d/)?hook/[\w-]{30,60}
  https://open.feishu.cn/open-apis/bot/v2/hook/<{uuid}>  open.feishu.cn/open-apis/bot/v2
wecom-webhook  qyapi.weixin.qq.com/cgi-bin/webhook/  qyapi\.weixin\.qq\.com/cgi-bin/webhook/send\?key={uuid}
  https://qyapi.weixin.qq.com/cgi-bin/webhook/send?key=<{uuid}>  qyapi.weixin.qq.com/cgi-bin/webhook/send
pubnub-key  sec-c-  sec-c-[A-Za-z0-9+/=-]{36,80}  sec-c-<{a48}>  sec-c-name
mailsac-key  k_  k_(?=[a-zA-Z]{0,35}\d)[A-Za-z0-9]{36,60}(?!\w)  k_<{a40}>  k_means  t
mandrill-key  md-  md-(?=[\w-]{0,21}\d)(?=[a-z0-9_-]{0,21}[A-Z])[\w-]{22}(?![\w-])  md-<{a22}>  md-content-of-some-page
firebase-key  AAAA  AAAA[\w-]{7}:[\w-]{140}(?![\w-])  AAAA<{w7}:{w140}>  AAAAB3NzaC1yc2E
discord-session:discord-token  mfa.  mfa\.[\w-]{84}(?![\w-])  mfa.<{w84}>  mfa.enabled
`;

export const modelRows = String.raw`
anthropic-key  sk-ant-  sk-ant-[\w-]{20,300}  sk-ant-api03-<{w93}AA>  sk-ant-...  g
cerebras-key  csk-  csk-[a-z0-9]{40,64}  csk-<{l48}>  csk-button
groq-key  gsk_  gsk_[A-Za-z0-9]{40,80}  gsk_<{a52}>  gsk_model
huggingface-token  hf_  hf_[A-Za-z0-9]{30,60}(?!\w)  hf_<{x34}>  hf_transformer_model  g
huggingface-org-token:huggingface-token  api_org_  api_org_[A-Za-z0-9]{34,60}(?!\w)  api_org_<{x34}>  api_org_name  g
langsmith-key  lsv2_pt_ lsv2_sk_  lsv2_(?:pt|sk)_[0-9a-f]{32}_[0-9a-f]{10}  lsv2_pt_<{h32}_{h10}>  lsv2_pt_key
nvidia-key  nvapi-  nvapi-[\w-]{50,100}  nvapi-<{w64}>  nvapi-docs
openai-key  sk-proj- sk-svcacct- sk-admin- sk-or-v1- sk-hc-v1- sk-lf- sk-service-  sk-[a-z]+-[\w-]{20,400}
  sk-proj-<{w74}T3BlbkFJ{w74}> | sk-or-v1-<{h64}>  sk-proj-...  g
perplexity-key  pplx-  pplx-[A-Za-z0-9]{40,80}  pplx-<{a48}>  pplx-model  g
pinecone-key  pcsk_  pcsk_[A-Za-z0-9]{4,8}_[A-Za-z0-9]{50,80}  pcsk_<{a5}_{a63}>  pcsk_name
replicate-token  r8_  r8_[A-Za-z0-9]{36,48}  r8_<{a37}>  r8_unorm
together-key  tgp_v1_  tgp_v1_[\w-]{40,60}  tgp_v1_<{w43}>  tgp_v1_name
voyage-key  pa-  pa-(?=[\w-]{0,42}\d)(?=[\w-]{0,42}[A-Z])[\w-]{43}(?![\w-])  pa-<{w43}>
  pa-very-long-class-name-of-some-styled-component
xai-key  xai-  xai-(?=[\w-]{0,60}\d)[\w-]{60,120}(?![\w-])  xai-<{a80}> | xai-<{w84}>  xai-docs
elevenlabs-key  sk_  sk_[0-9a-f]{48}(?!\w)  sk_<{h48}>  sk_buff
firecrawl-key  fc-  fc-[0-9a-f]{32}(?![\w-])  fc-<{h32}>  fc-event-title
helicone-key  sk-helicone- pk-helicone-  [sp]k-helicone-(?:[a-z]{2}-)?[\w-]{20,80}  sk-helicone-<{l7}-{l7}-{l7}-{l7}>
  sk-helicone-key
jina-key  jina_  jina_[0-9a-f]{32}[\w-]{20,40}|jina_[A-Za-z0-9]{60}  jina_<{a60}>  jina_client
modal-secret  as-  as-(?=[A-Za-z]{0,21}\d)(?=[a-z0-9]{0,21}[A-Z])[A-Za-z0-9]{22}(?![\w-])  as-<{a22}>
  as-described-in-the-page
wandb-key  wandb_v1_  wandb_v1_\w{40,120}  wandb_v1_<{a77}>  wandb_v1_run
runpod-key  rpa_  rpa_(?=[A-Za-z]{0,39}\d)[A-Za-z0-9]{40,50}(?!\w)  rpa_<{u44}>  rpa_robot
cursor-key  key_ crsr_  (?:(?:key|crsr)_[0-9a-f]{64}|key_[0-9a-f]{28})(?!\w)  key_<{h64}> | crsr_<{h64}> | key_<{h28}>
  key_{h32}
fireworks-key  fw_  fw_(?=[A-Za-z]{0,21}\d)(?=[a-z0-9]{0,21}[A-Z])(?=[A-Z0-9]{0,21}[a-z])[A-Za-z0-9]{22,26}(?!\w)
  fw_<{a24}>  fw_update_in_progress
anyscale-key  esecret_  esecret_[A-Za-z0-9]{20,40}(?!\w)  esecret_<{a26}>  esecret_name
dify-key  app- dataset-
  (?:app|dataset)-(?=[A-Za-z]{0,23}\d)(?=[a-z0-9]{0,23}[A-Z])(?=[A-Z0-9]{0,23}[a-z])[A-Za-z0-9]{24}(?![\w-])
  app-<{a24}> | dataset-<{a24}>  app-router
cartesia-key  sk_car_  sk_car_[A-Za-z0-9]{20,40}  sk_car_<{a22}>  sk_car_name
tavily-key  tvly-  tvly-(?:[a-z]{3,5}-)?[\w-]{28,60}  tvly-<{a32}> | tvly-dev-<{a32}>  tvly-search
openai-session:openai-key  sess-  sess-(?=[A-Za-z]{0,39}\d)[A-Za-z0-9]{40}(?![\w-])  sess-<{a40}>  sess-id
langsmith-old-key  ls__  ls__[0-9a-f]{32}(?!\w)  ls__<{h32}>  ls__init__
composio-key  ak_ ck_  [ac]k_(?=[\w-]{0,19}\d)(?=[a-z0-9_-]{0,19}[A-Z])[\w-]{20}(?![\w-])  ak_<{a20}> | ck_<{a20}>  ak_name_of_the_column
llamacloud-key  llx-  llx-[A-Za-z0-9]{40,60}(?!\w)  llx-<{a48}>  llx-name
mem0-key  m0-  m0-[A-Za-z0-9]{40}(?!\w)  m0-<{a40}>  m0-board
minimax-key  sk-api-  sk-api-(?=[\w-]{0,60}\d)(?=[a-z0-9_-]{0,60}[A-Z])[\w-]{80,140}  sk-api-<{w119}>  sk-api-spinner
brave-key  BSA  BSA(?=[A-Za-z_-]{0,30}\d)(?=[A-Z0-9_-]{0,30}[a-z])[\w-]{24,40}(?![\w-])  BSA<{w28}>  BSA_NAME_OF_A_VARIABLE_OF_CODE_2
devin-key  apk_ cog_  (?:apk_(?:user_)?[A-Za-z0-9+/]{80,180}={0,2}|cog_(?=[a-z]{0,51}\d)[a-z2-7]{52})(?![\w+/])
  apk_user_<{b140}==> | apk_<{b90}> | cog_<4{x51}>  cog_wheel
photoroom-key  sk_pr_  sk_pr_\w{1,64}_[0-9a-fA-F]{40}(?!\w)  sk_pr_<default_{h40}>  sk_pr_name  t
nomic-key  nk-  nk-(?=[\w-]{0,42}\d)(?=[a-z0-9_-]{0,42}[A-Z])[\w-]{43}(?![\w-])  nk-<{w43}>  nk-nisi
minimax-plan-key:minimax-key  MINIMAX-  MINIMAX-[A-Z0-9]{8}(?:-[A-Z0-9]{8}){3}(?![\w-])  MINIMAX-<{u8}-{u8}-{u8}-{u8}>  MINIMAX-M2
fal-key  fal_sk_  fal_sk_(?=[A-Za-z_-]{0,40}\d)[\w-]{24,60}(?![\w-])  fal_sk_<{w30}>  fal_sk_name
browser-use-key  bu_  bu_(?=[\w-]{0,31}\d)(?=[a-z0-9_-]{0,31}[A-Z])[\w-]{32}(?:[\w-]{16}){0,4}(?![\w-])  bu_<{w32}>  bu_name_of_the_column_in_this_row
`;

export const cloudRows = String.raw`
1password-service-account  ops_eyJ  ops_eyJ[\w+/=-]{100,2000}  ops_eyJ<{a260}>  ops_eyJabc  g
1password-secret-key  A3-  A3-[A-Z0-9]{6}-(?:[A-Z0-9]{11}|[A-Z0-9]{6}-[A-Z0-9]{5})(?:-[A-Z0-9]{5}){3}
  A3-<{u6}-{u11}-{u5}-{u5}-{u5}>  A3-SIZE paper  g
age-key  AGE-SECRET-KEY-1  AGE-SECRET-KEY-1[0-9A-Z]{58}  AGE-SECRET-KEY-1<{u58}>  AGE-SECRET-KEY-1...  g
alibaba-key  LTAI  LTAI[A-Za-z0-9]{16,28}(?![A-Za-z0-9])  LTAI<{a20}>  LTAIR  g
aws-bedrock-key  ABSK  ABSK[A-Za-z0-9+/]{100,300}={0,2}  ABSK<{b120}=>  ABSKY
aws-key  AKIA ASIA ABIA ACCA A3T LKIA LSIA
  (?:A(?:KIA|SIA|BIA|CCA|3T[A-Z0-9])|L[KS]IA)(?![A-Z0-9]{9}EXAMPLE)[A-Z0-9]{16}(?![A-Za-z0-9])(?:(?:[\s,;:"'|]| \/ ){1,4}[A-Za-z0-9/+]{40}(?![A-Za-z0-9/+]))?
  AKIA<{t16}> | AKIA<{t16}>,<{b40}>  ASIA is a continent  g
cloudflare-origin-key  v1.0-  v1\.0-[0-9a-f]{24}-[0-9a-f]{100,200}  v1.0-<{h24}-{h146}>  v1.0-beta  g
digitalocean-token  dop_v1_ doo_v1_ dor_v1_ dos_v1_  do[oprs]_v1_[0-9a-f]{64}  dop_v1_<{h64}>  dop_v1_token  g
doppler-token  dp.st. dp.pt. dp.ct. dp.sa. dp.scim. dp.audit.  dp\.[a-z]{2,5}\.[\w.-]{30,120}  dp.pt.<{a43}>
  dp.st.name  g
fly-token  fo1_ fm1a_ fm1r_ fm2_  f(?:o1_[\w-]{43}|m(?:1[ar]|2)_[A-Za-z0-9+/]{90,2000}={0,3})
  fo1_<{w43}> | fm2_<{b120}>  fo1_name  g
google-key  AIza  AIza[\w-]{35,39}(?![\w-])  AIza<{w35}>  AIza  g
google-token  ya29.  ya29\.[\w-]{20,2000}  ya29.<{w120}>  ya29.txt
google-refresh-token:google-token  1//0  1//0[\w-]{40,200}  1//0<{w60}>  1//0
google-secret  GOCSPX-  GOCSPX-[\w-]{20,60}  GOCSPX-<{w28}>  GOCSPX-...
heroku-key  HRKU-  HRKU-[\w-]{36,80}  HRKU-AA<{w58}>  HRKU-key  g
infracost-key  ico-  ico-[A-Za-z0-9]{32}(?![\w-])  ico-<{a32}>  ico-arrow-left  g
netlify-token  nfp_ nfc_ nfo_ nfu_ nfb_  nf[pcoub]_[A-Za-z0-9]{36,60}  nfp_<{a40}>  nfp_mode
openshift-token  sha256~  sha256~[\w-]{43,60}  sha256~<{w43}>  sha256~  g
pulumi-token  pul-  pul-[0-9a-f]{40}(?![0-9a-z])  pul-<{h40}>  pul-request  g
scalingo-token  tk-us- tk-eu-  tk-(?:us|eu)-[\w-]{48}  tk-us-<{w48}>  tk-us-east  g
settlemint-token  sm_aat_ sm_pat_ sm_sat_  sm_[aps]at_[A-Za-z0-9]{16,40}  sm_pat_<{a16}>  sm_pat_name  g
tailscale-key  tskey-  tskey-[a-z]+-[A-Za-z0-9]{8,40}(?:-[A-Za-z0-9]{16,60})?  tskey-auth-<{a12}CNTRL-{a32}>
  tskey-auth
vault-token  hvs. hvb. hvr.  hv[sbr]\.[\w-]{24,300}  hvs.<{w95}>  hvs.length  g
vault-old-token:vault-token  s. b. r.
  [sbr]\.(?=[A-Za-z]{0,24}\d)(?=[a-z0-9]{0,24}[A-Z])(?=[A-Z0-9]{0,24}[a-z])[A-Za-z0-9]{24,26}(?![\w(.-])  s.<{a24}>
  s.getAbstractOfTheDocument()  g
vercel-token  vercel_blob_rw_ vcp_ vci_ vca_ vcr_ vck_ vcs_
  (?:vercel_blob_rw_[A-Za-z0-9]{10,20}_[A-Za-z0-9]{24,40}|vc[piarks]_[\w-]{40,80})
  vercel_blob_rw_<{a16}_{a30}> | vcp_<{w56}> | vck_<{a56}>  vercel_blob_rw_token
yandex-key  AQVN  AQVN[\w-]{35,40}(?![\w-])  AQVN<{w36}>  AQVN  g
yandex-access-secret:yandex-key  YC  YC(?=[\w-]{0,37}\d)(?=[a-z\d_-]{0,37}[A-Z])(?=[A-Z\d_-]{0,37}[a-z])[\w-]{38}(?![\w-])
  YC<{a38}>  YCSB-is-a-benchmark-of-stores
yandex-api-key:yandex-key  dict.1.1.20 trnsl.1.1.20 pdct.1.1.20
  (?:dict|trnsl|pdct)\.1\.1\.20\d{6}T\d{6}Z\.[0-9a-f]{16}\.[0-9a-f]{40}(?!\w)
  dict.1.1.20250102T030405Z.<{h16}.{h40}>  dict.1.1.2023
deno-token  ddp_ ddw_ ddo_  dd[pwo]_[A-Za-z0-9]{36,40}(?!\w)  ddp_<{a36}>  ddp_size
infisical-token  st.  st\.[\w-]{24}\.[0-9a-f]{32}\.[0-9a-f]{32}  st.<{h24}.{h32}.{h32}>  st.session_state.messages
tencent-key  AKID IKID  [AI]KID[A-Za-z0-9]{32}(?!\w)  AKID<{a32}> | IKID<{a32}>  AKIDS
azure-refresh-token  0.A 1.A  [01]\.A[\w-]{50,120}\.Ag[\w-]{200,2000}  0.A<{w60}.Ag{w280}>  0.Accepted
azure-apim-repository:azure-key  git&2  git&2\d{11}&[A-Za-z0-9+/]{86}==  git&202503251200&<{b86}==>  git&2
unkey-key  unkey_  unkey_[A-Za-z0-9]{20,40}(?!\w)  unkey_<{a24}>  unkey_api
yandex-token  t1.9euelZ c1.9euelZ y0_ y1_ y2_ y3_  (?:[tc]1\.9euelZ[\w=-]{60,400}\.[\w=-]{60,120}|y[0-3]_[\w-]{50,80}(?![\w-]))
  t1.9euelZ<{w180}.{w86}> | c1.9euelZ<{w120}.{w86}> | y0_<{w55}>  y0_offset  g
bedrock-short-key:aws-bedrock-key  bedrock-api-key-  bedrock-api-key-[\w+/=-]{40,4000}  bedrock-api-key-<{b120}>
  bedrock-api-key-name
amazon-mws-token  amzn.mws.  amzn\.mws\.{uuid}  amzn.mws.<{uuid}>  amzn.mws.client
defined-key  dnkey-  dnkey-[\w=-]{26}-[\w=-]{52}  dnkey-<{w26}-{w52}>  dnkey-name  g
google-storage-key  GOOG  GOOG(?=[A-Z]{0,19}\d)[A-Z0-9]{20}(?:[A-Z0-9]{37})?(?!\w)  GOOG<{u20}> | GOOG1E<{u55}>
  GOOGLE_CLOUD_PROJECT
gemini-key:google-key  AQ.  AQ\.(?=[\w-]{0,44}\d)(?=[a-z0-9_-]{0,44}[A-Z])[\w-]{45,80}(?![\w-])  AQ.<{w50}>  AQ.test
swarm-token  SWMTKN-1- SWMKEY-1-  (?:SWMTKN-1-[a-z0-9]{40,60}-[a-z0-9]{20,40}|SWMKEY-1-[\w+/]{40,60})
  SWMTKN-1-<{l50}-{l25}> | SWMKEY-1-<{b43}>  SWMTKN-1-
localstack-token  ls-  ls-(?=[A-Za-z-]{0,36}\d)[A-Za-z0-9]{8,12}-(?:[A-Za-z0-9]{4}-){3}[A-Za-z0-9]{12}(?![\w-])
  ls-<{a8}-{a4}-{a4}-{a4}-{a12}>  ls-files
nightfall-key  NF-  NF-(?=[A-Za-z]{0,31}\d)[A-Za-z0-9]{32}(?!\w)  NF-<{a32}>  NF-kappa
scaleway-key  SCW  SCW(?=[A-Z]{0,16}\d)[A-Z0-9]{17}(?!\w)  SCW<{u17}>  SCW_DEFAULT_REGION
baidu-key  ALTAK bce-v3/ALTAK-
  (?:ALTAK(?=[A-Za-z]{0,20}\d)[A-Za-z0-9]{21}|bce-v3/ALTAK-[A-Za-z0-9]{21}/[0-9a-f]{40})(?!\w)
  ALTAK<{a21}> | bce-v3/ALTAK-<{a21}/{h40}>  ALTAK
naver-key  ncp_iam_  ncp_iam_(?=[A-Za-z]{0,60}\d)[A-Za-z0-9]{18,60}(?!\w)  ncp_iam_<BPAMKR{a16}>  ncp_iam_role
azure-certificate  ManagementCertificate="MII  ManagementCertificate="MII[\w+/=]{60,8000}
  <S Id="x" ManagementCertificate="MII<{b200}==>" />  ManagementCertificate="MIIC..."
volcengine-key  AKLT  AKLT[\w-]{40,50}(?![\w-])  AKLT<{a44}>  AKLT
zuplo-key  zpka_  zpka_[A-Za-z0-9]{32}_[A-Za-z0-9]{8}(?!\w)  zpka_<{h32}_{h8}>  zpka_name
convex-key  prod: dev: preview: project:
  (?:(?:prod|dev|preview):[a-z]{2,20}-[a-z]{2,20}-\d{1,4}|(?:preview|project):[a-z0-9-]{1,40}:[a-z0-9-]{1,40})\|[\w.+/-]{40,500}={0,2}
  prod:<happy-otter-{d3}|{b80}>  dev:watch
boundary-token  at_  at_[A-Za-z0-9]{10}_[A-Za-z0-9]{100,600}  at_<{a10}_{a120}>  at_least_one
cloudflare-token  cfut_ cfat_ cfk_  cf(?:[ua]t|k)_[A-Za-z0-9]{40}[0-9a-f]{8}(?!\w)  cfut_<{a40}{h8}>  cfk_name
upcloud-token  ucat_  ucat_[A-Z0-9]{26}(?!\w)  ucat_<{u26}>  ucat_name
exoscale-key  EXO  EXO[0-9a-f]{24}(?!\w)  EXO<{h24}>  EXOTIC
backblaze-key  K00  K00\d[A-Za-z0-9+/]{27}(?![A-Za-z0-9+/])  K005<{b27}>  K001
render-key  rnd_  rnd_[A-Za-z0-9]{28,32}(?!\w)  rnd_<{a28}>  rnd_state
ngrok-credential  cr_  cr_(?=[A-Za-z]{0,26}\d)(?=[a-z0-9]{0,26}[A-Z])[A-Za-z0-9]{27}(?!\w)  cr_<{a27}>  cr_date
appwrite-key  standard_  standard_[0-9a-f]{200,300}  standard_<{h256}>  standard_name
django-secret  django-insecure-  django-insecure-[^\s"'\`]{30,80}  django-insecure-<{w50}>  django-insecure-dev
laravel-key  base64:  base64:[A-Za-z0-9+/]{43}=(?![\w=])  base64:<{b43}=>  base64:decode
akamai-token  akab-  akab-[a-z0-9]{16}-[a-z0-9]{16}(?!\w)  akab-<{l16}-{l16}>  akab-client
google-auth-code:google-token  4/0A  4/0A[\w-]{60,100}(?![\w-])  4/0A<{w70}>  4/0A
amazon-login-token  Atza| Atzr| amzn1.oa2-cs.v1.  (?:Atz[ar]\|[\w+/=-]{100,1000}|amzn1\.oa2-cs\.v1\.[0-9a-f]{64})
  Atzr|<{b200}> | amzn1.oa2-cs.v1.<{h64}>  Atza|
salad-key  salad_cloud_  salad_cloud_[0-9A-Za-z]{1,7}_(?=[A-Za-z]{0,234}\d)[0-9A-Za-z]{7,235}(?!\w)
  salad_cloud_<{a5}_{a60}>  salad_cloud_api_endpoint  t
trendmicro-key  tmc1  tmc1[A-Za-z0-9]{20,40}:[A-Za-z0-9]{50,90}(?!\w)  tmc1<{a28}:{a64}>  tmc1
appsync-key  da2-  da2-(?=[a-z]{0,25}\d)[a-z0-9]{26}(?!\w)  da2-<{l26}>  da2-name-of-a-file
yandex-iam-token  t1.  t1\.[\w-]{20,400}={0,2}\.[\w-]{86}={0,2}  t1.<{w60}.{w86}>  t1.id
`;

/** In their order: the more specific of two that begin alike stands first. */
export const dataRows = String.raw`
besttime-key  pri_  pri_[0-9a-f]{32}(?!\w)  pri_<{h32}>  pri_key
airtable-token  pat  pat[A-Za-z0-9]{14}\.[0-9a-f]{64}  pat<{a14}.{h64}>  pattern.test(value)
clickhouse-key  4b1d  4b1d[A-Za-z0-9]{38}(?![A-Za-z0-9])  4b1d<{a38}>  4b1d93ab57c0  g
confluent-key  cflt  cflt[A-Za-z0-9+/]{54,70}  cflt<{a60}>  cflt config
databricks-token  dapi  dapi[0-9a-f]{32}(?:-\d)?(?![0-9a-z])  dapi<{h32}>  dapiVersion  g
dynatrace-token  dt0  dt0[A-Za-z]\d\d\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{64}  dt0c01.<{u24}.{u64}>
  dt0c01.md  g
grafana-token  glc_ glsa_  gl(?:c_[\w+/=]{32,600}|sa_[A-Za-z0-9]{32}_[A-Fa-f0-9]{8})  glc_<{b80}> | glsa_<{a32}_{h8}>
  glc_color  g
grafana-key:grafana-token  eyJrIjoi  eyJrIjoi[\w+/-]{40,500}={0,3}  eyJrIjoi<{a90}>  eyJrIjoi  g
neon-key  napi_  napi_[a-z0-9]{60,80}  napi_<{l64}>  napi_value
newrelic-key  NRAK- NRII- NRIQ- NRSP- NRJS- NRAL- NRRA- NRAA-  NR(?:AK|II|IQ|SP|JS|AL|RA|AA)-[\w-]{19,60}
  NRAK-<{u27}> | NRJS-<{h19}> | NRIQ-<{w32}>  NRAK-key  g
planetscale-token  pscale_tkn_ pscale_oauth_ pscale_pw_  pscale_(?:tkn|oauth|pw)_[\w=.-]{32,80}  pscale_tkn_<{w43}>
  pscale_tkn_name  g
posthog-key  phx_ phs_ pha_ phr_  ph[xsar]_(?=[\w-]{0,46}\d)(?=[a-z0-9_-]{0,46}[A-Z])[\w-]{40,60}  phx_<{a43}> | phx_<{w47}> | pha_<{a41}>  phx_component
prefect-key  pnu_ pnb_  pn[ub]_[A-Za-z0-9]{36,60}  pnu_<{a36}>  pnu_name  g
sentry-token  sntrys_ sntryu_ sntryi_ sntrya_  sntry(?:s_[\w+/=-]{60,600}|[uia]_[0-9a-f]{64})
  sntrys_eyJpYXQiO<{b90}_{b43}> | sntryu_<{h64}>  sntrys_token  g
supabase-key  sbp_ sb_secret_  (?:sbp_(?:oauth_)?[0-9a-f]{40}|sb_secret_[\w-]{20,80})  sbp_<{h40}> | sb_secret_<{w31}>
  sbp_name
pixie-key  px-api- px-dep-  px-(?:api|dep)-{uuid}  px-api-<{uuid}>  px-api-url
axiom-token  xaat- xapt-  xa[ap]t-{uuid}  xaat-<{uuid}>  xaat-name
launchdarkly-key  sdk- api-  (?:sdk|api)-{uuid}  sdk-<{h8}-{h4}-4{h3}-{h4}-{h12}>  api-gateway
logfire-token  pylf_v1_  pylf_v\d_(?:[a-z]{2}_)?[A-Za-z0-9]{40,60}  pylf_v1_us_<{a43}>  pylf_v1_us
rootly-token  rootly_  rootly_[0-9a-f]{64}  rootly_<{h64}>  rootly_incident
statsig-key  secret- console-  (?:secret|console)-(?=[A-Za-z]{0,43}\d)[A-Za-z0-9]{40,50}(?![\w-])  secret-<{a43}>
  secret-management
databricks-client-secret:databricks-token  dose  dose[0-9a-f]{32}(?!\w)  dose<{h32}>  doses
aiven-token  AVNS_ aivenv1  (?:AVNS_[\w-]{16,40}|aivenv1[\w+/=-]{100,600})  AVNS_<{a19}> | aivenv1<{b250}>  AVNS_name
cockroach-key  CCDB1_  CCDB1_[A-Za-z0-9]{22}_[A-Za-z0-9]{40}  CCDB1_<{a22}_{a40}>  CCDB1_name
astra-token  AstraCS:  AstraCS:[A-Za-z0-9]{24}:[0-9a-f]{64}  AstraCS:<{a24}:{h64}>  AstraCS:token
dbt-token  dbtc_ dbtu_  dbt[cu]_[\w=-]{32,80}  dbtc_<{w40}>  dbtc_name
elastic-cloud-key  essu_  essu_[\w+/-]{40,200}={0,2}  essu_<{b70}==>  essu_key
endor-key  endr+  endr\+[\w-]{16}(?![\w-])  endr+<{a16}>  endr+
fullstory-key  na1. eu1.  (?:na|eu)1\.[A-Za-z0-9+/]{60,120}={0,2}  na1.<{b80}>  na1.example.com
atlas-secret  mdb_sa_sk_  mdb_sa_sk_[\w-]{30,60}  mdb_sa_sk_<{w40}>  mdb_sa_sk_id
retool-token  retool_01  retool_01[a-z0-9]{24}(?!\w)  retool_01<{l24}>  retool_01
hex-token  hxtp_ hxtw_  hxt[pw]_[0-9a-f]{64}(?!\w)  hxtp_<{h64}>  hxtp_name
lightdash-token  ldpat_  ldpat_[0-9a-f]{32}(?!\w)  ldpat_<{h32}>  ldpat_name
flagsmith-key  ser.  ser\.(?=[A-Za-z]{0,21}\d)(?=[a-z0-9]{0,21}[A-Z])(?=[A-Z0-9]{0,21}[a-z])[A-Za-z0-9]{22}(?![\w(.])
  ser.<{a22}>  ser.serializeStruct
honeycomb-key  hcaik_ hcbik_ hcxik_ hcamk_  hc(?:[abx]i|am)k_[A-Za-z0-9]{50,70}(?!\w)  hcaik_<{a58}> | hcbik_<{l58}>
  hcaik_name
checkly-key  cu_ ca_  c[ua]_[0-9a-f]{32}(?!\w)  cu_<{h32}> | ca_<{h32}>  ca_{h40}
fauna-secret  fnA  fnA(?=[\w-]{0,36}\d)[\w-]{37,40}(?![\w-])  fnA<{w37}>  fnAdd
pagerduty-integration  events.pagerduty.com/integration/  events\.pagerduty\.com/integration/[0-9a-z]{32}
  https://events.pagerduty.com/integration/<{h32}>/enqueue  events.pagerduty.com/integration/
victorops-integration  alert.victorops.com/integrations/  alert\.victorops\.com/integrations/generic/\d+/alert/{uuid}
  https://alert.victorops.com/integrations/generic/20131114/alert/<{uuid}>  alert.victorops.com/integrations/generic
tinybird-token  p.eyJ1Ijog  p\.eyJ1Ijog[\w-]{30,300}(?:\.[\w-]{20,60})?  p.eyJ1Ijog<{a60}.{w43}>  p.eyJ1Ijog
xata-key  xau_  xau_[A-Za-z0-9]{40,48}(?!\w)  xau_<{a43}>  xau_name
pagerduty-key  pdus+_ pdeu+_  pd(?:us|eu)\+_[\w-]{20,40}  pdus+_<{w20}>  pdus+_
stackhawk-key  hawk.  hawk\.[\w-]{20}\.[\w-]{20}(?![\w-])  hawk.<{w20}.{w20}>  hawk.run
`;

/** In their order: the more specific of two that begin alike stands first. */
export const codeRows = String.raw`
harness-token  pat. sat.  [ps]at\.[\w-]{22}\.[A-Za-z0-9]{24}\.[A-Za-z0-9]{20}  pat.<{w22}.{a24}.{a20}>  pat.then(done)  g
artifactory-key  AKC  AKC(?=[A-Za-z]{0,30}\d)[A-Za-z0-9]{60,80}(?!\w)  AKCp<{a69}> | AKC<8{a63}>  AKCp short  g
artifactory-password:artifactory-key  AP0 AP1 AP2 AP3 AP4 AP5 AP6 AP7 AP8 AP9 APA APB APC APD APE APF
  AP[0-9A-F](?=[A-Za-z]{0,40}\d)(?=[a-z0-9]{0,40}[A-Z])(?=[A-Z0-9]{0,40}[a-z])[A-Za-z0-9]{30,80}(?![\w+/=-])
  AP9<{a50}> | APD<{a47}>  APPLE_SIGNING_IDENTITY_OF_THE_TEAM
artifactory-reference  cmVmd  cmVmd[A-Za-z0-9]{59}(?![A-Za-z0-9+/])  cmVmd<{a59}>  cmVmdHk=  g
bitbucket-server-token:bitbucket-password  BBDC-  BBDC-[A-Za-z0-9+/@_-]{40,50}  BBDC-<{b44}>  BBDC-backup
bitbucket-password  ATBB  ATBB(?=[\w=.-]{0,30}\d)[\w=.-]{28,200}  ATBB<{a32}> | ATBB<{w160}={H8}>  ATBB
buildkite-token  bkua_ bkct_ bkcq_ bkaj_ bkaa_ bkar_ bkpr_ bkpt_ bkps_  bk(?:ua|ct|cq|aj|aa|ar|pr|pt|ps)_[\w-]{40,400}
  bkua_<{h40}> | bkaa_<{w70}>  bkua_token
circleci-token  CCIPAT_ CCIPRJ_  CCIP(?:AT|RJ)_[A-Za-z0-9]{18,30}_[0-9a-f]{40}  CCIPAT_<{a22}_{h40}>  CCIPAT_token
clojars-token  CLOJARS_  CLOJARS_[a-z0-9]{60}  CLOJARS_<{l60}>  CLOJARS_USERNAME  g
dependency-track-key  odt_  odt_[A-Za-z0-9]{8}_[A-Za-z0-9]{32}|odt_[A-Za-z0-9]{32}  odt_<{a8}_{a32}>  odt_file
docker-token  dckr_pat_ dckr_oat_  dckr_[po]at_[\w-]{20,60}  dckr_pat_<{w27}>  dckr_pat_...
github-token  ghp_ gho_ ghu_ ghs_ ghr_  gh[pousr]_[A-Za-z0-9]{36,255}  ghp_<{a36}> | ghs_<{a36}>  ghp_[0-9a-zA-Z]{36}  g
github-fine-grained-token:github-token  github_pat_  github_pat_\w{22,255}  github_pat_<{a22}_{a59}>  github_pat_token  g
gitlab-token  glpat- glptt- gldt- glrt- glrtr- glcbt- glsoat- glft- glffct- glimt- glagent- gloas- glwt-
  gl[a-z]{2,6}-[\w.-]{20,400}  glpat-<{w20}> | glffct-<{w20}>  glpat-token  g
gitlab-runner-registration:gitlab-token  GR1348941  GR1348941[\w-]{20,40}  GR1348941<{w20}>  GR1348941  g
gitlab-session:gitlab-token  _gitlab_session=  _gitlab_session=[0-9a-z%]{20,400}  _gitlab_session=<{h32}>
  _gitlab_session=x  g
npm-token  npm_  npm_[A-Za-z0-9]{36,60}(?![A-Za-z0-9])  npm_<{a36}>  npm_config_registry  g
nuget-key  oy2  oy2[a-z0-9]{43}(?![a-z0-9])  oy2<{l43}>  oy2
octopus-key  API-  API-(?=[A-Z]{0,25}\d)[A-Z0-9]{26,40}(?![\w-])  API-<{u26}>  API-REFERENCE  g
postman-key  PMAK-  PMAK-[A-Fa-f0-9]{24}-[A-Fa-f0-9]{34}  PMAK-<{h24}-{h34}>  PMAK-key  g
pypi-token  pypi-  pypi-[\w-]{50,1000}  pypi-AgEIcHlwaS5vcmc<{w120}>  pypi-publish  g
rubygems-key  rubygems_  rubygems_[0-9a-f]{48}  rubygems_<{h48}>  rubygems_version  g
sonarqube-token  squ_ sqp_ sqa_  sq[upa]_[0-9a-f]{40}  squ_<{h40}>  squ_name
sourcegraph-token  sgp_  sgp_(?:(?:[0-9a-fA-F]{16}|local)_)?[0-9a-fA-F]{40}  sgp_<{h16}_{h40}>  sgp_name  g
aikido-token  AIK_CI_ AIK_SECRET_  AIK_(?:CI|SECRET)_(?:US_|ME_)?[A-Za-z0-9]{20,64}(?!\w)  AIK_CI_<{a64}> | AIK_CI_US_<{a64}> | AIK_SECRET_<{a64}>  AIK_CI_TOKEN
appsweep-key  gs_appsweep_  gs_appsweep_[\w-]{24,48}  gs_appsweep_<{a7}_{a32}>  gs_appsweep_
crates-token  cio  cio[A-Za-z0-9]{32}(?!\w)  cio<{a32}>  ciomain
inngest-key  signkey-  signkey-[a-z]{2,12}-[0-9a-f]{64}  signkey-prod-<{h64}>  signkey-prod
trigger-key  tr_  tr_(?:prod|dev|stg|preview|pat)_[A-Za-z0-9]{20,40}(?!\w)  tr_prod_<{a20}>  tr_dev_name
wakatime-key  waka_  waka_{uuid}  waka_<{uuid}>  waka_time
postman-collection-key:postman-key  PMAT-  PMAT-[A-Z0-9]{26}(?!\w)  PMAT-<{u26}>  PMAT-KEY
sourcegraph-service-token:sourcegraph-token  sgd_ slk_ sgs_  (?:sgd|slk|sgs)_[0-9a-f]{64}(?!\w)
  sgd_<{h64}> | slk_<{h64}>  sgd_optimizer
jetbrains-token  perm: perm-  perm[:-][\w+/-]{4,80}={0,2}\.[\w+/-]{2,40}={0,2}\.[\w-]{20,60}
  perm:<{a12}=.{a8}==.{a30}> | perm-<{a12}.{a8}.{a40}>  perm-check.ts
mergify-key  mka_  mka_[\w-]{50,120}  mka_<{w60}>  mka_name
openvsx-token  ovsxat_ ovsxp_  ovsx(?:at|p)_{uuid}  ovsxat_<{uuid}>  ovsxp_name
packagist-token  packagist_  packagist_[a-z]{3}_[0-9a-f]{28,96}(?!\w)  packagist_ort_<{h68}>  packagist_url
snyk-token  snyk_uat. snyk_sat.  snyk_[us]at\.[0-9a-f]{8}\.[\w-]{20,600}\.[\w-]{20,200}  snyk_uat.<{h8}.{w40}.{w60}>
  snyk_uat.md
e2b-key  e2b_  e2b_[0-9a-f]{40}(?!\w)  e2b_<{h40}>  e2b_sandbox
daytona-key  dtn_  dtn_[0-9a-f]{64}(?!\w)  dtn_<{h64}>  dtn_node
browserbase-key  bb_live_ bb_test_  bb_(?:live|test)_[\w-]{24,40}  bb_live_<{w27}>  bb_live_view
depot-token  depot_  depot_(?:org|project|user)_[0-9a-f]{40,64}(?!\w)  depot_org_<{h40}> | depot_project_<{h40}>
  depot_org_id
percy-token  web_ app_ auto_ ss_  (?:web|app|auto|ss)_[0-9a-f]{64}(?!\w)  web_<{h64}>  app_{h40}
dfuse-key  web_  web_[0-9a-f]{32}(?![\w.-])  web_<{h32}>  web_{h32}.js  t
chromatic-token  chpt_  chpt_[0-9a-z]{12,40}(?!\w)  chpt_<{h15}>  chpt_name
lambdatest-key  LT_  LT_(?=[A-Za-z]{0,39}\d)[A-Za-z0-9]{40,60}(?!\w)  LT_<{a46}>  LT_USERNAME
socket-token  sktsec_  sktsec_[\w-]{20,80}  sktsec_<{a43}_api>  sktsec_name
veracode-key  vera01ei- vera01es-  vera01e[is]-[0-9a-f]{32,200}  vera01ei-<{h100}>  vera01ei-id
nexus-token  NpmToken.  NpmToken\.{uuid}  NpmToken.<{uuid}>  NpmToken.parse
bitrise-token  bitpat- bitwat-  bit[pw]at-[\w-]{40,160}  bitpat-<{w43}>  bitpat-name
pyx-token  sk-pyx- tp-pyx-  (?:sk|tp)-pyx-[A-Za-z0-9]{45,64}(?!\w)  sk-pyx-<{a64}> | tp-pyx-<2{x45}>  sk-pyx-token
val-town-token  vtwn_  vtwn_[A-Za-z0-9]{20,40}(?!\w)  vtwn_<{a27}>  vtwn_name
github-installation-token:github-token  v1.  v1\.[0-9a-f]{40}(?!\w)  v1.<{h40}>  v1.deadbeef
trufflehog-key  thog-key- thog-agent-  thog-(?:key|agent)-(?=[a-z]{0,15}\d)[0-9A-Za-z]{16,40}(?!\w)  thog-key-<{l16}>  thog-agent-configuration  t
configcat-key  configcat-sdk-1/  configcat-sdk-1/[\w-]{22}/[\w-]{22}  configcat-sdk-1/<{w22}/{w22}>  configcat-sdk-1/name
builder-key  bpk-  bpk-[0-9a-f]{32}(?![\w-])  bpk-<{h32}>  bpk-config
data-center-token:atlassian-token  MD MT Mj Mz ND NT Nj Nz OD OT  (?:[MNO][DTjz][AEIMQUYcgk][0-5w-z]){4}O[g-v][A-Za-z0-9+/]{26}(?![\w+/])
  MjQzMjkzMDQyNTI1O<k{b26}>  MTIzNDU2Nzg5MDEyOg==
dub-key  dub_  dub_(?=[A-Za-z]{0,24}\d)[A-Za-z0-9]{24,36}(?!\w)  dub_<{a24}>  dub_name
hop-token  ptk_ hop_pat_  (?:ptk|hop_pat)_(?=[A-Za-z_-]{0,40}\d)(?=[a-z0-9_-]{0,40}[A-Z])[\w-]{20,80}(?![\w-])  ptk_<{a32}> | hop_pat_<{a32}>  ptk_name
arcjet-key  ajkey_  ajkey_[a-z0-9]{26}(?!\w)  ajkey_<{l26}>  ajkey_name
portainer-token  ptr_  ptr_[A-Za-z0-9+/]{43}=  ptr_<{b43}=>  ptr_of_the_next_node
`;

/** They stand behind all others. */
export const generalRows = String.raw`
jwt  eyJ  eyJ[\w-]{8,}\.(?:eyJ)?[\w-]{8,}\.[\w-]*(?:\.[\w-]{4,}){0,2}  eyJhbGciOi<{w27}.eyJ{w60}.{w43}>
  eyJ2ZXJzaW9uIjozfQ==  g
jwt-encoded:jwt  ZXlKaGJHY2lPaU ZXlKMGVYQWlPaU ZXlKcmFXUWlP  ZXlK[\w+/-]{60,4000}={0,2}  ZXlKaGJHY2lPaU<{b120}>
  ZXlKaGJHY2lPaU  g
openai-old-key:openai-key  sk-  sk-(?=[\w-]{0,60}\d)(?=[\w-]{0,60}[A-Za-z])[A-Za-z0-9]{20,200}(?![\w-])
  sk-<{a20}T3BlbkFJ{a20}>  sk-loading-spinner sk-circle  g
svix-token  testsk_ sk_  (?:test)?sk_[\w-]{28,40}\.(?:eu|us|ca|au|in)(?!\w)  testsk_<{w31}>.eu  testsk_name.eu
`;

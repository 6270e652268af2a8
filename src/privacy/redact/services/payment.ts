// The tokens of payment, shops and delivery. How a row reads: `rows.ts`.

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

// The tokens of work, documents, design and signing in. How a row reads: `rows.ts`.

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

// The tokens of messages, mail and social networks. How a row reads: `rows.ts`.

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

// The tokens of clouds and hosting, and of what keeps secrets and configures machines. How a row reads: `rows.ts`.

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

// The tokens of databases and data platforms, and of what watches and measures. How a row reads: `rows.ts`.

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

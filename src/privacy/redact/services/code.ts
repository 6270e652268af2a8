// The tokens of code hosting, packages, builds and tests. How a row reads: `rows.ts`.

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

// The tokens of models and of what is built on them. How a row reads: `rows.ts`.

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

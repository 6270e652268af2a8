// Command lines, and directives of settings and statements, with what of them is a secret, as manuals show them. How a row reads: `phrases.ts`.

/** By what they are for. */
export const commandRows = String.raw`
sshpass  ... -p!  sshpass -p <{a10}> ssh ada@db  sshpass -p $PASS ssh ada@db
ssh-keygen  ... -N !  ssh-keygen -t ed25519 -N <{a14}> -f k  ssh-keygen -t ed25519 -N '' -f k
ssh-keygen  ... -P !  ssh-keygen -p -P <{a14}> -f k  ssh-keygen -y -P '' -f k
plink,pscp,psftp,putty  ... -pw !  plink -ssh ada@h -pw <{a12}> ls  plink -ssh ada@h -pw $PW ls
docker,podman,nerdctl,skopeo,buildah  login ... -p!  docker login -u ada -p <{a20}> r.example  docker compose -p shop up
helm  registry login ... -p!  helm registry login r.example -u ada -p <{a20}>  helm registry login r.example -u ada -p $P
docker,podman,nerdctl,skopeo,buildah  ... --(?:\w{1,8}-)?creds [^\s:]{1,80}:!  skopeo inspect --creds ada:<{a14}> docker://x  skopeo copy a b
kubeadm  token (?:create|delete) !?  kubeadm token create <{l6}.{l16}>  kubeadm token create --print-join-command
redis-cli  ... -a!  redis-cli -h db -a <{a12}> ping  redis-cli -a $REDIS_PASSWORD ping
redis-cli  ... config set (?:requirepass|masterauth) !  redis-cli config set requirepass <{a20}>  redis-cli config get requirepass
mongo  ~[a-z]{0,7} ... -p!  mongosh -u ada -p <{a12}> shop  mongosh -u ada -p --port 27017
mysql,mariadb  ~[a-z_-]{0,12} ... ["']?-p(?=[^\s-])!  mysql -uroot -p<{a10}> shop  docker run --name db mysql -p3306:3306 mysql:8
mysqladmin,mariadb-admin  ... password !?  mysqladmin -u root password <{a12}>  mysqladmin -u root -p password
isql,tsql,bcp,sqlcmd,osql  ... -P!  bcp shop.dbo.t out f -U sa -P <{a12}>  sqlcmd -S db -U sa -P $SA
sqlplus,impdp,expdp,sqlldr,rman  ~(?: target)? [^\s/]{1,60}\/!?  impdp system/<{a12}> directory=d  sqlplus ada/$PW
db2  connect to _ user _ using !  db2 connect to shop user ada using <{a12}>  db2 connect to shop
influx  ... -t !?  influx config create -n x -t <{w60}==>  influx query -t json
ldap  ~[a-z]{3,8} ... -w!  ldapsearch -x -D cn=admin -w <{a12}>  ldapsearch -x -D cn=admin -W
ldappasswd  ... -[sa] !  ldappasswd -x -D cn=admin -s <{a12}> uid=ada  ldappasswd -x -S uid=ada
smbclient,net  ... -U\s?[\"']?[\w.\\-]{1,60}%!  smbclient -U 'ACME\ada%<{a12}>' //srv/s  smbclient -U ada //srv/s
net user  _ !?  net user ada <{a12}> /add  net user ada /delete
net use  ... \/user:\S{1,80} (?!\/)!?  net use \\srv\share /user:ada <{a12}>  net use \\srv\share /user:ada
smbclient  \/\/\S{1,80} (?!-)!?  smbclient //srv/share <{a12}> -U ada  smbclient //srv/share -U ada
mosquitto_passwd  -[bcU]{1,3} \S{1,80} \S{1,60} !?  mosquitto_passwd -b f ada <{a12}>  mosquitto_passwd -U f
veracrypt,truecrypt  ... -p !?  veracrypt -t -p <{a12}> f  veracrypt -t f
net use  _ \\{2}\S{1,120} (?!\/)!  net use Z: \\srv\share <{a10}> /user:ADA  net use Z: \\srv\share /persistent:no
cmdkey,xfreerdp,rdesktop,mstsc,signtool,schtasks  ... \/(?:p|pass|password|rp):!  xfreerdp /u:ada /p:<{a12}> /v:srv  xfreerdp /u:ada /v:srv
signtool,schtasks  ... \/r?p !?  signtool sign /f c.pfx /p <{a12}> app.exe  schtasks /query /p none
winrs,psexec,rdesktop  ... -p:?!  winrs -r:srv -u:ada -p:<{a12}> hostname  winrs -r:srv hostname
ConvertTo-SecureString  ~(?: -[A-Za-z]{3,12}){0,3} !  ConvertTo-SecureString -String '<{a12}>' -AsPlainText  ConvertTo-SecureString $plain -AsPlainText
security  (?:unlock-keychain ... -p|create-keychain ... -p|import ... -P) !  security unlock-keychain -p <{a12}> login.keychain  security import c.p12 -k login.keychain-db
security  add-(?:generic|internet)-password ... -w !  security add-generic-password -a ada -s x -w <{a14}>  security find-generic-password -a ada -w
openssl  enc ... -k !  openssl enc -d -aes-256-cbc -in f -k <{a12}>  openssl enc -d -in f -kfile pass.txt
openssl  ... (?:-K|-mac_key|-hmac) !?  openssl enc -d -aes-256-cbc -K <{h64}> -in f  openssl dgst -hmac name f
openssl  passwd ... (?!-)!?  openssl passwd -6 <{a12}>  openssl passwd -6 -stdin
htpasswd  -[A-Za-z]{0,6}b[A-Za-z]{0,6} (?:-\S{1,4} )?(?:_)?[^\s-]\S{0,100} [^\s-]\S{0,100} !  htpasswd -bB .htpasswd ada <{a10}>  htpasswd -bB .htpasswd ada $P
htpasswd  -[A-Za-z]{0,4}n[A-Za-z]{0,4}b[A-Za-z]{0,4} [^\s-]\S{0,100} !  htpasswd -nbB ada <{a10}>  htpasswd -nbB ada $P
zip,unzip  ... -P!  zip -e -P <{a10}> f.zip d  zip -r out.zip dist
7z,7za,7zr,7zz  ... -p(?=[^\s-])!  7z x a.7z -p<{a10}>  7z x a.7z -y
rar,unrar  ... -h?p(?=[^\s-])!  rar a -hp<{a10}> f.rar d  rar a -r f.rar d
qpdf  ... --encrypt !?  qpdf --encrypt <{a10}> "" 256 -- in.pdf out.pdf  qpdf --decrypt in.pdf out.pdf
qpdf  ... --encrypt _ !?  qpdf --encrypt x <{a10}> 256 -- in.pdf out.pdf  qpdf --check in.pdf
pdftk  ... (?:input_pw|owner_pw|user_pw) !  pdftk in.pdf input_pw <{a10}> output out.pdf  pdftk a.pdf b.pdf cat output c.pdf
vault login,vault token lookup,vault token revoke  (?![a-z]+=)!  vault login <{a26}>  vault login -method=oidc
vault operator,vault unseal  ~(?: (?:unseal|rekey|generate-root))? (?!-)!?  vault operator unseal <{b43}=>  vault operator unseal
bw  (?:unlock|login \S{3,80}) (?!-)!?  bw unlock <{a14}>  bw unlock --raw
gh secret set,gh variable set  ... (?:-b|--body)!  gh secret set DEPLOY_KEY --body <{a32}>  gh secret set DEPLOY_KEY < key.txt
aws  ... --secret-string !  aws secretsmanager create-secret --name db --secret-string <{a20}>  aws secretsmanager create-secret --secret-string file://x.json
aws ssm put-parameter  ... --value !?  aws ssm put-parameter --name /db --value <{a14}> --type SecureString  aws ssm put-parameter --name /x --value 12
az keyvault  secret set ... --value !  az keyvault secret set --vault-name v --name db --value <{a14}>  az keyvault secret show --name db
az  ... (?:login|create) ... -p !?  az acr login -n acme -u ada -p <{a32}>  az login --use-device-code
mc alias set,mc config host add  _ _ _ !  mc alias set acme https://s3.example AK <{a40}>  mc alias list
rclone config  (?:create|update|password) ... pass(?:word)? !  rclone config create s sftp user ada pass <{a14}>  rclone config show s
rclone obscure  (?!-)!  rclone obscure <{a14}>  rclone obscure -
lftp,curlftpfs  ... -u [^\s,]{1,60},!  lftp -u ada,<{a12}> sftp://files.example  lftp -u ada sftp://files.example
poetry,pdm,pip  config http-basic\.\S{1,60} _ !  poetry config http-basic.acme ada <{a18}>  poetry config virtualenvs.create true
poetry  config pypi-token\.\S{1,60} !  poetry config pypi-token.acme <{a40}>  poetry config --list
composer config  ... http-basic\.\S{1,80} _ !  composer config http-basic.repo.example ada <{a18}>  composer config platform.php 8.3.1
composer config  ... (?:github|gitlab|bitbucket)-(?:oauth|token)\.\S{1,60} !  composer config github-oauth.github.com <{a40}>  composer config --list
bundle config  ~(?: set)?(?: --\w+)? [\w.-]{3,100} [^\s:[]{1,60}:(?!\/)!  bundle config set --global gems.example ada:<{a14}>  bundle config set path vendor/bundle
gem push,gem  ... (?:-k|--key) !?  gem push x.gem --key <{h48}>  gem push x.gem
dotnet nuget,nuget,choco,cloudsmith  ... -k !?  dotnet nuget push x.nupkg -k <{a46}> -s x  dotnet nuget push x.nupkg -s x
nuget setapikey,choco apikey  ... !?  nuget setapikey <{a46}>  nuget setapikey -Source x
cargo login,snyk auth,wandb login,shodan init,tarsnap,sentry-cli login,doppler login,fossa,lacework,codecov,coder login,pscale auth login,railway login,ngrok authtoken,ngrok config add-authtoken,ngrok http,huggingface-cli login,hf auth login,replicate auth login,modal token set,circleci setup,kaggle  (?!-)!?  cargo login <{a35}>  cargo login --registry acme
doctl auth init,vercel,vc,linode-cli,hcloud,databricks configure,dvc,civo apikey add,scw init  ... -t !?  doctl auth init -t <{h64}>  vercel -t production
vsce,ovsx  ... (?:-p|--pat) !?  vsce publish -p <{l52}>  vsce publish -p $VSCE_PAT
netlify,surge,expo,eas  ... --auth !?  netlify deploy --auth <{w43}>  netlify deploy --prod
tailscale,headscale,zerotier-cli  ... --auth-?key!?  tailscale up --authkey <{a40}>  tailscale up --authkey file:/run/key
pulumi config set  [\w:.-]{0,40}(?:[Pp]ass|[Ss]ecret|[Tt]oken|[Kk]ey)\w{0,10} !?  pulumi config set dbPassword <{a14}> --secret  pulumi config set region eu-west-1
pulumi config set  ... --secret _ !?  pulumi config set --secret dbPassword <{a14}>  pulumi config set aws:region eu-west-1
consul kv put,etcdctl put  \S{0,80}(?:pass|secret|token|key)\S{0,40} !?  consul kv put db/password <{a14}>  consul kv put app/replicas2 three3
ansible-vault encrypt_string  (?!-)!  ansible-vault encrypt_string '<{a14}>' --name x  ansible-vault encrypt_string --stdin-name x
rabbitmqctl  (?:add_user|change_password|authenticate_user) _ !  rabbitmqctl change_password ada <{a12}>  rabbitmqctl delete_user ada
conan  ... -p !?  conan user ada -p <{a12}> -r acme  conan install . -pr default
sendemail,sendEmail  ... -xp !  sendemail -f a@b.example -xu ada -xp <{a12}>  sendemail -f a@b.example -o tls=yes
wpa_passphrase,networksetup -setairportnetwork en0  _ !?  wpa_passphrase home <{a12}>  wpa_passphrase home
nmcli  ... (?:password|psk|wifi-sec\.psk) !?  nmcli dev wifi connect home password <{a12}>  nmcli dev wifi list
ipmitool  ... -P !  ipmitool -H bmc -U ada -P <{a12}> power status  ipmitool -H bmc power status
snmp  ~[a-z]{3,8} ... -X !  snmpwalk -v3 -u ada -X <{a12}> host  snmpwalk -v2c host
snmp  ~[a-z]{3,8} ... -A !  snmpwalk -v3 -u ada -A <{a12}> host  snmpwalk -v2c -c public host
x11vnc,x0vncserver,vncserver  ... -passwd !  x11vnc -passwd <{a8}> -display :0  x11vnc -display :0
grafana-cli,grafana cli  ... reset-admin-password !  grafana-cli admin reset-admin-password <{a12}>  grafana-cli plugins ls
drush,occ,artisan  ... (?:upwd|user:password|user-password) _ (?!-)!  drush upwd ada <{a12}>  drush cr
racadm  ... [\w.]{0,40}[Pp]assword !?  racadm set iDRAC.Users.2.Password <{a12}>  racadm getsysinfo
p4,cvs,bzr  ... -P !?  p4 -u ada -P <{a12}> info  p4 -u ada info
login,auth,signin  \\{0,4}["']?[\w.+-]{1,60}@[\w.-]{3,80}\\{0,4}["']? !?  cf auth ada@example.com <{a12}>  please login ada@example.com tomorrow
login,auth,signin,authtoken  !!  acme login <{a32}>  acme auth {h40}
get-secret-value,initial-password,print-access-token,print-identity-token,versions access,gh auth token  ~[^\n]{0,160}\r?\n(?:\uf8ff\+?|[\x20\t]{0,8}\d{1,6}→)?!?  argocd admin initial-password -n argocd%n<{a16}>  gh auth token%nno token
pass show,op read,lpass show,gopass show,bw get password,vault kv get -field,vault read -field  ~[^\n]{0,160}\r?\n(?:\uf8ff\+?|[\x20\t]{0,8}\d{1,6}→)?!?  pass show acme/db%n<{a12}>  pass show acme/db%nError: not found
get secret,get secrets  ~[^\n]{0,160}base64\x20-{1,2}[dD]\w{0,6}\r?\n(?:\uf8ff\+?|[\x20\t]{0,8}\d{1,6}→)?!?  kubectl get secret db -o yaml | base64 -d%n<{a12}>  kubectl get secret db%nNAME TYPE
get secret,get secrets  ~[^\n]{0,160}(?:jsonpath|go-template)[^\n]{0,160}\r?\n(?:\uf8ff\+?|[\x20\t]{0,8}\d{1,6}→)?!?  kubectl get secret db -o jsonpath='{.data.password}'%n<{b22}==>  kubectl get secret db -o jsonpath='{.data.password}'%nError: not found
jq -r  ~[^\n]{0,60}(?:pass|secret|token|key)[^\n]{0,60}\r?\n(?:\uf8ff\+?|[\x20\t]{0,8}\d{1,6}→)?!?  jq -r .password c.json%n<{a12}>  jq -r .name c.json%nweb-01a
config set  [\w.:-]{0,40}(?:[Aa][Pp][Ii][_-]?[Kk]ey|API_KEY|[Tt]oken|TOKEN|[Ss]ecret|SECRET|[Pp]assword|PASSWORD|[Aa]uth)\w{0,10} !?  acme config set api_key <{a24}>  acme config set token none
nessuscli  ... --key=!  nessuscli agent link --key=<{h64}> --host=x.example  nessuscli agent status
oathtool  ... (?=["']?[A-Z2-7]{16})!  oathtool --totp -b <{t32}>  oathtool --totp -b $SECRET
caddy hash-password  ... --plaintext !  caddy hash-password --plaintext <{a12}>  caddy hash-password
`;

/** By what they are for. */
export const directiveRows = String.raw`
rootpw,olcRootPW  ~:?(?: --(?:plaintext|iscrypted))? (?!-)!?  rootpw <{a14}>  rootpw --lock
SQLConnectInfo  _ _ !?  SQLConnectInfo shop@db ada <{a12}>  SQLConnectInfo shop@db
message-digest-key  \d{1,3} md5(?: \d)? !?  ip ospf message-digest-key 1 md5 <{a12}>  message-digest-key 1
set password,set passwd,set psksecret  (?:ENC )?!?  set psksecret <{a12}>  set password of the user
sentinel auth-pass  _ !?  sentinel auth-pass mymaster <{a20}>  sentinel auth-pass
allow admin,allow root  ~:!?  allow admin:<{a12}>  allow admin:readonly
$USER  ~\d{1,2}\$=!?  $USER3$=<{a12}>  $USER1$=/usr/lib/plugins
IDENTIFIED BY  _ REPLACE !?  ALTER USER ada IDENTIFIED BY x REPLACE <{a12}>  IDENTIFIED BY x REPLACE y
\password  _ !?  \password ada <{a12}>  \password ada
rocommunity,rwcommunity,snmp-server community  !?  rocommunity <{a12}> default  rocommunity public default
com2sec  _ _ !?  com2sec local default <{a12}>  com2sec local default public
createUser  _ (?:SHA|MD5)\S{0,4} !?  createUser ada SHA <{a14}>  createUser(ada, SHA256)
createUser  _ \S{2,8} _ (?:AES|DES)\S{0,4} !?  createUser ada SHA x AES <{a14}>  createUser ada
username  \S{1,40} (?:privilege \d{1,2} )?(?:password|secret)(?: \d)? !?  username ada password 0 <{a12}>  username and password of the shop
enable secret,enable password  ~(?: level \d{1,2})?(?: \d)? !?  enable secret 5 <{a24}>  enable password hashing
password 0,secret 0,key 0  !?  ppp chap password 0 <{a12}>  password 0 of the list
pac key,key 7,password 7,secret 7,key-string 7  ~(?: 7)? (?=[0-9A-F]{10,100}(?!\w))!  pac key 7 <{H24}>  password 7 of the list
key-string,key 7,pac key,tacacs-server key,radius-server key  ~(?: \d)? !?  radius-server key <{a14}>  key-string of the chain
{PLAIN},{CRYPT},{SSHA},{SHA},{SMD5},{CLEARTEXT},{SHA512-CRYPT},{SSHA512}  ~!  ada:{PLAIN}<{a12}>:::  the scheme {PLAIN} is refused
insecure-password  !  user ada insecure-password <{a12}>  an insecure-password
stats auth,userlist auth  [^\s:]{1,60}:!  stats auth ada:<{a12}>  stats auth is on
NEO4J_AUTH  ~[=:]\s?neo4j\/!  NEO4J_AUTH=neo4j/<{a12}>  NEO4J_AUTH=none
password 51:b  ~:!  password 51:b:<{H60}>  password 51 b
d-i passwd/  ~\S{0,40}password(?:-again)? password !  d-i passwd/root-password password <{a12}>  d-i passwd/make-user boolean false
chpasswd:  ~\s{1,20}(?:expire:\s\w{4,5}\s{1,20})?(?:list|users):\s?\|?\s{1,40}(?:-\s)?[\w.-]{1,40}:!  chpasswd: list: | ada:<{a12}>  chpasswd: expire: false
Unseal Key,Recovery Key,Initial Root Token,Backup key  ~\s?\d{0,2}:\s{0,8}!?  Unseal Key 1: <{b43}=>  Recovery Key: see your account
PRAGMA key,PRAGMA rekey  ~\s?=?\s?!  PRAGMA key = '<{a14}>';  PRAGMA key
IDENTIFIED BY  (?:VALUES )?(?!(?:PASSWORD|VALUES|EXTERNALLY)\b)!?  ALTER USER ada IDENTIFIED BY <{a12}>  IDENTIFIED BY strategy
rocommunity6,trapcommunity  !?  trapcommunity <{a12}>  trapcommunity public
CURLOPT_USERPWD,CURLOPT_PROXYUSERPWD  ~,\s?["'][^\s:"']{1,60}:!  curl_setopt($ch, CURLOPT_USERPWD, "ada:<{a12}>")  CURLOPT_USERPWD, $login
printf -v  \w{0,30}(?:PASS|TOKEN|SECRET|KEY|pass|token|secret)\w{0,10} \S{1,8} !?  printf -v PASSWORD '%s' '<{a12}>'  printf -v TOKEN '%s' "$1"
psk-secret,pre-shared-key,ikev2 pre-shared-key,shared-secret  ~(?: (?:ascii-text|local|remote|\d))? !?  pre-shared-key ascii-text <{a14}>  pre-shared-key of the tunnel
auth-password,auth-key,priv-password,md5-key,authentication-key  ~(?: \d)? !?  authentication-key 7 <{a14}>  the auth-key of version2
CC_TEST_REPORTER_ID  ~["']?\s?[=:]\s?!?  CC_TEST_REPORTER_ID: <{h64}>  CC_TEST_REPORTER_ID=$REPORTER2
sonar.login,-dsonar.login,sonar_login,dsonar_login,sonarlogin,dsonarlogin  ~["']?\s?[=:,]\s?!?  -Dsonar.login=<{h40}>  sonar.login=$SONAR_LOGIN2
unity_serial,unityserial  ~["']?\s?[=:,]\s?!?  UNITY_SERIAL=<F4-{u4}-{u4}-{u4}-{u4}-{u4}>  UNITY_SERIAL=$SERIAL2
x-honeycomb-team,x-honeycomb-dataset-key  ~["']?\s?[=:,]\s?!?  x-honeycomb-team: <{a22}>  x-honeycomb-team: $HONEYCOMB2
routing_key,routingkey,routing-key  ~["']?\s?[=:]\s?(?=["']?[0-9a-f]{32}(?!\w))!?  "routing_key": "<{h32}>"  routing_key: orders.created2
accounts:,accounts":,accounts =  ~\s?\[\s{0,8}(?=["']?(?:0x)?[0-9a-f]{64}(?!\w))!?  accounts: ["<0x{h64}>"]  accounts: ["0x{h40}"]
jenkins-crumb  ~["']?\s?[=:,]\s?!?  -H 'Jenkins-Crumb:<{h64}>'  Jenkins-Crumb: $CRUMB2
.apps.googleusercontent.com  ~["']?[,;:|]\s{0,8}!!  ("{d12}-{l32}.apps.googleusercontent.com", "<{a24}>")  a.apps.googleusercontent.com, b.apps.googleusercontent.com
softlayer.com/soap/v3,softlayer.com/soap/v3.1  ~\/!?  https://api.softlayer.com/soap/v3/<{l64}>  https://api.softlayer.com/soap/v3/SoftLayer_Account
`;

// Directives of settings and statements behind which a secret stands, as manuals show them. How a row reads: `index.ts`.

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

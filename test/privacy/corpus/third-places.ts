// Ordinary credentials, most of them passwords that people choose, in the places where people put them.
import { blocked } from "./third-fill.ts";

export const settingsPlaces = blocked(String.raw`
=== rails database.yml
production:
  adapter: postgresql
  username: shop
  password: «{plain}»
=== django settings
EMAIL_HOST_USER = "mailer@acme.example"
EMAIL_HOST_PASSWORD = "«{signed}»"
=== laravel env
APP_NAME=Shop
DB_USERNAME=shop
DB_PASSWORD=«{plain}»
=== wordpress
define( 'DB_USER', 'wp' );
define( 'DB_PASSWORD', '«{signed}»' );
=== spring yaml
spring:
  datasource:
    username: shop
    password: «{plain}»
=== spring cloud config
encrypt:
  key: «{plain}»
=== hibernate xml
<property name="hibernate.connection.username">shop</property>
<property name="hibernate.connection.password">«{plain}»</property>
=== tomcat users
<user username="admin" password="«{plain}»" roles="manager-gui,admin-gui"/>
=== maven settings
<server>
  <id>acme-releases</id>
  <username>build</username>
  <password>«{plain}»</password>
</server>
=== gradle properties
nexusUsername=build
nexusPassword=«{plain}»
=== appsettings
{ "ConnectionStrings": { "Shop": "Server=db1;Database=shop;User Id=sa;Password=«{plain}»;Encrypt=true" } }
=== web.config
<identity impersonate="true" userName="ACME\svc" password="«{plain}»" />
=== phoenix secret file
config :shop, Shop.Mailer, username: "mailer", password: "«{signed}»"
=== knexfile
  connection: { host: 'db1', user: 'shop', password: '«{signed}»', database: 'shop' },
=== sequelize config
"production": { "username": "shop", "password": "«{plain}»", "database": "shop", "dialect": "postgres" }
=== alembic
sqlalchemy.url = postgresql://shop:«{plain}»@db1.acme.example/shop
=== jupyter
c.NotebookApp.token = '«{plain}»'
=== grafana ini
[security]
admin_user = admin
admin_password = «{plain}»
=== prometheus basic auth
    basic_auth:
      username: prom
      password: «{plain}»
=== alertmanager
  smtp_auth_username: alerts@acme.example
  smtp_auth_password: '«{signed}»'
=== redis.conf
bind 10.0.0.7
requirepass «{plain}»
masterauth «{plain}»
=== redis acl
user shop on >«{plain}» ~shop:* +@all
=== rabbitmq
default_user = shop
default_pass = «{plain}»
=== mosquitto bridge
remote_username bridge
remote_password «{plain}»
=== pgbouncer userlist
$ sudo cat /etc/pgbouncer/userlist.txt
"shop" "«{plain}»"
=== postfix sasl
$ sudo cat /etc/postfix/sasl_passwd
[smtp.acme.example]:587 mailer@acme.example:«{plain}»
=== msmtp
account acme
host smtp.acme.example
user ana
password «{plain}»
=== mutt
set imap_user = "ana@acme.example"
set imap_pass = "«{signed}»"
=== offlineimap
remoteuser = ana
remotepass = «{plain}»
=== fetchmail
poll imap.acme.example user "ana" password "«{plain}»" ssl
=== ldap.conf of nss
binddn cn=reader,dc=acme,dc=example
bindpw «{plain}»
=== sssd
ldap_default_bind_dn = cn=svc,dc=acme,dc=example
ldap_default_authtok = «{plain}»
=== krb5 kadmin
kadmin.local:  addprinc -pw «{plain}» ana@ACME.EXAMPLE
=== samba credentials
username=ana
password=«{plain}»
domain=ACME
=== fstab
//nas/share /mnt/share cifs username=ana,password=«{plain}»,uid=1000 0 0
=== wpa supplicant
network={
  ssid="Acme"
  psk="«{words}»"
}
=== network manager
[wifi-security]
key-mgmt=wpa-psk
psk=«{plain}»
=== hostapd
ssid=Acme-Guest
wpa_passphrase=«{plain}»
=== openvpn, inline
<auth-user-pass>
ana
«{plain}»
</auth-user-pass>
=== ipsec secrets
vpn.acme.example ana : EAP "«{signed}»"
=== ppp chap
# Secrets for authentication using CHAP
# client→tserver→tsecret→tIP addresses
"ana" * "«{plain}»" *
=== cisco
username admin privilege 15 secret 0 «{plain}»
enable password «{plain}»
=== junos
set system root-authentication plain-text-password-value "«{plain}»"
=== snmp
createUser monitor SHA "«{plain}»" AES "«{plain}»"
=== haproxy
    user ana insecure-password «{plain}»
=== nginx proxy
proxy_set_header Authorization "Basic ⟦base64|ana:«{signed}»⟧";
=== squid
http_proxy="http://ana:«{plain}»@proxy.acme.example:3128"
=== pip.conf
[global]
index-url = https://ana:«{plain}»@pypi.acme.example/simple
=== bundler config
BUNDLE_GEMS__ACME__EXAMPLE: "build:«{plain}»"
=== composer auth
{"http-basic": {"repo.acme.example": {"username": "ana", "password": "«{plain}»"}}}
=== svn auth
K 8
passtype
V 6
simple
K 8
password
V 12
«{plain}»
=== filezilla
<Server><Host>ftp.acme.example</Host><User>web</User><Pass encoding="base64">⟦base64|«{signed}»⟧</Pass></Server>
=== keystore, properties
server.ssl.key-store=classpath:keystore.p12
server.ssl.key-store-password=«{plain}»
=== android local properties
RELEASE_STORE_PASSWORD=«{plain}»
RELEASE_KEY_ALIAS=upload
=== fastlane
ENV["FASTLANE_PASSWORD"] = "«{signed}»"
=== unreal, game server
ServerAdminPassword=«{plain}»
ServerPassword=
=== minecraft
enable-rcon=true
rcon.password=«{plain}»
=== home assistant
mqtt_password: «{plain}»
=== freeradius client
client ap1 {
  ipaddr = 10.0.0.3
  secret = «{plain}»
}
=== german settings
Benutzer: ana
Passwort: «{plain}»
=== french settings
utilisateur: ana
mot de passe: «{plain}»
=== spanish settings
usuario: ana
contraseña: «{plain}»
`);

export const commandPlaces = blocked(String.raw`
=== useradd with chpasswd
$ echo 'ana:«{plain}»' | sudo chpasswd
=== passwd by stdin
# echo "«{plain}»" | passwd --stdin deploy
=== sudo by stdin
$ echo '«{plain}»' | sudo -S systemctl restart nginx
=== sqlplus
$ sqlplus shop/«{plain}»@//db1.acme.example:1521/SHOP
=== sqlcmd
> sqlcmd -S db1 -U sa -P '«{signed}»' -Q "select @@version"
=== mongosh
$ mongosh "mongodb://db1/admin" -u root -p '«{signed}»' --eval 'rs.status()'
=== redis-cli
$ redis-cli -h cache -a «{plain}» --no-auth-warning ping
=== redis console
127.0.0.1:6379> AUTH shop «{plain}»
OK
=== psql console
shop=# ALTER USER shop WITH ENCRYPTED PASSWORD '«{signed}»';
ALTER ROLE
=== psql connect string
$ psql "host=db1 dbname=shop user=shop password=«{plain}» sslmode=require"
=== mysql console
mysql> SET PASSWORD FOR 'shop'@'localhost' = PASSWORD('«{plain}»');
Query OK, 0 rows affected (0.01 sec)
=== mysql console, alter
mysql> ALTER USER 'root'@'localhost' IDENTIFIED WITH caching_sha2_password BY '«{signed}»';
=== mysql console, replica
mysql> CHANGE MASTER TO MASTER_HOST='db1', MASTER_USER='repl', MASTER_PASSWORD='«{signed}»';
=== oracle console
SQL> CREATE USER shop IDENTIFIED BY "«{signed}»" DEFAULT TABLESPACE users;
=== mssql console
1> CREATE LOGIN shop WITH PASSWORD = N'«{signed}»', CHECK_POLICY = OFF;
=== clickhouse client
$ clickhouse-client --host db1 --user default --password '«{signed}»'
=== cqlsh
$ cqlsh -u cassandra -p «{plain}» db1
=== influx
$ influx setup --username ana --password «{plain}» --org acme --bucket main --force
=== neo4j
$ cypher-shell -a bolt://db1:7687 -u neo4j -p '«{signed}»'
=== rabbitmqctl
$ rabbitmqctl add_user shop «{plain}»
=== kafka
sasl.jaas.config=org.apache.kafka.common.security.plain.PlainLoginModule required username="shop" password="«{plain}»";
=== keytool
$ keytool -genkeypair -alias app -keystore app.jks -storepass «{plain}» -keypass «{plain}»
=== jarsigner
$ jarsigner -keystore upload.jks -storepass:env X -keypass '«{signed}»' app.aab upload
=== gpg
$ gpg --batch --yes --passphrase '«{words}»' -d dump.gpg > dump.sql
=== 7z
$ 7z a -p«{plain}» -mhe=on backup.7z ./data
=== unrar
$ unrar x -p«{plain}» backup.rar
=== smbclient
$ smbclient //nas/share -U 'ana%«{plain}»' -c ls
=== rdesktop
$ xfreerdp /v:win1.acme.example /u:ana /p:'«{signed}»' /cert:ignore
=== winrm
> Enter-PSSession -ComputerName win1 -Credential (New-Object PSCredential 'ACME\ana', (ConvertTo-SecureString '«{signed}»' -AsPlainText -Force))
=== az login
$ az login --service-principal -u {uuid} -p '«{signed}»' --tenant acme.example
=== helm repo
$ helm repo add acme https://charts.acme.example --username ana --password «{plain}»
=== kubectl create secret
$ kubectl create secret generic db --from-literal=username=shop --from-literal=password='«{signed}»'
=== kubectl docker secret
$ kubectl create secret docker-registry reg --docker-server=registry.acme.example --docker-username=ana --docker-password=«{plain}»
=== oc login
$ oc login https://api.acme.example:6443 -u developer -p «{plain}»
=== cf
$ cf auth ana@acme.example '«{signed}»'
=== argocd
$ argocd login argo.acme.example --username admin --password «{plain}» --grpc-web
=== vault kv
$ vault kv put secret/shop username=shop password=«{plain}»
=== aws rds
$ aws rds modify-db-instance --db-instance-identifier shop --master-user-password '«{signed}»' --apply-immediately
=== gcloud sql
$ gcloud sql users set-password shop --instance=main --password=«{plain}»
=== heroku config
$ heroku config:set SMTP_USER=mailer SMTP_PASS=«{plain}»
=== git clone
$ git clone https://ana:«{plain}»@git.acme.example/shop.git
=== svn
$ svn co --username ana --password '«{signed}»' https://svn.acme.example/trunk
=== rsync
$ RSYNC_PASSWORD=«{plain}» rsync -a backup@nas::daily/ ./daily/
=== restic
$ RESTIC_PASSWORD='«{words}»' restic -r sftp:b@nas:/r snapshots
=== ipmitool
$ ipmitool -I lanplus -H 10.0.0.99 -U ADMIN -P «{plain}» chassis status
=== snmpwalk
$ snmpwalk -v3 -u monitor -l authPriv -a SHA -A «{plain}» -x AES -X «{plain}» 10.0.0.2
=== k6 environment
$ k6 run -e LOGIN_USER=ana -e LOGIN_PASSWORD=«{plain}» login.js
=== ansible extra vars
$ ansible-playbook site.yml -e "db_user=shop db_password=«{plain}»"
=== httpie
$ http -a ana:«{plain}» GET https://nexus.acme.example/service/rest/v1/repositories
=== curl json login
$ curl -X POST https://shop.acme.example/api/login -H 'Content-Type: application/json' -d '{"email":"ana@acme.example","password":"«{plain}»"}'
=== playwright
await page.fill('input[name="password"]', '«{signed}»');
=== cypress
cy.get('#password').type('«{plain}»{enter}')
=== selenium
driver.find_element(By.ID, "password").send_keys("«{signed}»")
=== rspec
fill_in "Password", with: "«{signed}»"
=== said in a chat
the root password on db1 is «{plain}», please change it
=== said in German
das Passwort für den Nexus ist «{plain}»
=== said with a colon
login for staging - user: ana, pw: «{plain}»
`);

export const infrastructurePlaces = blocked(`
=== terraform resource
resource "aws_db_instance" "shop" {
  username = "shop"
  password = "«{signed}»"
}
=== terraform variable
variable "admin_password" {
  type    = string
  default = "«{plain}»"
}
=== terraform provider
provider "vsphere" {
  user     = "administrator@vsphere.local"
  password = "«{signed}»"
}
=== terraform state
            "master_password": "«{signed}»",
            "master_username": "shop",
=== cloudformation
  Shop:
    Type: AWS::RDS::DBInstance
    Properties:
      MasterUsername: shop
      MasterUserPassword: «{plain}»
=== bicep
param administratorLoginPassword string = '«{signed}»'
=== pulumi
config:
  shop:dbPassword: «{plain}»
=== arm parameters
"adminPassword": { "value": "«{signed}»" }
=== helm values
postgresql:
  auth:
    username: shop
    password: «{plain}»
    postgresPassword: «{plain}»
=== kubernetes stringData
kind: Secret
stringData:
  username: shop
  password: «{plain}»
=== kubernetes env value
        env:
        - name: DB_PASSWORD
          value: "«{signed}»"
=== compose mapping
    environment:
      MARIADB_USER: shop
      MARIADB_PASSWORD: «{plain}»
=== compose default
      MYSQL_ROOT_PASSWORD: "§{MYSQL_ROOT_PASSWORD:-«{plain}»}"
=== dockerfile env
ENV PGUSER=shop PGPASSWORD=«{plain}»
=== dockerfile arg
ARG NEXUS_PASSWORD=«{plain}»
=== cloud-init
#cloud-config
chpasswd:
  list: |
    root:«{plain}»
    ana:«{plain}»
=== cloud-init, plain
users:
  - name: ana
    plain_text_passwd: '«{signed}»'
=== kickstart
rootpw --plaintext «{plain}»
user --name=ana --password=«{plain}» --plaintext
=== preseed
d-i passwd/root-password password «{plain}»
=== unattend
<AdministratorPassword><Value>«{plain}»</Value><PlainText>true</PlainText></AdministratorPassword>
=== vagrantfile
config.ssh.username = "ana"
config.ssh.password = "«{plain}»"
=== packer
ssh_username = "root"
ssh_password = "«{signed}»"
=== ansible vars
mysql_root_password: "«{signed}»"
=== ansible task
  - community.postgresql.postgresql_user: { name: shop, password: "«{plain}»" }
=== puppet
class { 'mysql::server': root_password => '«{signed}»' }
=== chef
default['mysql']['server_root_password'] = '«{signed}»'
=== salt pillar
mysql:
  server:
    root_password: '«{signed}»'
=== nomad
      env { DB_PASS = "«{plain}»" }
=== consul
{"acl": {"tokens": {"agent": "«{uuid}»"}}}
=== nix
  services.nextcloud.config.adminpass = "«{plain}»";
=== gitlab ci variables
variables:
  POSTGRES_USER: runner
  POSTGRES_PASSWORD: «{plain}»
=== github service
      postgres:
        env:
          POSTGRES_PASSWORD: «{plain}»
=== jenkins casc
          - usernamePassword:
              id: nexus
              username: build
              password: "«{signed}»"
=== basic header
Authorization: Basic ⟦base64|ana:«{signed}»⟧
=== proxy header
Proxy-Authorization: Basic ⟦base64|ana:«{plain}»⟧
=== own password header
X-Admin-Password: «{plain}»
=== smtp dialogue
AUTH PLAIN ⟦base64|ana:«{signed}»⟧
235 2.7.0 Authentication successful
=== imap dialogue
a1 LOGIN ana «{plain}»
a1 OK LOGIN completed
=== login address
https://ana:«{plain}»@jenkins.acme.example/job/shop/build
=== sftp address
sftp://deploy:«{plain}»@web1.acme.example:2222/var/www
=== rtsp address
rtsp://admin:«{plain}»@10.0.0.40:554/Streaming/Channels/101
=== ldap address
ldap://cn=svc,dc=acme,dc=example:«{plain}»@dc1.acme.example:389
=== smtp address
smtps://mailer%40acme.example:«{plain}»@smtp.acme.example:465
=== jdbc address
jdbc:postgresql://db1.acme.example/shop?user=shop&password=«{plain}»&ssl=true
=== jdbc sqlserver
jdbc:sqlserver://db1:1433;databaseName=shop;user=sa;password=«{plain}»;encrypt=true
=== query of a login
GET /login?user=ana&passwd=«{plain}»&next=%2F HTTP/1.1
`);

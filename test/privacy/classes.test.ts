// Ways of saying a secret that went unseen, by class: what must go in each channel, and what looks like it and stays.
import { describe, expect, test } from "bun:test";
import { redactDeep } from "../../src/privacy/redact.ts";
import { type Faked, fake } from "./corpus/fake.ts";
import { judgeSecrets } from "./corpus/measure.ts";

interface Class {
  gone: readonly string[];
  stay: readonly string[];
}

const classes: Readonly<Record<string, Class>> = {
  "a sentence that says what to use as the password": {
    gone: [
      "Please use «Quietly{d3}Otter» as the root password of the database.",
      "put «{x5}{d2}{x4}» as the admin password and go on",
      "nimm «{x6}{d3}» als Passwort für den Nutzer",
      "coloca «{x6}-de-{x6}-{d2}» como senha do painel",
      "mets «{x6}{d3}» comme mot de passe",
      "usa la clave «{x6}{d2}{x3}» para entrar al servidor",
      "Zugangsdaten: ada / «{x6}{d3}»",
      "Anmeldedaten: ada@example.com / «{x6}{d3}»",
      "Identifiants : ada / «{x6}{d3}»",
      "Login with `ada` / `«seven-herons»`.",
      "You can log in at http://localhost:8080 with **ada@example.com** / **«Herring-Bay-{d1}»**.",
    ],
    stay: [
      "use OAuth2Client as the password grant of the client",
      "use bcrypt as the password hash",
      "Log in with `name` / `password`.",
      "Log in with GitHub / Google.",
      "usa la clave primaria para entrar al registro",
      "Zugangsdaten: siehe README / Wiki2",
    ],
  },
  "a sentence in another language with a passphrase of words": {
    gone: [
      "Kennwort für den Drucker im Flur: «Rettich&Senf{d1}» – bitte merken",
      "la clave del servidor de copias es «paella-con-arroz» y caduca",
      "La phrase de passe : «Canard_qui_dort{d2}», ajoute-la.",
      "A senha do banco é «Pastel@Domingo» e o usuário é ada",
      "пароль от архива: «ЛетоДалеко{d2}», распакуй",
      "lösenordet till servern är «Regn_väder{d1}», logga in",
      "كلمة المرور الخاصة بالخادم هي «Zaytun-{d4}» واسم المستخدم admin",
      "Heslo k databázi je «Svickova-na-smetane» a uživatel je ada",
      "mật khẩu của máy chủ là «BunChaNgon{d2}», tài khoản root",
    ],
    stay: [
      "Das Passwort ist base64-kodiert und wird geprüft.",
      "La clave es muy-importante para el usuario.",
      "Пароль должен быть длинным.",
      "Kennwort: Mindestlänge-Prüfung",
      "Heslo je case-sensitive.",
    ],
  },
  "settings whose name ends in pass or pw, with words for a value": {
    gone: [
      "DB_PASS=«cauliflower_soup»",
      "export SMTP_PASS=«seventeenducks»",
      "mqtt_pass: «kettle-mulled»",
      "ENV VNC_PW=«lighthouse»",
      "  dbPass: '«nettle_tea»',",
      '{"name":"ada","pw":"«Heron-Muffin»"}',
      "set -x SMTP_PASS «salmonrolls»; and swaks",
      "pw = '«Skylark-In-Field»'",
      "[db]\nDriver=FreeTDS\nUID=sa\nPWD=«Registry-Till»",
    ],
    stay: [
      "first_pass: optimize",
      "pass: through",
      "TEST_PASS=3",
      "render_pass = shadow_map",
      "pw = await playwright()",
      "const pw: Playwright = launch",
      "PWD=/home/ada/work",
      "pw.chromium.launch()",
    ],
  },
  "names of commands, files and wrappers that hold a secret": {
    gone: [
      'header_up Authorization "Bearer «{a24}»"',
      'proxy_set_header Authorization "Basic «{a20}==»";',
      'username: "ada", password: Some("«gravelpit»"), database: Some("shop")',
      'let c = Config { password: SecretString::from("«gravelpit»") };',
      "requirepass «squirrel-nuts»",
      "localhost:5432:*:ada:«tulipbulb»",
      "db.example:5432:shop:ada:«looking.at.tables»",
      "user ada\n331 Password required for ada\nPASS «shellbank»\n230 User ada logged in",
      'strcpy(mqtt_pass, "«Damp-Wall»");',
      'WiFi.begin("Garden", "«Carrots&Peas»");',
      'DriverManager.getConnection("jdbc:x", "ada", "«Tiger-Duck»");',
      "oathtool --totp -b «{t32}»",
      "echo 'root:«rootworks»' | chpasswd",
      "echo -n '«Marmot^Day»' | cryptsetup luksOpen /dev/sdb1 data -",
      'poll mail.example user "ada" password "«Bratwurst+Mustard»" ssl',
      "sudo cat /var/lib/x/node-token\n«K10{h64}::server:{h32}»",
      "$ cat config/master.key\n«{h32}»",
      "$ pass show infra/db\n«Icicle!in!May»\nuser: ada",
      "$ wg genkey | tee privatekey; cat privatekey\n«{b42}=»",
      'bytes.fromhex("{h8}"); KEY = bytes.fromhex("«{h64}»")',
    ],
    stay: [
      "passwd:x:1000:1000::/home/bob:/bin/bash",
      "password:x:0:0:root:/root:/bin/bash",
      '"sonarjs/no-hardcoded-credentials": "warn",',
      "https://etherscan.example/tx/0x{h64}",
      '<PasswordInput v-model:password="form.password" :token="csrfToken" @submit="login" />',
      "$ cat config/master.key.example\nput-your-key-here",
      "$ cat README.md\n{h40}",
      "src/a.ts:1200:5:error:unused2",
      'password: Some("password")',
      "requirepass no",
    ],
  },
  "codes of a second factor": {
    gone: [
      "No camera at hand? Type the setup key instead: «{t4} {t4} {t4} {t4} {t4} {t4} {t4} {t4}»",
      "TOTP secret: «{t32}»",
      "authenticator setup key «{t16}»",
      "Save your recovery codes:\n«{h4}-{h4}»\n«{h4}-{h4}»\n«{h4}-{h4}»",
      "Backup-Codes der Bank:\n1. «{d4} {d4}»\n2. «{d4} {d4}»\n3. «{d4} {d4}»",
      "take the recovery code «{h5}-{h5}» if asked",
      "ALARM_PIN=«{d6}»",
      "Die PIN der Karte ist «{d6}», bitte nicht weitersagen",
      "new door code for the archive: «{d4}#{d3}»",
      "sign with the app-specific password «{x4}-{x4}-{x4}-{x4}»",
      "App-Passwort für die Mail: «{x4} {x4} {x4} {x4}»",
      "BitLocker recovery key: «{d6}-{d6}-{d6}-{d6}-{d6}-{d6}-{d6}-{d6}»",
      "my seed phrase: «maple canyon velvet orbit sugar hazard tunnel fabric winter pilot copper meadow»",
      "wallet words «maple canyon velvet orbit sugar hazard tunnel fabric winter pilot copper meadow»",
      "«1. maple  2. canyon  3. velvet  4. orbit»\n«5. sugar  6. hazard  7. tunnel  8. fabric»\n«9. winter  10. pilot  11. copper  12. meadow»",
    ],
    stay: [
      "LED_PIN=13",
      "the pin is 12 and the pin of the led is 2024",
      "1. open the file 2. read it 3. close it",
      "exit codes:\n0001-0002\n0003-0004",
      "the setup key of the table is id",
      "backup codes are shown once, save them",
    ],
  },
  "values that are parted": {
    gone: [
      '{\n  "api_key":\n    "«{a32}»"\n}',
      'const t = "ghp_«{a18}»" +\n  "«{a18}»";',
      'token = "".join(["xoxb-«{d12}»", "«-{d12}-»", "«{a24}»"])',
      'var pw = "«Summer»" + "«flower-»" + "«Field{d4}»";',
      "Your new token:\nghp_«{a18}»\n«{a18}»",
      "  export ANTHROPIC_API_KEY=sk-ant-api03-«{w60}»\n  «{w40}»\n  «{a15}»",
      "token=eyJhbGciOi«{a20}»\n«{a22}.eyJ{a20}»\n«{a20}»\n«{a12}»",
      "│ Token: glpat-«{a12}»   │\n│ «{a10}»               │\n│ Keep it safe now │",
      "secret: |\n  «{a40}»\n  «{a12}»\nother: 1",
      "    client-key-data: LS0tLS1CRUdJTiBSU0Eg«{b36}»\n      «{b64}»\n      «{b64}»",
      "Password\n«Cowbell-Meadow»\nExpires\nnever",
      "// reversed\nconst k = '«{a32}»'.split('').reverse().join('')",
      '{"kty":"RSA","n":"{w300}","e":"AQAB","d":"«{w300}»","p":"«{w150}»","dq":"«{w150}»"}',
    ],
    stay: [
      'throw new Error("the password " + "is required");',
      'const url = "https://api.example/" + "v2/users";',
      "TOKEN=$(cat token)\nabc123def456",
      "Password\nConfirm password\n",
      "'abc'.split('').reverse().join('')",
      'import a from "token" + ".ts"',
    ],
  },
  "dumps of a file with a telling name": {
    gone: [
      "$ hexdump -C pw.bin\n00000000  «57 6f 6f 64 6c 61 72 6b  2d 4d 6f 72 6e 69 6e 67»  |«Woodlark-Morning»|\n00000010  «65 72 2d 37 37 20 65 6e»  64                       |er-77 end|\n00000019",
      "$ xxd /etc/keys/luks.key\n00000000: «7435 5671 385a 7032 4c6d 3458 7739 5264»  «t5Vq8Zp2Lm4Xw9Rd»\n",
      "$ cat pw | xxd -p\n«48696c6c746f702d5261696e2d3431»",
      "$ od -An -c pass.txt\n   «M   a   r   i   g   o   l   d   -   4»  \\n",
    ],
    stay: [
      "$ xxd logo.png\n00000000: 8950 4e47 0d0a 1a0a 0000 000d 4948 4452  .PNG........IHDR",
      "$ hexdump -C kernel.bin\n00000000  7f 45 4c 46 02 01 01 00  00 00 00 00 00 00 00 00  |.ELF............|",
    ],
  },
  "tables with a sentence before them, and words for passwords": {
    gone: [
      "Done: three accounts created.\n\n| User | Password | Role |\n|---|---|---|\n| ada | «robin-thrush» | admin |\n| ben | «finch-and-jay» | viewer |",
      "Done: Name   Login    Password\nStore   ada1   «Forklift{d1}»\nOffice  ben2   «Folders{d2}»",
      "All set, these are the logins: Name   Login    Password\nStore   ada1   «Forklift{d1}»\nOffice  ben2   «Folders{d2}»",
      "email,password,role\nada@example.com,«tomtomgo»,user\n",
      "Benutzer;Kennwort;Standort\nada;«Palette-Zwei»;Halle B\n",
      "┌──────────┬──────────────┐\n│ account  │ password     │\n├──────────┼──────────────┤\n│ ada      │ «hippo-bath»   │\n└──────────┴──────────────┘",
      "<tr><th>Benutzer</th><th>Passwort</th></tr>\n<tr><td>ada</td><td>«breakfast»</td></tr>",
    ],
    stay: [
      "Done: the table below shows each field.\n\n| Field | Password | Note |\n|---|---|---|\n| type | string | no |",
      "name,password,role\nada,hashed,user\n",
      "| Option | User | Password |\n|---|---|---|\n| required | yes | optional |",
    ],
  },
};

const judged = (faked: Faked, id: string) =>
  judgeSecrets([{ ...faked, id, family: "classes", aside: false }]).flatMap(({ channel, wrong }) =>
    wrong === undefined ? [] : [`${channel}: ${wrong}`],
  );

for (const [name, { gone, stay }] of Object.entries(classes))
  describe(name, () => {
    test.each([...gone])("goes in every channel: %j", (template) => {
      expect(judged(fake(template, name), template)).toEqual([]);
    });
    test.each([...stay])("stays in every channel: %j", (template) => {
      expect(judged(fake(template, name), template)).toEqual([]);
    });
  });

test("a file of one word goes by what the file is called", () => {
  const { text } = fake("{h32}", "master.key");
  const read = (filePath: string, content: string): unknown =>
    redactDeep({ type: "text", file: { filePath, content } }).value;
  expect(JSON.stringify(read("/srv/shop/config/master.key", `${text}\n`))).not.toContain(text);
  expect(JSON.stringify(read("C:\\shop\\master.key", text))).not.toContain(text);
  for (const path of ["/srv/shop/revision", "/srv/shop/token.ts", "/srv/shop/master.key.md"])
    expect(read(path, text)).toEqual({ type: "text", file: { filePath: path, content: text } });
});

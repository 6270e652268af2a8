// Which names promise a secret, and which only speak of one.
import { expect, test } from "bun:test";
import { inEnglish, isSecretName, judgeName, kindOf } from "../../src/privacy/redact/names.ts";

const words = (list: string): string[] => list.split(" ");

const verdicts = {
  secret: [
    ...words("password PASSWD passphrase passcode userPwd PG_PASSWORD secret client-secret"),
    ...words("clientSecret GITHUB_TOKEN token credentials credential apiKey API_KEY x-api-key"),
    ...words("APIKey apikey accessKey secret_key signingKey encryption_key masterKey accountKey"),
    ...words("sharedKey authKey deploy_key licenseKey sessionKey serviceKey adminKey clientKey"),
    ...words("connectionString CONNECTION_STRING_PROD password_for_staging tokenOfAda psw"),
    ...words("identitytoken jwtsecret masterkey api_keys jwtKey hmac_key app.key roleKey"),
    ...words("pass_phrase refreshtoken SECRET_KEY_BASE DB_PASSWORD_PROD token2 password_new"),
    ...words("API_KEY_DEFAULT tokenB64 DB_PWD DB_PW userPass pwd access_token refresh_token"),
    ...words("secrets PGPASSWORD client-key-data"),
  ],
  maybe: [
    ...words("key keys auth cred creds myKey publicSecret csrfToken csrf_token public_token"),
    ...words("AUTH_SALT connect.sid"),
  ],
  made: words("acmeKey acmekey zorbly_key spin.key"),
  likely: words("pass firstPass smtppass dbPasswords"),
  issued: words("STRIPE_KEY X-Acme-Key tokens dbTokens ACCESS_TOKENS"),
  none: [
    ...words("max_tokens maxToken tokenCount next_token pageToken input_token password_field"),
    ...words("passwordHash keyboard monkey author PWD OLD_PWD oldPwd publicKey public_auth"),
    ...words("connection name stop_token per_token remainingToken passed bypass compass secretary"),
    ...words("keynote"),
    ...["", `${"x".repeat(98)}key`],
  ],
};

test.each(
  Object.entries(verdicts).flatMap(([verdict, names]) => names.map((name) => [name, verdict])),
)("%s: %s", (name = "", verdict) => {
  expect(judgeName(name) ?? "none").toBe(verdict as "none");
  // The same when it is asked again.
  for (const _ of [1, 2]) expect(isSecretName(name)).toBe(verdict === "secret");
});

test.each(["circle_api_key", "ORACLE_API_KEY", "article_secrete", "enclave_api"])(
  "a word of another language inside of %s is none",
  (name) => {
    expect(inEnglish(name)).toBe(name);
  },
);

test.each([
  ["cle_api", "api_key"],
  ["MA_CLE_API", "MA_API_KEY"],
  ["clave_api", "api_key"],
])("%s is %s in English", (name, english) => {
  expect(inEnglish(name)).toBe(english);
});

test("many names do not change what one of them means", () => {
  for (let i = 0; i < 2_100; i++) isSecretName(`field${i}`);
  expect([isSecretName("apiKey"), isSecretName("field1")]).toEqual([true, false]);
});

test.each([
  ["DB_PASSWORD", "password"],
  ["pwd", "password"],
  ["token_password", "password"],
  ["api_token_key", "token"],
  ["apiKey", "key"],
  ["credentials", "secret"],
])("what %s held is marked as %s", (name, kind) => {
  expect(kindOf(name)).toBe(kind);
});

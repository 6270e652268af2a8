// Look-alikes of ordinary files: what source code, headers, manuals and lists hold beside the name of a secret.
// biome-ignore-all lint/suspicious/noTemplateCurlyInString: code of other people is what is tested
import type { Row } from "./third-fill.ts";

/** By family; `{h40}` and the like stand for random parts that are no secret where they stand. */
export const ordinaryLookAlikes: Readonly<Record<string, readonly Row[]>> = {
  "ordinary: types": [
    [
      "generic of a generic",
      "readonly progressToken: Schema.decodeTo<Schema.optional<Schema.Union<[Schema.String, Schema.Number]>>>;",
    ],
    ["union", "export declare const SyncToken: Schema.Union<[\n  typeof Schema.String\n]>;"],
    ["indexed", "readonly credential: HttpApiSecurity.HttpApiSecurity.Type<Security[K]>\n"],
    ["nested promise", "apiKey: Promise.Resolved<Option.Some<string>, never>,"],
    [
      "array of bytes",
      "export declare function derive(password: Uint8Array, salt: Uint8Array): Uint8Array;",
    ],
    ["array of numbers", "secret: Float32Array,\nsize: number"],
    ["big array", "private_key: BigUint64Array;"],
    [
      "quoted type",
      'def sign(backend: "Backend", private_key: "_RSAPrivateKey", data: bytes) -> bytes:',
    ],
    ["quoted longer type", 'private_key: "_EllipticCurvePrivateKey",'],
    [
      "type of a module",
      "def encode(self, private_key: ed25519.Ed25519PrivateKey, f: _List) -> None:",
    ],
    ["call of a type", "private_key = ed448.Ed448PrivateKey.from_private_bytes(secret)\n"],
    [
      "types in a manual",
      "    :param Ed25519PrivateKey|Ed25519PublicKey|Ed448PrivateKey key: what signs",
    ],
    ["role in a manual", "    :type passphrase: :py:data:`bytes`"],
    ["other role", "        :param password: :class:`str` or none"],
    ["bound", "secret: std::borrow::Cow<'static, str>,"],
  ],
  "ordinary: packed code": [
    ["object, then return", "if(A?.url&&v(A)&&await w(A.url,{authToken:F}))return K0(J.path)"],
    [
      "object, then catch",
      "cleanupAuthToken:$.token}}catch(j){if(Y.signal.aborted||!(j instanceof L)){}}",
    ],
    ["object, then throw", "j({url:K.url,authToken:_})}throw Error(`none`)"],
    ["object, then else", "return j({url:A.url,authToken:F})}else await k(J.path)"],
    ["object, then continue", "if(!await w(K.url,{authToken:_}))continue;let x={a:1}"],
    ["member of an object", "x={coreVersion:K.v,authToken:_,host:K.host,port:K.port}"],
    ["either of two", "return{...J,authToken:J.authToken??Z.authToken,pid:J.pid??Z.pid}"],
    ["either, with a stroke", "return{...J,apiKey:J.apiKey||Z.apiKey2,pid:1}"],
    ["method", "async listWithToken(J,Z,$=!1){let X=J?.trim()?1:2}"],
    [
      "call, then statement",
      "let Z=(await this.options.getAuthToken())?.trim();if(!Z||Z===J.token||X0(Z)!==J.subject)return!1;",
    ],
    ["comma", "return J.token=Z,!0}async list(J){return awaited}"],
    ["generator", "const token = yield* DurableDeferred.token(x2)"],
    ["optional members", "secrets: app.config.cookie?.secrets ?? undefined,"],
    ["optional index", "const hdbToken = ctx.token.payload.ext_cxt?.['user.saml2'] || ctx.token;"],
    ["export of a module", "const apiKeys = beta_1.BETA_CLIENT_TOOL_UNION_KEYS;"],
    [
      "class of a module",
      "Organization.APIKeys = api_keys_1.APIKeys;\nVaults.Credentials = credentials_1.Credentials;",
    ],
  ],
  "ordinary: compared words": [
    ["keyword", "if token == 'async' or token == 'await':"],
    [
      "type of a key",
      "const k = typeof options.apiKey === 'function' ? options.apiKey : undefined;",
    ],
    ["no type of a key", "if (typeof apiKey !== 'string') return;"],
    ["type of a credential", "typeof client._secret === 'object'"],
    ["word of a file", "elif token == 'machine' or token == \"login\":"],
    ["statement", 'elif token == "lambda":\n    pass'],
    ["letters", "if (token === 'tuple') return parse(list);"],
    [
      "rule of requests",
      "e.crossOrigin===`use-credentials`?t.credentials=`include`:t.credentials=`same-origin`",
    ],
    ["omitted", 'this.credentials = "omit";\nthis.cache = "default";'],
    ["type of requests", "export type RequestCredentials = 'omit' | 'include' | 'same-origin'"],
  ],
  "ordinary: calls": [
    ["slice in a call", "password = base64.b16encode(random_bytes[8:]).decode()\n"],
    ["digest in a call", "secret = hashlib.sha256(seed[:32])\n"],
    ["snake case", "password = utf8_to_utf16_dup(v);\n/* done */"],
    ["other snake case", "token = b64_to_utf8(buf);"],
    ["constant of a library", "nid_key = self._lib.NID_aes_256_cbc\nelse:"],
    ["longer constant", "nid_key = self._lib.NID_pbe_WithSHA1And3_Key_TripleDES_CBC\n"],
    ["constant handed over", "return load_privatekey(FILETYPE_ASN1, der)"],
    ["only constant", "return this.tokenizer.peekToken(UINT32_LE);"],
    ["default of a parameter", "def generate_token(length=30, chars=ALPHABET):"],
    ["joined text", 'print("shlex: token=" + repr(raw))'],
    ["joined text of PHP", "echo 'password = '.$p['config2']['daemon_password'].\"\\n\";"],
    ["end of a text", 'else:\n    print("shlex: token=EOF")\n'],
    [
      "variable as argument",
      "store.Refresh(cred, is_impersonated_credential=impersonate_service_account)",
    ],
    ["directory of a shell", "my $pwd = `cmd /c cd`;\nchomp $pwd;"],
    ["other directory", "my $pwd = `/usr/bin/fullpath -t`;"],
    ["directory of vim", "let pwd = a:dict.istemp ? a:dict.tmpdir : ''"],
    ["encoding of a password", 'password = password.encode("latin1")'],
    [
      "schema",
      "[CLIENT_CAPABILITIES_META_KEY]: ClientCapabilities2026Schema,\n[LOG_LEVEL_META_KEY]: LoggingLevel2026Schema,",
    ],
  ],
  "ordinary: headers of C": [
    ["same name", "#define SCTP_AUTHINFO\tSCTP_AUTHINFO\n"],
    ["numbers of objects", "#define OBJ_userPassword                OBJ_X509,35L\n"],
    ["longer numbers", "#define OBJ_id_PasswordBasedMAC         OBJ_ISO_US,113533L,7L,66L,13L\n"],
    ["name of an object", '#define SN_setAttr_TokenType            "setAttr-TokenType"\n'],
    [
      "name of a method",
      '#define SN_auth_rsa             "AuthRSA"\n#define SN_auth_gost01          "AuthGOST01"\n',
    ],
    ["alias", "#define OBJ_id_it_revPassphrase         OBJ_id_it,12L\n"],
    ["function", "#define OPENSSL_secret_free CRYPTO_secure_free\n"],
  ],
  "ordinary: manuals": [
    ["optional field", "    troubleshootingToken: Optional. The token of the access."],
    [
      "required parameter",
      "        :param refresh_token: REQUIRED.  The token that the client got.",
    ],
    ["possessive", "    password: User's password\n    phones: A list."],
    ["truth", "CLOUDSDK_CONTAINER_USE_APPLICATION_DEFAULT_CREDENTIALS=true.\n"],
    ["message of a compiler", '"Unexpected_token_1012": "Token inesperado.",'],
    ["other message", '"Unexpected_token_Did_you_mean_or_rbrace_1381": "Unerwartetes Token.",'],
    ["grammar", "# token          = 1*tchar\n# tchar          = ALPHA"],
    ["older grammar", "      token             = 1*<any CHAR except CTLs>"],
    ["picture", "![Password prompt](https://dl.example.com/u/{d8}/inquirer/password-prompt.png)"],
    [
      "badge",
      "[![FOSSA Status](https://app.fossa.io/api/projects/git%2Bgithub.com%2FAna%2Fshop.svg)](https://app.fossa.io)",
    ],
    [
      "label in backticks",
      "prints a prompt (by default `Password:`) and then accepts input2 without echo",
    ],
    [
      "call in backticks",
      "- Client Credentials: `fetchClientCredentialsToken({ options })`\n- Password: `fetchPasswordToken(username, password, { options })`",
    ],
    [
      "methods",
      '# METHOD can be "trust", "reject", "md5", "password", "scram-sha-256",\n# "gss", "sspi"',
    ],
    ["mask", 'password = ":****"\nreturn user'],
    [
      "cookies of an example",
      ">>> print(C)\nSet-Cookie: oreo=doublestuff; Path=/\nSet-Cookie: chips=ahoy",
    ],
    ["cookie of a setting", "Cookie: theme=dark; lang=en-GB"],
    ["sed", "env | sed -E 's/(TOKEN|KEY|SECRET)=.*/\\1=<hidden>/' | sort"],
  ],
  "ordinary: names and lists": [
    ["name of a password", 'AttributeOID.CHALLENGE_PASSWORD: "challengePassword",'],
    ["name of a grant", "exports.GRANT_TYPE_REFRESH_TOKEN = 'refresh_token';"],
    ["name of an attribute", 'const TMP_DB_CONNECTION_STRING = "db.connection_string";'],
    ["value of an option", 'create --client-secret-value="client-secret" --issuer=x'],
    [
      "packages",
      "apt\tpackagekit-tools\t1.2.6-5+deb12u1\napt\tpasswd\t1:4.13+dfsg1-1+deb12u1\napt\tpatch\t2.7.6-7\n",
    ],
    [
      "index of a search",
      '"pwd": [[13, "index-2"], [13, "index-4"], [126, "envvar-HOME"]], "dirnext": [[14, "cmd"]]',
    ],
    ["icons", '.codicon-gift:before{content:""}.codicon-gist-secret:before{content:""}'],
    ["other icons", '.icon-key-secret:after{content:"x2"}'],
    ["lock of an answer", '"Name":"testip",\n"LockToken":"{h8}-{h4}-{h4}-{h4}-{h12}",\n"Id": 1'],
    [
      "token of a change",
      "aws waf update-ip-set --change-token {h8}-{h4}-{h4}-{h4}-{h12} --updates x",
    ],
    ["token of a page", "aws autoscaling describe-policies --starting-token Z3M3LMPEXAMPLE"],
    ["idempotency", "aws acm-pca issue-certificate --idempotency-token {d8}"],
    ["id of an example", '"DeviceKey": "us-west-2_a1b2c3d4-5678-90ab-cdef-EXAMPLE11111"'],
    [
      "pattern of an address",
      "const URI_PARSE = /^(?:([^#/:?]+):)?(?:\\/\\/((?:([^#/?@]*)@)?(\\[[^#/?\\]]+\\])))/",
    ],
    ["other pattern", "var re = /^(?:([^:\\/?#]+):)?(?:\\/\\/((?:([^\\/?#@]*)@)?(.*)))/;"],
    ["zeros", "xe2 0000000000000000000000000000000000BmVector Add Compute"],
    ["revision in an address", "https://cdn.rawgit.com/chalk/chalk/{h40}/logo.svg"],
    [
      "base 64 of an index",
      "kl/LhqAV9ISVUDU4g5scYe1pfhhcIAAR+EAADO5V3IsN6JGUintH2xfVMXpMTM2OGRmaGlsb3JzdHUA5KjCAADDwgAA68IAAHfEAADZ6gAAIiAAIcAAAJ6aaaaaaaaaaaaaaaaaaaa+x",
    ],
  ],
};

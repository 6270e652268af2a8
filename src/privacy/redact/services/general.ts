// Shapes of tokens that are no single maker's, or that a token of another table could have too. How a row reads: `rows.ts`.

/** They stand behind all others. */
export const generalRows = String.raw`
jwt  eyJ  eyJ[\w-]{8,}\.(?:eyJ)?[\w-]{8,}\.[\w-]*(?:\.[\w-]{4,}){0,2}  eyJhbGciOi<{w27}.eyJ{w60}.{w43}>
  eyJ2ZXJzaW9uIjozfQ==  g
jwt-encoded:jwt  ZXlKaGJHY2lPaU ZXlKMGVYQWlPaU ZXlKcmFXUWlP  ZXlK[\w+/-]{60,4000}={0,2}  ZXlKaGJHY2lPaU<{b120}>
  ZXlKaGJHY2lPaU  g
openai-old-key:openai-key  sk-  sk-(?=[\w-]{0,60}\d)(?=[\w-]{0,60}[A-Za-z])[A-Za-z0-9]{20,200}(?![\w-])
  sk-<{a20}T3BlbkFJ{a20}>  sk-loading-spinner sk-circle  g
svix-token  testsk_ sk_  (?:test)?sk_[\w-]{28,40}\.(?:eu|us|ca|au|in)(?!\w)  testsk_<{w31}>.eu  testsk_name.eu
`;

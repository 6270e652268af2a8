// What an author gives the provider suite: a stand-in, on loopback, for the API that the plugin talks to.

/** How the stand-in answers: `text` says `Hello from the test.` */
export type ProviderScript = "text" | "wrong-key" | "rate-limited" | "broken" | "hanging";

/** The key that the suite looks for in errors and logs. */
export const providerSecret = "sk-secret-of-the-suite-0123456789";

/** A stand-in for the API that a provider plugin talks to. */
export interface ProviderServer {
  /** The plugin's options that lead to it. */
  config: Record<string, unknown>;
  /** Sets how requests are answered from now on. */
  answer(script: ProviderScript): void;
  /** Ends it; calls after it find nobody there. */
  stop(): Promise<void>;
}

/** Starts one. `home` is memoir's, for a plugin that finds its key there: give it `providerSecret`. */
export type StartProviderServer = (home: string) => Promise<ProviderServer>;

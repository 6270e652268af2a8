// What a round works with, and how a hub is asked.
import type { Log } from "../home/log.ts";
import type { ForgetHeard } from "../runtime/hooks/ask-storage.ts";
import type { Hooks } from "../runtime/ports.ts";
import { MemoirError } from "../sdk/errors.ts";
import type { HookInput, HookName, HookOutput } from "../sdk/hooks.ts";
import type { SyncState } from "./state.ts";

export interface ExchangeDeps {
  hooks: Pick<Hooks, "first">;
  state: SyncState;
  log: Log;
  now(): number;
  /** Takes out of everything here what others forgot, so that nothing makes it anew; before storage takes it out. */
  forget?: ForgetHeard;
  /** Records that are new here or gone. */
  arrived?(ids: { changed: string[]; gone: string[] }): Promise<void>;
}

type HubHook = Extract<HookName, `hub.${string}`>;

/** Asks the hub in force. Rejects with its own errors, and with `hub_away` where there is none. */
export async function askHub<Name extends HubHook>(
  hooks: Pick<Hooks, "first">,
  name: Name,
  input: HookInput<Name>,
): Promise<HookOutput<Name>> {
  const answer = await hooks.first(name, input);
  if (!answer)
    throw new MemoirError("hub_away", "No hub is in use here.", {
      fix: "See in `memoir plugin list` whether it failed; `slots.hub` names it.",
    });
  return answer.result;
}

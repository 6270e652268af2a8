// An invitation as a line of text: how to get to the hub, and the keys that let one home in.
import * as v from "valibot";
import { MemoirError } from "../sdk/errors.ts";

/** How to get to the hub; of a PostgreSQL hub the address with its password. */
const HubSchema = v.variant("type", [
  v.strictObject({ type: v.literal("folder"), folder: v.string() }),
  v.strictObject({ type: v.literal("postgres"), address: v.string() }),
  v.strictObject({ type: v.literal("plugin"), name: v.string() }),
]);
export type HubPlace = v.InferOutput<typeof HubSchema>;

const InvitationSchema = v.strictObject({
  hub: HubSchema,
  space: v.pipe(v.string(), v.regex(/^[0-9a-f]{32}$/)),
  sign: v.string(),
  seal: v.string(),
  number: v.number(),
  digest: v.string(),
});
/** All that is needed to come in. It holds secrets. */
export type Invitation = v.InferOutput<typeof InvitationSchema>;

const invitationMark = "memoir-invitation-1.";

export function invitationText(invitation: Invitation): string {
  return invitationMark + Buffer.from(JSON.stringify(invitation)).toString("base64url");
}

/** Throws `sync_invitation`, which quotes nothing of it. */
export function readInvitation(text: string): Invitation {
  const trimmed = text.replaceAll(/\s+/g, "");
  try {
    if (!trimmed.startsWith(invitationMark)) throw new Error("another text");
    const json = Buffer.from(trimmed.slice(invitationMark.length), "base64url").toString("utf8");
    return v.parse(InvitationSchema, JSON.parse(json));
  } catch {
    const isNewer = /^memoir-invitation-\d+\./.test(trimmed) && !trimmed.startsWith(invitationMark);
    throw new MemoirError(
      "sync_invitation",
      isNewer ? "A newer memoir made this invitation." : "This is no whole invitation.",
      { fix: isNewer ? "Run `memoir upgrade`." : "Copy it again, all of its one line." },
    );
  }
}

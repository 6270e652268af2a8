// What this home knows of its spaces: its keys, who is in them, how far each stream was read, and what is on its way.
// A file of its own beside memory: losing it loses no record, and it never goes into an export.
import { createPublicKey, generateKeyPairSync, randomBytes } from "node:crypto";
import { chmod } from "node:fs/promises";
import { openDatabaseFile } from "../home/database/open-file.ts";
import type { Database, Row } from "../host/sqlite.ts";
import type { TakenBack } from "../sdk/change.ts";
import type { Identity, Pin, Secrets } from "./charter.ts";
import { memberOf, replicaOf, signingKey } from "./seal.ts";

const migrations = [
  `CREATE TABLE identity (sign TEXT NOT NULL, seal TEXT NOT NULL, recipient TEXT NOT NULL) STRICT;
   CREATE TABLE spaces (
     id TEXT PRIMARY KEY, kind TEXT NOT NULL, stream TEXT NOT NULL, number INTEGER NOT NULL DEFAULT 0,
     digest TEXT NOT NULL DEFAULT '', sent INTEGER NOT NULL DEFAULT 0, charter INTEGER NOT NULL DEFAULT 0,
     charter_digest TEXT NOT NULL DEFAULT '', secrets TEXT NOT NULL DEFAULT '{}', invitation TEXT, lost TEXT,
     projects TEXT NOT NULL DEFAULT '[]', replica TEXT NOT NULL DEFAULT '') STRICT;
   CREATE TABLE own_replicas (replica TEXT PRIMARY KEY, nonce TEXT NOT NULL, member TEXT NOT NULL) STRICT;
   CREATE TABLE charters (space TEXT NOT NULL, number INTEGER NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (space, number)) STRICT;
   CREATE TABLE streams (
     space TEXT NOT NULL, stream TEXT NOT NULL, number INTEGER NOT NULL, digest TEXT NOT NULL, member TEXT NOT NULL,
     at INTEGER NOT NULL, stuck TEXT, PRIMARY KEY (space, stream)) STRICT;
   CREATE TABLE replicas (space TEXT NOT NULL, replica TEXT NOT NULL, member TEXT NOT NULL, PRIMARY KEY (space, replica)) STRICT;
   CREATE TABLE outbox (space TEXT PRIMARY KEY, number INTEGER NOT NULL, bytes BLOB NOT NULL, up_to INTEGER NOT NULL) STRICT;
   CREATE TABLE pushed (space TEXT NOT NULL, number INTEGER NOT NULL, up_to INTEGER NOT NULL, PRIMARY KEY (space, number)) STRICT;`,
  `ALTER TABLE pushed ADD COLUMN replica TEXT NOT NULL DEFAULT '';
   ALTER TABLE pushed ADD COLUMN digest TEXT NOT NULL DEFAULT '';
   ALTER TABLE spaces ADD COLUMN snapshots INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE spaces ADD COLUMN seen INTEGER NOT NULL DEFAULT 0;`,
  "ALTER TABLE spaces ADD COLUMN former TEXT NOT NULL DEFAULT '[]'",
  `ALTER TABLE spaces ADD COLUMN taken_back TEXT NOT NULL DEFAULT '[]';
   ALTER TABLE spaces ADD COLUMN said_back INTEGER NOT NULL DEFAULT 0;
   ALTER TABLE outbox ADD COLUMN is_back INTEGER NOT NULL DEFAULT 0;
   CREATE TABLE taken_back (space TEXT NOT NULL, replica TEXT NOT NULL, up_to INTEGER NOT NULL, projects TEXT) STRICT;`,
  "CREATE TABLE hub_before (noted TEXT NOT NULL) STRICT",
];

/** Who somebody is to the others of a space. */
export interface Self {
  person: string;
  machine: string;
}

/** A space as this home is in it. */
export interface Space {
  id: string;
  kind: Secrets["kind"];
  /** The stream that this home writes, and how far the hub is known to have it. */
  stream: string;
  number: number;
  digest: string;
  /** Of this home's own changes: the last that the hub has, by the numbers of the replica that it was then. */
  sent: number;
  replica: string;
  charter: { number: number; digest: string };
  secrets: Secrets;
  /** The key that it writes under; or the invitation under which it comes in again, from before it went out on until it is in. */
  invitation?: { identity: Identity; isKey: boolean; made?: Pin; self?: Self };
  /** Why nothing is exchanged any more, in words. */
  lost?: string;
  /** Team: what is shared. Mine: what is kept local. By `Project.id`. */
  projects: string[];
  /** Team: what was shared and is not any more. What is forgotten of it is forgotten with the others, too. */
  former: string[];
}

/** A batch of this home's stream, as it went out. */
export interface PushedBatch {
  number: number;
  digest: string;
  /** The last of this replica's changes that it holds. */
  replica: string;
  upTo: number;
}

/** A stream of somebody's, as far as it was read. */
export interface ReadStream {
  stream: string;
  number: number;
  digest: string;
  member: string;
  /** Epoch ms of the last batch's arrival. */
  at: number;
  /** Why it is not read on, in words. */
  stuck?: string;
}

export type SyncState = Awaited<ReturnType<typeof openSyncState>>;

const spaceColumns =
  "id, kind, stream, number, digest, sent, charter, charter_digest, secrets, invitation, lost, projects, former, replica";

/** Opens `sync.db`, made when missing, for this user's eyes only. */
export async function openSyncState(path: string) {
  const db = await openDatabaseFile(path, {
    name: "The state of sync",
    migrations,
    tables: ["identity", "spaces"],
    isHomes: true,
  });
  await chmod(path, 0o600);
  return {
    ...ownKeys(db),
    ...hubBefore(db),
    ...spacesIn(db),
    ...whatCame(db),
    ...whatGoes(db),
    ...whatWent(db),
    ...takenBack(db),
    close: (): void => db.close(),
  };
}

/** What proves who this home is. */
function ownKeys(db: Database) {
  return {
    /** This home's keys, made at the first call. */
    async identity(): Promise<Identity & { id: string; publicKey: string; recipient: string }> {
      const stored = db.get<Identity & { recipient: string }>("SELECT * FROM identity");
      const found = stored ?? (await newIdentity());
      if (!stored) db.run("INSERT INTO identity VALUES ($sign, $seal, $recipient)", { ...found });
      return { ...found, ...publicOf(found.sign) };
    },
    /** A replica of this home's, with what proves that it is this member's; undefined where it has none such. */
    ownReplica: (replica: string) =>
      db.get<{ replica: string; nonce: string; member: string }>(
        "SELECT replica, nonce, member FROM own_replicas WHERE replica = ?",
        [replica],
      ),
    ownReplicas: (member: string) =>
      db
        .all<{ replica: string }>("SELECT replica FROM own_replicas WHERE member = ?", [member])
        .map(({ replica }) => replica),
    newReplica(member: string): string {
      const nonce = randomBytes(16).toString("hex");
      const replica = replicaOf(member, nonce);
      db.run("INSERT INTO own_replicas VALUES (?, ?, ?)", [replica, nonce, member]);
      return replica;
    },
  };
}

/** The spaces that this home is in, and their charters. */
/** What the hub was, for as long as another is tried. */
function hubBefore(db: Database) {
  return {
    hubBefore(): unknown {
      const row = db.get<{ noted: string }>("SELECT noted FROM hub_before");
      return row && JSON.parse(row.noted);
    },
    noteHubBefore(noted: object): void {
      db.run("INSERT INTO hub_before VALUES (?)", [JSON.stringify(noted)]);
    },
    forgetHubBefore(): void {
      db.run("DELETE FROM hub_before");
    },
  };
}

function spacesIn(db: Database) {
  return {
    spaces: (): Space[] =>
      db.all(`SELECT ${spaceColumns} FROM spaces ORDER BY kind, id`).map((row) => spaceOf(row)),
    space: (id: string): Space | undefined => {
      const row = db.get(`SELECT ${spaceColumns} FROM spaces WHERE id = ?`, [id]);
      return row && spaceOf(row);
    },
    save(space: Space): void {
      db.run(
        `INSERT INTO spaces (${spaceColumns}) VALUES ($id, $kind, $stream, $number, $digest, $sent, $charter, $charterDigest, $secrets, $invitation, $lost, $projects, $former, $replica)
         ON CONFLICT (id) DO UPDATE SET stream = excluded.stream, number = excluded.number, digest = excluded.digest, sent = excluded.sent,
         charter = excluded.charter, charter_digest = excluded.charter_digest, secrets = excluded.secrets,
         invitation = excluded.invitation, lost = excluded.lost, projects = excluded.projects, former = excluded.former, kind = excluded.kind, replica = excluded.replica`,
        {
          ...space,
          charter: space.charter.number,
          charterDigest: space.charter.digest,
          secrets: JSON.stringify(space.secrets),
          invitation: space.invitation && JSON.stringify(space.invitation),
          lost: space.lost,
          projects: JSON.stringify(space.projects),
          former: JSON.stringify(space.former),
        },
      );
    },
    /** Forgets a space here; what came from it stays in memory. */
    drop: (id: string): void =>
      db.transaction(() => {
        db.run("DELETE FROM spaces WHERE id = ?", [id]);
        for (const table of ["streams", "replicas", "outbox", "pushed", "charters", "taken_back"])
          db.run(`DELETE FROM ${table} WHERE space = ?`, [id]);
      }),
    /** Charters as they were seen: a hub that was emptied gets them back. */
    keep: (space: string, number: number, bytes: Uint8Array): void => {
      db.run("INSERT OR REPLACE INTO charters VALUES (?, ?, ?)", [space, number, bytes]);
    },
    kept: (space: string) =>
      db.all<{ number: number; bytes: Uint8Array }>(
        "SELECT number, bytes FROM charters WHERE space = ? ORDER BY number",
        [space],
      ),
  };
}

/** How far the streams of a space were read. */
function whatCame(db: Database) {
  return {
    streams: (space: string): ReadStream[] =>
      db
        .all<{ [Key in keyof ReadStream]: ReadStream[Key] }>(
          "SELECT stream, number, digest, member, at, stuck FROM streams WHERE space = ? ORDER BY stream",
          [space],
        )
        .map(({ stuck, ...row }) => ({ ...row, ...(stuck ? { stuck } : {}) })),
    read(space: string, at: ReadStream): void {
      db.run(
        `INSERT INTO streams VALUES ($space, $stream, $number, $digest, $member, $at, $stuck)
         ON CONFLICT (space, stream) DO UPDATE SET number = $number, digest = $digest, member = $member, at = $at, stuck = $stuck`,
        { space, ...at, stuck: at.stuck },
      );
    },
    /** Notes whose changes came through a space. */
    heard(space: string, replica: string, member: string): void {
      db.run("INSERT OR IGNORE INTO replicas VALUES (?, ?, ?)", [space, replica, member]);
    },
    /** The replicas whose changes came through a space. */
    heardIn: (space: string): string[] =>
      db
        .all<{ replica: string }>("SELECT replica FROM replicas WHERE space = ?", [space])
        .map(({ replica }) => replica),
  };
}

/** What of this home's stream is with the hub. */
function whatWent(db: Database) {
  return {
    /** What went out in a stream's batches from one to another. */
    pushed: (space: string, from: number, to: number) =>
      db.all<PushedBatch & Row>(
        `SELECT number, digest, replica, up_to AS upTo FROM pushed WHERE space = ? AND number BETWEEN ? AND ? ORDER BY number`,
        [space, from, to],
      ),
    /** How many snapshots of its stream this home wrote, and when it last said that it is there. */
    marks: (space: string) =>
      db.get<{ snapshots: number; seen: number }>(
        "SELECT snapshots, seen FROM spaces WHERE id = ?",
        [space],
      ),
    mark: (space: string, what: "snapshots" | "seen", value: number): void => {
      db.run(`UPDATE spaces SET ${what} = ? WHERE id = ?`, [value, space]);
    },
  };
}

/** What is not shared any more that was: by this home, and by others. */
function takenBack(db: Database) {
  return {
    /** This home's, in order; the first `said` of them are in the stream that it writes now. */
    ownBack(space: string): { all: TakenBack[]; said: number } {
      const row = db.get<{ all: string; said: number }>(
        'SELECT taken_back AS "all", said_back AS said FROM spaces WHERE id = ?',
        [space],
      );
      return { all: JSON.parse(row?.all ?? "[]"), said: row?.said ?? 0 };
    },
    addBack(space: string, more: readonly TakenBack[]): void {
      const all = [...this.ownBack(space).all, ...more];
      db.run("UPDATE spaces SET taken_back = ? WHERE id = ?", [JSON.stringify(all), space]);
    },
    /** Of others: what they said up to there is not taken any more. */
    noteBack(space: string, { replica, upTo, projects }: TakenBack): void {
      const named = projects ? JSON.stringify(projects) : null;
      db.run("DELETE FROM taken_back WHERE space = ? AND replica = ? AND projects IS ?", [
        ...[space, replica, named],
      ]);
      db.run("INSERT INTO taken_back VALUES (?, ?, ?, ?)", [space, replica, upTo, named]);
    },
    othersBack: (space: string): TakenBack[] =>
      db
        .all<{ replica: string; upTo: number; projects: string | null }>(
          "SELECT replica, up_to AS upTo, projects FROM taken_back WHERE space = ?",
          [space],
        )
        .map(({ projects, ...one }) => ({
          ...one,
          projects: projects ? JSON.parse(projects) : undefined,
        })),
  };
}

/** What of this home's changes went out, and what is on its way. */
function whatGoes(db: Database) {
  /** The last of this home's changes that went out in a stream's batches up to this one. */
  const sentIn = (space: string, number: number): number =>
    db.get<{ upTo: number }>(
      "SELECT up_to AS upTo FROM pushed WHERE space = ? AND number <= ? ORDER BY number DESC LIMIT 1",
      [space, number],
    )?.upTo ?? 0;

  return {
    outgoing: (space: string) =>
      db.get<{ number: number; bytes: Uint8Array; upTo: number }>(
        "SELECT number, bytes, up_to AS upTo FROM outbox WHERE space = ?",
        [space],
      ),
    /** Kept before it goes out: what is sent again after a crash has to be the same bytes. */
    put(
      space: string,
      batch: { number: number; bytes: Uint8Array; upTo: number },
      isBack = false,
    ): void {
      db.run("INSERT OR REPLACE INTO outbox VALUES ($space, $number, $bytes, $upTo, $isBack)", {
        space,
        ...batch,
        isBack: isBack ? 1 : 0,
      });
    },
    /** What waits to go out does not; it is made again from what was sent last. */
    takeBack: (space: string): void => {
      db.run("DELETE FROM outbox WHERE space = ?", [space]);
    },
    /** The hub has what was outgoing. */
    sent: (space: Space, digest: string): void =>
      db.transaction(() => {
        const out = db.get<{ number: number; upTo: number; isBack: number }>(
          "SELECT number, up_to AS upTo, is_back AS isBack FROM outbox WHERE space = ?",
          [space.id],
        );
        if (!out) return;
        const { number, upTo, isBack } = out;
        // No snapshot stands for what takes something back: it is of no replica.
        db.run(
          `INSERT OR REPLACE INTO pushed (space, number, up_to, replica, digest)
           SELECT id, ?, ?, CASE WHEN ? THEN '' ELSE replica END, ? FROM spaces WHERE id = ?`,
          [number, upTo, isBack, digest, space.id],
        );
        db.run("UPDATE spaces SET said_back = said_back + ? WHERE id = ?", [isBack, space.id]);
        db.run("UPDATE spaces SET number = ?, digest = ?, sent = max(sent, ?) WHERE id = ?", [
          number,
          digest,
          upTo,
          space.id,
        ]);
        db.run("DELETE FROM outbox WHERE space = ?", [space.id]);
      }),
    /** Nothing up to this number of a replica has to go out, or has not gone yet. */
    skip: (space: string, replica: string, upTo: number): void => {
      db.run("UPDATE spaces SET sent = ?, replica = ? WHERE id = ?", [upTo, replica, space]);
    },
    sentIn,
    /** A new stream, from what the hub has of the old one on. */
    startStream: (space: Space, stream: string, kept: number): void =>
      db.transaction(() => {
        db.run(
          "UPDATE spaces SET stream = ?, number = 0, digest = '', snapshots = 0, said_back = 0, sent = ? WHERE id = ?",
          [stream, sentIn(space.id, kept), space.id],
        );
        db.run("DELETE FROM pushed WHERE space = ?", [space.id]);
        db.run("DELETE FROM outbox WHERE space = ?", [space.id]);
      }),
  };
}

/** A stream's name: its member's id, and what tells its streams apart. */
export function newStream(member: string): string {
  return `${member}-${randomBytes(6).toString("hex")}`;
}

/** Whose stream it is. */
export function memberOfStream(stream: string): string {
  return stream.split("-")[0] ?? "";
}

/** Keys of a home, or of an invitation. */
export async function newIdentity(): Promise<Identity & { recipient: string }> {
  const { generateX25519Identity, identityToRecipient } = await import("age-encryption");
  const { privateKey } = generateKeyPairSync("ed25519");
  const sign = privateKey.export({ format: "der", type: "pkcs8" }).toString("base64");
  const seal = await generateX25519Identity();
  return { sign, seal, recipient: await identityToRecipient(seal) };
}

/** The public half of a signing key, and the member's id that follows from it. */
export function publicOf(sign: string): { id: string; publicKey: string } {
  const spki = createPublicKey(signingKey(sign)).export({ format: "der", type: "spki" });
  const publicKey = spki.toString("base64");
  return { id: memberOf(publicKey), publicKey };
}

function spaceOf(row: Row): Space {
  const { charter, charter_digest, secrets, invitation, lost, projects, former, ...rest } =
    row as Record<string, never>;
  return {
    ...(rest as unknown as Pick<
      Space,
      "id" | "kind" | "stream" | "number" | "digest" | "sent" | "replica"
    >),
    charter: { number: charter ?? 0, digest: charter_digest ?? "" },
    secrets: JSON.parse(secrets ?? "{}"),
    ...(invitation ? { invitation: JSON.parse(invitation) } : {}),
    ...(lost ? { lost } : {}),
    projects: JSON.parse(projects ?? "[]"),
    former: JSON.parse(former ?? "[]"),
  };
}

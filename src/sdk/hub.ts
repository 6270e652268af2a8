// What a hub is asked: it carries sealed changes between homes, and can read none of them. A hub knows sizes, times and
// names without a meaning; who may write what is checked by every reader, so that a hub need not be trusted.

/** One sealed batch of a stream. A stream is what one home writes into one space; its batches are numbered from 1. */
export interface HubBatch {
  /** Letters, digits and dashes. */
  stream: string;
  /** From 1, without a gap. */
  number: number;
  bytes: Uint8Array;
}

/** Where a stream ends. */
export interface HubHead {
  stream: string;
  /** Of its last batch. */
  number: number;
  /** Hex SHA-256 of its last batch's bytes. */
  digest: string;
}

/** `space` is letters and digits in all of these. */
export interface HubPush extends HubBatch {
  space: string;
}

/**
 * - `stored`: it is durable.
 * - `there`: the same bytes were there already.
 * - `taken`: other bytes have this number; two homes write one stream.
 * - `behind`: the hub has less of the stream than what comes before this batch; `number` says how much (0: nothing).
 */
export interface HubPushed {
  state: "stored" | "there" | "taken" | "behind";
  /** Of the stream's last batch on the hub. */
  number: number;
}

export interface HubPull {
  space: string;
  /** By stream: the number of the last batch that is known. Streams that are not named are read from their start. */
  after: Record<string, number>;
  /** About how many bytes to answer with at most; one batch always comes. */
  bytes: number;
  /**
   * Whatever is known, at most so many last batches of each stream, and of those what fits in `bytes`: the last of each stream comes
   * before the one before it. For a home that is to be useful at once.
   */
  newest?: number;
}

export interface HubPulled {
  /** Of each stream in order, without a gap after what is known. */
  batches: HubBatch[];
  /** Every stream that has something. */
  heads: HubHead[];
  /** There is more than was answered. */
  more: boolean;
}

/** A small file of a space: members, invitations, who was there when, a snapshot's parts. */
export interface HubFile {
  /** Letters, digits, dots and dashes in words divided by slashes. */
  name: string;
  bytes: Uint8Array;
}

export interface HubWrite extends HubFile {
  space: string;
  /** Refuses, with `written: false`, where the name is there: the first of two writers wins. */
  isNew?: boolean;
}

/** What a hub says of itself, in words for a person. */
export interface HubHealth {
  ok: boolean;
  /** Where it is, without a password: `folder ~/Sync/memoir`, `postgres db.example.org/memoir`. */
  where: string;
  /** What is wrong and what to do, where it is not well. */
  trouble?: string;
  /** Bytes that the space takes, where that is known. */
  bytes?: number;
}

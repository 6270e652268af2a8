// What the hook command does when the server did not answer: start it, wait where an answer matters, else keep the event in the spool.

import { stat } from "node:fs/promises";
import { setTimeout as sleep } from "node:timers/promises";
import { adapterOf, chooseClient, clientNamed, clients } from "../../clients/index.ts";
import type { Environment, Paths } from "../../home/paths.ts";
import { redactEvent } from "../../runtime/events/redact-event.ts";
import { countUnkept, reasonOf, unkeptNotice, writeSpool } from "../../runtime/events/spool.ts";
import type { ClientEvent } from "../../sdk/events.ts";
import { answeredEvents, clientVariables } from "../../server/endpoint.ts";
import { notInTime } from "../../server/life/late.ts";
import { startServer } from "../../server/life/start-server.ts";
import { failureText, noteHook } from "./log.ts";

const retryMs = 20;

/**
 * Gives the server's answer when it came after all; otherwise the event is in the spool. Never rejects. `again` posts
 * the event once more: undefined when the server could not take it yet, a rejection when there is none.
 */
export async function recover(
  delivery: HookDelivery,
  trouble: Trouble,
  again: () => Promise<HookAnswer | undefined>,
): Promise<HookAnswer | undefined> {
  // A client that memoir itself does not know.
  if (!clients.has(delivery.client)) {
    const waits = trouble === "away" && (await start(delivery));
    const answer = waits ? await untilAnswered(delivery, again) : undefined;
    if (!answer)
      await note(delivery, "only a plugin of the server's knows this client: the event was lost");
    return answer;
  }
  const event = await parse(delivery);
  if (!event) return undefined;
  const starting = trouble === "away" && (await start(delivery));
  if (starting && answeredEvents.includes(event.name)) {
    const answer = await untilAnswered(delivery, again);
    if (answer) return answer;
    await noteLate(delivery);
  }
  if (trouble === "late") await noteLate(delivery);
  const lost = await spool(delivery, event);
  if (event.name !== "UserPromptSubmit") return undefined;
  if (lost !== undefined) return saying(await unkeptNotice(delivery.paths, lost));
  return trouble === "failed" ? undefined : warn(delivery);
}

/** Keeps an event whose hook failed by a fault of its own, and notes the fault. Never rejects. */
export async function keepAfterFailure(delivery: HookDelivery, error: unknown): Promise<void> {
  await note(delivery, failureText(error));
  if (delivery.body === "") return;
  const event = await parse(delivery);
  if (event) await spool(delivery, event);
}

/** Without a server a client that is led through the gateway has no model: the person has to know the way out. */
async function warn({ paths }: HookDelivery): Promise<HookAnswer | undefined> {
  if (!(await stat(`${paths.home}/gateway.json`).catch(() => undefined))) return undefined;
  return saying(
    "memoir: the server isn't responding, and requests to the model go through its gateway. `memoir endless gateway off` bypasses it; `memoir doctor` shows what is wrong.",
  );
}

function saying(systemMessage: string): HookAnswer {
  return { status: 200, text: JSON.stringify({ systemMessage }) };
}

async function parse(delivery: HookDelivery): Promise<ClientEvent | undefined> {
  try {
    const payload: unknown = JSON.parse(delivery.body);
    const variables = new Set(clientVariables.filter((name) => delivery.env[name]));
    const client =
      chooseClient(delivery.client, payload, variables) ?? clientNamed(delivery.client);
    return (await adapterOf(client)).parse(payload, delivery);
  } catch (error) {
    // A JSON error quotes the input, which may be private.
    const reason = error instanceof SyntaxError ? "stdin was not valid JSON" : messageOf(error);
    await note(delivery, reason);
    return undefined;
  }
}

async function start(delivery: HookDelivery): Promise<boolean> {
  try {
    await startServer(delivery.paths, delivery.env);
    return true;
  } catch (error) {
    await note(delivery, `the server could not be started: ${messageOf(error)}`);
    return false;
  }
}

async function untilAnswered(
  delivery: HookDelivery,
  again: () => Promise<HookAnswer | undefined>,
): Promise<HookAnswer | undefined> {
  while (!delivery.signal.aborted) {
    await sleep(retryMs);
    try {
      const answer = await again();
      if (answer) return answer;
    } catch {
      // Not there yet.
    }
  }
  return undefined;
}

/** Gives why the event could not be kept, in words; undefined when it is in the spool. */
async function spool(delivery: HookDelivery, event: ClientEvent): Promise<string | undefined> {
  try {
    await writeSpool(delivery.paths.spool, await redactEvent(event, delivery.paths.home));
    return undefined;
  } catch (error) {
    await countUnkept(delivery.paths, delivery.time, error);
    await note(delivery, `the event was lost: ${messageOf(error)}`);
    return reasonOf(error);
  }
}

/** This hook waited in vain: those after it do not. */
async function noteLate(delivery: HookDelivery): Promise<void> {
  const pauseMs = await notInTime(delivery.paths);
  await note(
    delivery,
    `the server did not answer in time; events go to the spool, and in ${pauseMs / 1000} s one asks again`,
  );
}

function note(delivery: HookDelivery, reason: string): Promise<void> {
  return noteHook(delivery.paths, {
    client: delivery.client,
    event: delivery.eventName,
    reason,
  });
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

// What the hook command and its ways out hand each other. Types only: whatever is loaded here costs every hook.

/** One event on its way to the server. */
export interface HookDelivery {
  client: string;
  /** The payload as it came: JSON, if the client is right. */
  body: string;
  /** The payload's own event name, as far as it can be read without parsing it. */
  eventName: string;
  id: string;
  /** Epoch ms. */
  time: number;
  paths: Paths;
  env: Environment;
  /** Events wait in the spool as the server was late: this one probes whether it is well again, and comes after them. */
  probes: boolean;
  /** Aborted when the hook's time is up. */
  signal: AbortSignal;
}

/**
 * Why an event was not taken: nobody listens, no answer in time, an answer that says the server could not, or a server
 * that was late with others and was not asked.
 */
export type Trouble = "away" | "late" | "failed" | "unasked";

export interface HookAnswer {
  status: number;
  text: string;
}

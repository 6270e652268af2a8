// Counts what sessions with Endless Mode took, from their transcripts, off the hook's path.
import type { ClientEvent } from "../../sdk/events.ts";
import type { Config } from "../config/schema.ts";
import { trustedTranscript } from "../context/trusted-transcript.ts";
import type { JournalSession } from "../ports.ts";
import { firstKeptAt } from "./kept-rows.ts";
import type { OrElse } from "./ledger.ts";
import type { EndlessFile } from "./open-store.ts";
import { createSessionMeter } from "./session-meter.ts";
import { chosenFor, isHeldOut } from "./switch.ts";
import { knownFirstReduced, writeSessionUsage } from "./usage-rows.ts";

export interface MeasuringDeps {
  file: EndlessFile;
  now: () => number;
  config: () => Config["endless"];
  session: (id: string) => JournalSession | undefined;
  /** Where clients keep transcripts. */
  folders: readonly string[];
  orElse: OrElse;
}

interface Measuring {
  /** Counts what the session took so far, after a Stop or at its end. */
  measure(event: ClientEvent): void;
  /** Ends with what is under way; nothing more is begun. */
  stop(): Promise<void>;
}

/** One transcript at a time: it can be long. */
export function createMeasuring(deps: MeasuringDeps): Measuring {
  const { file, now, config } = deps;
  const meter = createSessionMeter();
  let under: Promise<void> = Promise.resolve();
  let stopped = false;

  async function measureNow(event: ClientEvent): Promise<void> {
    const { session, transcriptPath } = event;
    const project = event.project?.id ?? deps.session(session)?.project.id;
    const { strategies } = chosenFor(config(), session, project);
    if (strategies.length === 0 || transcriptPath === undefined) return;
    const trusted = await trustedTranscript(transcriptPath, session, deps.folders);
    if (!trusted) return;
    const firstReduced = () =>
      file.read((db) => knownFirstReduced(db, session) ?? firstKeptAt(db, session));
    let first = await firstReduced();
    let measured = await meter.measure(trusted.path, first);
    const since = await firstReduced();
    // Something was left out for the first time while the file was read: turns after that stand on the wrong side.
    if (since !== first) {
      first = since;
      meter.forget(trusted.path);
      measured = await meter.measure(trusted.path, first);
    }
    if (event.name === "SessionEnd") meter.forget(trusted.path);
    await file.write((db) =>
      writeSessionUsage(db, {
        session,
        project: project ?? "",
        strategies,
        heldOut: isHeldOut(session, config().holdOut),
        firstReducedAt: first ?? null,
        updatedAt: now(),
        ...measured,
      }),
    );
  }

  return {
    measure(event) {
      if (stopped || event.agent || (event.name !== "Stop" && event.name !== "SessionEnd")) return;
      under = under.then(() => deps.orElse(() => measureNow(event), undefined));
    },
    stop() {
      stopped = true;
      return under;
    },
  };
}

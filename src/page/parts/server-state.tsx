// In a few words on top: how many sessions are open, and whether anything waits or went wrong.
import { useConnection } from "../connection.ts";
import { useGet } from "../use-asked.ts";
import { counted } from "../words.ts";

/** Leads to what goes on, in full. */
export function ServerState() {
  const { connection } = useConnection();
  const { answer } = useGet("/api/now", {}, { freshens: () => true, everyMs: 3_000 });
  if (connection !== "there")
    return <span class="state bad">{connection === "gone" ? "No server" : "Signed out"}</span>;
  if (!answer) return <span class="state" />;
  const { sessions, waiting } = answer;
  const busy = waiting.events + waiting.work + waiting.underWay;
  const live =
    sessions.length === 0 ? "no session live" : `${counted(sessions.length, "session")} live`;
  return (
    <a class="state" href={waiting.parked > 0 ? "/settings/health" : "/settings/activity"}>
      <span class={waiting.parked > 0 ? "dot bad" : sessions.length > 0 ? "dot on" : "dot"} />
      {live} ·{" "}
      {waiting.parked > 0
        ? `${counted(waiting.parked, "job")} failed`
        : busy > 0
          ? `${counted(busy, "event")} waiting`
          : "nothing waiting"}
    </a>
  );
}

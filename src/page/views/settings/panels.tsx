// What a plugin shows in the page: each panel in a frame with an origin of its own. It asks its plugin's operations through the page, and nothing else.
import { useEffect, useRef, useState } from "preact/hooks";
import type { Answer } from "../../../server/route-types.ts";
import { post } from "../../api.ts";
import { Said } from "../../parts/said.tsx";
import { Trouble } from "../../parts/trouble.tsx";

type Brought = Answer<"/api/plugins/:name">["contributions"];

/** All panels of a plugin. */
export function Panels({ plugin, of }: { plugin: string; of: Brought }) {
  return (
    <>
      {of.map(
        ({ kind, name = "", title = "" }) =>
          kind === "panels" && <Panel key={name} plugin={plugin} name={name} title={title} />,
      )}
    </>
  );
}

/** Questions of one panel that are under way at once. */
const mostAsked = 16;

function Panel({ plugin, name, title }: { plugin: string; name: string; title: string }) {
  const frame = useRef<HTMLIFrameElement>(null);
  const [address, setAddress] = useState<string>();
  const [error, setError] = useState<unknown>();
  useEffect(() => {
    post("/api/plugins/:name/panels/:panel", { params: { name: plugin, panel: name } }).then(
      ({ address }) => setAddress(address),
      setError,
    );
  }, [plugin, name]);
  useEffect(() => {
    let asked = 0;
    const answer = async ({ source, data }: MessageEvent) => {
      const panel = frame.current?.contentWindow;
      if (!panel || source !== panel || data?.memoir !== "ask") return;
      const { id, operation, input } = data;
      // Its origin is opaque: there is no other way to name it.
      const reply = (said: object) => panel.postMessage({ id, ...said }, "*");
      if (asked >= mostAsked) return reply({ error: "Too many questions at once." });
      asked++;
      try {
        const params = { name: plugin, operation: String(operation) };
        const { answer } = await post("/api/plugins/:name/ask/:operation", {
          params,
          body: { input },
        });
        reply({ answer });
      } catch (error) {
        reply({ error: error instanceof Error ? error.message : String(error) });
      } finally {
        asked--;
      }
    };
    addEventListener("message", answer);
    return () => removeEventListener("message", answer);
  }, [plugin]);
  return (
    <section aria-label={title}>
      <h2>
        <Said inline text={title} />
      </h2>
      {error !== undefined && <Trouble error={error} />}
      {address !== undefined && (
        <iframe ref={frame} class="panel" title={title} sandbox="allow-scripts" src={address} />
      )}
    </section>
  );
}

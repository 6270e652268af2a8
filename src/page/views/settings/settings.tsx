// How memoir itself does, and what it may do: a tab each.
import type { ComponentChildren } from "preact";
import { Columns } from "../../parts/columns.tsx";
import { Said } from "../../parts/said.tsx";
import { NotYet } from "../../parts/trouble.tsx";
import { useGet } from "../../use-asked.ts";
import { ActivityPart } from "./activity.tsx";
import { HealthPart } from "./health.tsx";
import { PluginPart } from "./plugin.tsx";
import { isSwitchedOff } from "./plugin-words.ts";
import { PluginsPart } from "./plugins.tsx";
import { ProjectsPart } from "./projects.tsx";
import { RoutesPart } from "./routes.tsx";
import { SyncPart } from "./sync.tsx";

const tabs = {
  activity: "Activity",
  health: "Health",
  plugins: "Plugins",
  projects: "Projects",
  sync: "Sync",
  config: "Config",
  api: "API",
} as const;
type Tab = keyof typeof tabs;

interface SettingsProps {
  address: URL;
  /** What the address says; health where it says nothing. */
  tab: string | undefined;
  /** Of one plugin. */
  name: string | undefined;
}

/** The tab that the address names. */
export function SettingsView({ address, tab = "health", name }: SettingsProps) {
  const parts: Record<Tab, () => ComponentChildren> = {
    activity: () => <ActivityPart />,
    health: () => <HealthPart />,
    plugins: () => (name === undefined ? <PluginsPart /> : <PluginPart key={name} name={name} />),
    projects: () => <ProjectsPart />,
    sync: () => <SyncPart />,
    config: () => <ConfigPart />,
    api: () => <RoutesPart address={address} />,
  };
  const { answer } = useGet(
    "/api/plugins",
    {},
    { freshens: ({ what }) => what.includes("plugins") },
  );
  const isOff = (one: string) => isSwitchedOff(answer?.plugins ?? [], one);
  const isKnown = (one: string): one is Tab => Object.hasOwn(tabs, one) && !isOff(one);
  const known = isKnown(tab) ? tab : undefined;
  return (
    <Columns title={`${name ?? (known ? tabs[known] : "Settings")} · Settings`}>
      <h1>Settings</h1>
      <nav class="tabs" aria-label="Settings">
        {Object.entries(tabs)
          .filter(([key]) => !isOff(key))
          .map(([key, words]) => (
            <a key={key} href={`/settings/${key}`} aria-current={key === tab ? "page" : undefined}>
              {words}
            </a>
          ))}
      </nav>
      {known ? parts[known]() : <p class="empty">There are no such settings.</p>}
    </Columns>
  );
}

/** Where config stands, and what is wrong in it. */
function ConfigPart() {
  const { answer, error } = useGet(
    "/api/status",
    {},
    { freshens: ({ what }) => what.includes("plugins") },
  );
  if (!answer) return <NotYet error={error} />;
  const { path, problems } = answer.config;
  return (
    <>
      <p>
        Your settings are in <Said inline text={path} />. It holds only what you set; everything
        else has its default.
      </p>
      {problems.length === 0 ? (
        <p class="verdict ok" role="status">
          No problems in it.
        </p>
      ) : (
        <ul class="going">
          {problems.map((problem) => (
            <li key={JSON.stringify(problem)} class="bad">
              <Said inline text={`${problem.path} ${problem.message}`} />
            </li>
          ))}
        </ul>
      )}
      <dl class="slots">
        {commands.map(([command, words]) => (
          <div key={command}>
            <dt>
              <code>{command}</code>
            </dt>
            <dd>{words}</dd>
          </div>
        ))}
      </dl>
      <p class="hint">
        The options of a plugin are set in <a href="/settings/plugins">Plugins</a>.
      </p>
    </>
  );
}

const commands = [
  ["memoir config show --all", "Show everything that is in effect"],
  ["memoir config set KEY VALUE", "Change a setting"],
  ["memoir config unset KEY", "Go back to its default"],
] as const;

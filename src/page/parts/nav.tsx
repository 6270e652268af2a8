// Where one is and may go: the places, and the projects with how much went on in each.
import { projectOf, useActivity, useProjects } from "../projects.ts";
import { capital, wholeNumber } from "../words.ts";
import { Said } from "./said.tsx";

/** Which place a path belongs to. */
function placeOf(path: string, places: readonly string[]): string | undefined {
  const first = path.split("/")[1] ?? "";
  if (["", "session", "record"].includes(first)) return "memory";
  return places.find((place) => place === first);
}

/** So many projects are named at first. */
const mostNamed = 12;

/** The first column; a bar on a phone. */
export function Nav({ address, places }: { address: URL; places: readonly string[] }) {
  const projects = useProjects();
  const activity = useActivity(projects?.[0]?.lastActiveAt);
  const here = placeOf(address.pathname, places);
  const chosen = projectOf(address);
  const to = (place: string, project: string) =>
    `/${place}${project === "" ? "" : `?${new URLSearchParams({ project })}`}`;
  const listed = here === undefined || here === "settings" ? "memory" : here;
  return (
    <nav class="places" aria-label="Places">
      <ul>
        {places.map((place) => (
          <li key={place}>
            <a href={to(place, chosen)} aria-current={here === place ? "page" : undefined}>
              {capital(place)}
            </a>
          </li>
        ))}
      </ul>
      {projects && projects.length > 0 && (
        <section class="projects" aria-labelledby="projects">
          <p id="projects" class="over">
            Projects
          </p>
          <ul>
            <li>
              <a href={to(listed, "")} aria-current={chosen === "" ? "true" : undefined}>
                All
                <small>{wholeNumber(projects.reduce((all, one) => all + one.sessions, 0))}</small>
              </a>
            </li>
            {projects
              .filter(({ id }, at) => at < mostNamed || id === chosen)
              .map(({ id, name, sessions }) => (
                <li key={id}>
                  <a
                    href={to(listed, id)}
                    title={id}
                    aria-current={chosen === id ? "true" : undefined}
                  >
                    <Said inline text={name.replaceAll("/", "/\u200b")} />
                    <span class="unseen">, {wholeNumber(sessions)} sessions</span>
                    <Spark of={activity.get(id)} />
                  </a>
                </li>
              ))}
          </ul>
          {projects.length > mostNamed && (
            <p class="hint">
              <a href="/settings/projects">All {projects.length} projects</a>
            </p>
          )}
        </section>
      )}
    </nav>
  );
}

/** A line of sessions a week. */
function Spark({ of }: { of: number[] | undefined }) {
  const most = Math.max(1, ...(of ?? []));
  const points = (of ?? [0, 0]).map(
    (count, at, { length }) => `${(at * 56) / (length - 1)},${14 - (count * 12) / most}`,
  );
  return (
    <svg class="drawn" width="56" height="16" aria-hidden="true">
      <polyline points={points.join(" ")} />
    </svg>
  );
}

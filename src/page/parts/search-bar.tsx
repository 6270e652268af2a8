// One search on top of everything: what is typed goes into the address, and the answers below.
import { go } from "../address.ts";
import { projectOf } from "../projects.ts";

/** The bar; the words of the address are in it. */
export function SearchBar({ address }: { address: URL }) {
  const isSearch = address.pathname === "/search";
  const query = isSearch ? (address.searchParams.get("q") ?? "") : "";
  function put(words: string): void {
    const project = projectOf(address);
    const next = new URLSearchParams(
      isSearch ? address.searchParams : project === "" ? {} : { project },
    );
    if (words === "") next.delete("q");
    else next.set("q", words);
    // The first letter is a step back, each further one is none.
    go(`/search${next.size > 0 ? `?${next}` : ""}`, { replace: isSearch });
  }
  return (
    <search class="bar">
      <input
        id="query"
        type="search"
        dir="auto"
        autocomplete="off"
        spellcheck={false}
        aria-label="Search your memory"
        placeholder="Ask or search everything your agents did"
        value={query}
        onInput={(event) => put(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === "ArrowDown") {
            event.preventDefault();
            document.querySelector<HTMLElement>("main a.hit")?.focus();
          }
          if (event.key === "Enter" && !isSearch) go("/search");
        }}
      />
      <kbd>Ctrl K</kbd>
    </search>
  );
}

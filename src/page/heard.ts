// Something that is otherwise now, and every part of the page that shows it.
import { useEffect, useState } from "preact/hooks";

/** `tell` has all drawn anew that use it. */
export function createNews(): { tell(): void; useNews(): void } {
  const heard = new Set<() => void>();
  return {
    tell() {
      for (const hear of heard) hear();
    },
    useNews() {
      const [, draw] = useState(0);
      useEffect(() => {
        const hear = () => draw((n) => n + 1);
        heard.add(hear);
        return () => void heard.delete(hear);
      }, []);
    },
  };
}

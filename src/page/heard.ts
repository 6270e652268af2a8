// Something that is otherwise now, and every part of the page that shows it.
import { useEffect, useState } from "preact/hooks";

/** `tell` has all drawn anew that use it. */
export function createNews(): { tell(): void; useNews(): void } {
  const heard = new Set<() => void>();
  let times = 0;
  return {
    tell() {
      times++;
      for (const hear of heard) hear();
    },
    useNews() {
      const [, draw] = useState(0);
      const drawn = times;
      useEffect(() => {
        const hear = () => draw((n) => n + 1);
        heard.add(hear);
        // A quick server answers between the first drawing and this.
        if (times !== drawn) hear();
        return () => void heard.delete(hear);
      }, []);
    },
  };
}

// Part of a long view: drawn while it is near what one looks at, and as high as it was while it is not.
import type { ComponentChildren } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** So far below and above the window things are drawn. */
const margin = "1500px 0px";

const told = new WeakMap<Element, (isNear: boolean) => void>();
let watch: IntersectionObserver | undefined;

function observe(element: Element, hear: (isNear: boolean) => void): () => void {
  watch ??= new IntersectionObserver(
    (entries) => {
      for (const { target, isIntersecting } of entries) told.get(target)?.(isIntersecting);
    },
    { rootMargin: margin },
  );
  told.set(element, hear);
  watch.observe(element);
  return () => {
    watch?.unobserve(element);
    told.delete(element);
  };
}

interface NearProps {
  /** In px, until it was drawn. */
  height: number;
  /** Drawn at once, before it is known where it stands. */
  isFirst: boolean;
  /** How high it came to be. */
  measured?(height: number): void;
  children: () => ComponentChildren;
}

/** The part. */
export function Near({ height, isFirst, measured, children }: NearProps) {
  const place = useRef<HTMLDivElement>(null);
  const [isNear, setNear] = useState(isFirst);
  const known = useRef(height);
  useLayoutEffect(() => (place.current ? observe(place.current, setNear) : undefined), []);
  useLayoutEffect(() => {
    const element = place.current;
    if (!element || !isNear) return;
    const sizes = new ResizeObserver(() => {
      const now = element.firstElementChild?.getBoundingClientRect().height ?? 0;
      if (now === 0 || now === known.current) return;
      known.current = now;
      measured?.(now);
    });
    if (element.firstElementChild) sizes.observe(element.firstElementChild);
    return () => sizes.disconnect();
  }, [isNear]);
  return (
    <div ref={place} class="near" style={isNear ? {} : { height: `${known.current}px` }}>
      {isNear && <div class="near-part">{children()}</div>}
    </div>
  );
}

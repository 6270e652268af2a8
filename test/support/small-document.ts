// As much of a browser's document as the page's parts are drawn into: elements, texts, and what says that an element is near.
import { type ComponentChild, render } from "preact";

/** A node of the document; a text where it has no name. */
class SmallNode {
  readonly childNodes: SmallNode[] = [];
  parentNode: SmallNode | null = null;
  readonly attributes = new Map<string, string>();
  readonly style: Record<string, string> = {};
  data = "";
  readonly localName: string;
  constructor(name: string) {
    this.localName = name;
  }

  get nodeType() {
    return this.localName === "" ? 3 : 1;
  }
  get firstChild(): SmallNode | null {
    return this.childNodes[0] ?? null;
  }
  get firstElementChild(): SmallNode | null {
    return this.childNodes.find(({ localName }) => localName !== "") ?? null;
  }
  get nextSibling(): SmallNode | null {
    const all = this.parentNode?.childNodes ?? [];
    return all[all.indexOf(this) + 1] ?? null;
  }
  insertBefore(node: SmallNode, before: SmallNode | null) {
    node.remove();
    const at = before === null ? this.childNodes.length : this.childNodes.indexOf(before);
    this.childNodes.splice(at, 0, node);
    node.parentNode = this;
    return node;
  }
  appendChild(node: SmallNode) {
    return this.insertBefore(node, null);
  }
  removeChild(node: SmallNode) {
    this.childNodes.splice(this.childNodes.indexOf(node), 1);
    node.parentNode = null;
    return node;
  }
  remove() {
    this.parentNode?.removeChild(this);
  }
  contains(node: SmallNode | null): boolean {
    return node !== null && (node === this || this.contains(node.parentNode));
  }
  setAttribute(name: string, value: unknown) {
    this.attributes.set(name, String(value));
  }
  removeAttribute(name: string) {
    this.attributes.delete(name);
  }
  addEventListener() {}
  removeEventListener() {}
  getBoundingClientRect() {
    return { height: 100 };
  }
  get textContent(): string {
    return this.data + this.childNodes.map((child) => child.textContent).join("");
  }
  /** All elements below it of this name, in order. */
  all(name: string): SmallNode[] {
    const below = this.childNodes.flatMap((child) => child.all(name));
    return this.localName === name ? [this, ...below] : below;
  }
}

interface Entry {
  target: SmallNode;
  isIntersecting: boolean;
}

/** Draws `what`; `near` says to everything that waits for it that it is in view. `end` gives the globals back. */
export function drawn(what: ComponentChild) {
  const watched = new Map<SmallNode, (entries: Entry[]) => void>();
  const text = (data: unknown) => Object.assign(new SmallNode(""), { data: String(data) });
  const globals: Record<string, unknown> = {
    document: {
      createElement: (name: string) => new SmallNode(name),
      createElementNS: (_: string, name: string) => new SmallNode(name),
      createTextNode: text,
    },
    history: { state: null, replaceState: () => undefined },
    IntersectionObserver: class {
      readonly hear: (entries: Entry[]) => void;
      constructor(hear: (entries: Entry[]) => void) {
        this.hear = hear;
      }
      observe(node: SmallNode) {
        watched.set(node, this.hear);
      }
      unobserve(node: SmallNode) {
        watched.delete(node);
      }
    },
    ResizeObserver: class {
      observe() {}
      disconnect() {}
    },
  };
  const before = Object.keys(globals).map((name) => [name, Reflect.get(globalThis, name)] as const);
  Object.assign(globalThis, globals);
  const root = new SmallNode("main");
  render(what, root as never);
  return {
    root,
    near() {
      for (const [target, hear] of watched) hear([{ target, isIntersecting: true }]);
    },
    end() {
      render(null, root as never);
      for (const [name, value] of before) Object.assign(globalThis, { [name]: value });
    },
  };
}

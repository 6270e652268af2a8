// A fence around foreign text that nobody who wrote the text could have known.

/** A word made for one request, and how to put text between its tags. */
export interface Fence {
  /** `data-1f9c20b7`. */
  name: string;
  /** The lines between an opening and a closing tag of that name. The text must be escaped already. */
  around(text: string): string;
}

/** `random` gives 32 bits. The word is drawn again while any of `texts` holds it. */
export function createFence(random: () => number, texts: readonly string[]): Fence {
  for (;;) {
    const name = `data-${(random() >>> 0).toString(16).padStart(8, "0")}`;
    if (texts.some((text) => text.includes(name))) continue;
    return { name, around: (text) => `<${name}>\n${text}\n</${name}>` };
  }
}

// A file that the browser keeps, made by the page itself.

/** Hands the browser a file of the person's own to save. */
export function save(name: string, content: Blob): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(content);
  link.download = name;
  link.click();
  // Not at once: a browser may ask for it a moment later.
  setTimeout(() => URL.revokeObjectURL(link.href), 60_000);
}

// NOTICE: the words of every license that goes along with the binary; `memoir version --licenses` prints it.

import type { BundledPackage } from "./packages.ts";

/** The text for a binary that holds these packages and this Bun; `own` is memoir's license. */
export function notice(
  packages: readonly BundledPackage[],
  { own, bun }: { own: string; bun: string },
): string {
  const sections = [
    section("memoir (MIT)", own.trim()),
    section(`Bun ${bun} (MIT)`, bunWords(bun)),
    ...packages.map((one) => section(titleOf(one), wordsOf(one))),
  ];
  const opening = `memoir contains Bun and ${packages.length} npm packages. These are their licenses.`;
  return `${[opening, ...sections].join("\n\n")}\n`;
}

function section(title: string, words: string): string {
  return `${"=".repeat(80)}\n${title}\n${"=".repeat(80)}\n\n${words}`;
}

function titleOf({ name, version, license }: BundledPackage): string {
  return `${name} ${version} (${license})`;
}

function wordsOf({ name, text, license, author, homepage }: BundledPackage): string {
  if (text !== undefined) return text;
  const words = licenses[license];
  if (words === undefined)
    throw new Error(`${name} has no license text, nor is there one for ${license}`);
  return words(author ?? `the authors of ${name}${homepage ? `, ${homepage}` : ""}`);
}

/** The npm package of Bun has no license file, so its facts are here. */
function bunWords(version: string): string {
  return `${mit("Oven")}

Bun contains other software under licenses of its own, listed in
https://github.com/oven-sh/bun/blob/bun-v${version}/LICENSE.md. JavaScriptCore and WebKit files among them are under
the LGPL 2, TinyCC is under the LGPL 2.1. Their source, as Bun uses it, is at https://github.com/oven-sh/WebKit and
https://github.com/oven-sh/tinycc. memoir is not linked with Bun: \`BUN_BE_BUN=1\` makes the binary run as Bun, and
memoir's source builds with any other Bun of the same version, one that you changed and linked again among them.`;
}

/** For packages that name a license and have no file for its text. */
const licenses: Readonly<Record<string, (holder: string) => string>> = {
  MIT: mit,
  Unlicense: unlicense,
};

function mit(holder: string): string {
  return `MIT License

Copyright (c) ${holder}

Permission is hereby granted, free of charge, to any person obtaining a copy
of this software and associated documentation files (the "Software"), to deal
in the Software without restriction, including without limitation the rights
to use, copy, modify, merge, publish, distribute, sublicense, and/or sell
copies of the Software, and to permit persons to whom the Software is
furnished to do so, subject to the following conditions:

The above copyright notice and this permission notice shall be included in all
copies or substantial portions of the Software.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS OR COPYRIGHT HOLDERS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER
LIABILITY, WHETHER IN AN ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM,
OUT OF OR IN CONNECTION WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE
SOFTWARE.`;
}

/** In the public domain: nobody holds it. */
function unlicense(): string {
  return `This is free and unencumbered software released into the public domain.

Anyone is free to copy, modify, publish, use, compile, sell, or distribute this
software, either in source code form or as a compiled binary, for any purpose,
commercial or non-commercial, and by any means.

In jurisdictions that recognize copyright laws, the author or authors of this
software dedicate any and all copyright interest in the software to the public
domain. We make this dedication for the benefit of the public at large and to
the detriment of our heirs and successors. We intend this dedication to be an
overt act of relinquishment in perpetuity of all present and future rights to
this software under copyright law.

THE SOFTWARE IS PROVIDED "AS IS", WITHOUT WARRANTY OF ANY KIND, EXPRESS OR
IMPLIED, INCLUDING BUT NOT LIMITED TO THE WARRANTIES OF MERCHANTABILITY,
FITNESS FOR A PARTICULAR PURPOSE AND NONINFRINGEMENT. IN NO EVENT SHALL THE
AUTHORS BE LIABLE FOR ANY CLAIM, DAMAGES OR OTHER LIABILITY, WHETHER IN AN
ACTION OF CONTRACT, TORT OR OTHERWISE, ARISING FROM, OUT OF OR IN CONNECTION
WITH THE SOFTWARE OR THE USE OR OTHER DEALINGS IN THE SOFTWARE.

For more information, please refer to <https://unlicense.org>`;
}

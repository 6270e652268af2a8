// The third corpus: written by somebody who had seen neither the rules nor the two corpora before it.
import type { Faked } from "./fake.ts";
import { filled, type Row } from "./third-fill.ts";
import { gitleaksFormats, otherFormats, trufflehogFormats } from "./third-formats.ts";
import { codeForms, loggedForms, signedForms } from "./third-hard.ts";
import {
  codeAboutSecrets,
  hashesAndIds,
  placeholders,
  proseAndFiles,
  publicThings,
} from "./third-look-alikes.ts";
import { commandPlaces, infrastructurePlaces, settingsPlaces } from "./third-places.ts";
import { encodedForms, privateForms, wrappedKeys } from "./third-wrapped.ts";

const families: Readonly<Record<string, readonly Row[]>> = {
  "third corpus: formats of gitleaks": gitleaksFormats,
  "third corpus: formats of trufflehog": trufflehogFormats,
  "third corpus: formats of other sets": otherFormats,
  "third corpus: values with signs": signedForms,
  "third corpus: code": codeForms,
  "third corpus: logs": loggedForms,
  "third corpus: wrapped keys": wrappedKeys,
  "third corpus: encodings": encodedForms,
  "third corpus: private passages": privateForms,
  "third corpus: settings": settingsPlaces,
  "third corpus: commands": commandPlaces,
  "third corpus: infrastructure": infrastructurePlaces,
  "third corpus: hashes and ids": hashesAndIds,
  "third corpus: placeholders": placeholders,
  "third corpus: public things": publicThings,
  "third corpus: code about secrets": codeAboutSecrets,
  "third corpus: prose and lock files": proseAndFiles,
};

/** Family, name and text of each case. */
export function thirdCases(): Array<readonly [family: string, name: string, faked: Faked]> {
  return Object.entries(families).flatMap(([family, rows]) =>
    rows.map(([name, template]) => [family, name, filled(template, `${family}/${name}`)] as const),
  );
}

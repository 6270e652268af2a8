// What a person chooses before the first release, each in this one place.

/** The npm package that brings memoir, `@scope/name` or `name`; one more for each system is named after it. */
export const npmName = "memoir";

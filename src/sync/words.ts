// What is said of sharing in more than one place: by a command, by a route and on the page.

/** What every invitation begins with. */
export const invitationStart = "memoir-invitation-";

/** Of an invitation that is a key. */
export const keySays = "For containers and CI: any number of homes, until you remove it";

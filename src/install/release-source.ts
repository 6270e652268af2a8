// Who publishes memoir: the addresses and keys that a person sets before the first release. Empty, memoir says so.

/**
 * The folder of the latest release, https, without an ending slash. An older release is in `v<version>` below it, or where
 * it ends in `/latest/download`, as GitHub's does, in `/download/v<version>`.
 */
export const releaseAddress: string = "";

/** Why nothing can be published at an address; undefined where nothing is wrong, or none is set yet. */
export function addressProblem(address: string): string | undefined {
  return address === "" || /^https:\/\/[^/].*[^/]$/.test(address)
    ? undefined
    : `The address ${address} has to begin with https:// and to end without a slash.`;
}

/** The folder of one version's release, from that of the latest. */
export function ofVersion(address: string, version: string): string {
  const latest = /\/latest\/download$/;
  return latest.test(address)
    ? address.replace(latest, `/download/v${version}`)
    : `${address}/v${version}`;
}

/**
 * Minisign public keys, each the 56 characters of its second line. Any of them may sign a release: the first is in use, the
 * second a spare whose secret half is kept offline for the day the first is lost.
 */
export const releaseKeys: readonly string[] = [];

/** Where a security problem is reported: a mail address or an https address. `.github/SECURITY.md` names the same. */
export const reportAddress: string = "";

/**
 * The npm package that brings memoir, `name` or `@scope/name`; one more for each system is named after it. Only a name that is
 * yours may stand here: the Claude Code plugin has npm run it.
 */
export const npmName: string = "";

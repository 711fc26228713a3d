/** The one way to read and compare releases, all of which have major version 1. */

/** `1.34`: 34. */
export const minorOf = (release: string): number => Number(release.split('.')[1])

/** The release whose tables the engine contains. Earlier releases use them too. */
export const BASE_RELEASE = '1.31'

/** All applications of an origin share Cache Storage. */

const OWN = 'kubetab-'

/** The build follows. */
export const PAGE_CACHES = `${OWN}page-`

export const isOwnCache = (name: string): boolean => name.startsWith(OWN)

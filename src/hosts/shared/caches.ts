/** Names of what the worker keeps in Cache Storage, which all applications of an origin share. */

const OWN = 'kubetab-'

/** Behind it stands the build whose files are in the cache. */
export const PAGE_CACHES = `${OWN}page-`

/** Whatever any version of this page has kept. */
export const isOwnCache = (name: string): boolean => name.startsWith(OWN)

/** Names of the worker's caches. All applications of an origin share Cache Storage. */

const OWN = 'kubetab-'

/** Prefix of the cache names; the build of the files follows. */
export const PAGE_CACHES = `${OWN}page-`

export const isOwnCache = (name: string): boolean => name.startsWith(OWN)

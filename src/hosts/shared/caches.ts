/** Names of what the worker keeps in Cache Storage, which all applications of an origin share. */

/** Behind it stands the build whose files are in the cache. */
export const PAGE_CACHES = 'kubetab-page-'

/** Engines, for a worker that wakes up without a network. */
export const ENGINE_CACHE = 'kubetab-engine'

export const isOwnCache = (name: string): boolean => name === ENGINE_CACHE || name.startsWith(PAGE_CACHES)

/**
 * Caches the page's files for offline use when idle. Hashed files come from the cache, the document
 * from the network if possible.
 */
import { isOwnCache, PAGE_CACHES } from '../shared/caches'
import { PAGE_FILE } from './page-file'
import type { FetchLike, WorkerScope } from './scope'

interface PageList {
  build: string
  /** Relative to the page's path. */
  files: string[]
}

const DOCUMENT = 'index.html'
/** Hashed files never change. */
const HASHED = /^assets\//
/** Then the cached document is used. */
const NETWORK_TIMEOUT_MS = 4000
/** Few parallel fetches, so that the page's own are not delayed. */
const AT_ONCE = 3

const worker = globalThis as unknown as WorkerScope
const addressOf = (name: string): string => new URL(name, location.href).href

/** @returns undefined if the browser should handle the request */
export function pageResponse(event: FetchLike, base: string): Promise<Response> | undefined {
  const { request } = event
  const { pathname } = new URL(request.url)
  if (PAGE_FILE === '' || request.method !== 'GET' || !pathname.startsWith(base)) return undefined
  const name = pathname.slice(base.length)
  if (HASHED.test(name)) return cachedFile(name).then((kept) => kept ?? fetch(request))
  if (request.mode === 'navigate' && (name === '' || name === DOCUMENT)) return documentFor(event)
  if (request.mode !== 'navigate' && isPlain(name))
    return fetch(request).catch((error) => cachedOr(cachedFile(name), error))
  return undefined
}

const isPlain = (name: string): boolean => /^[\w-]+\.(?:webmanifest|svg|png|json)$/.test(name)

async function documentFor(event: FetchLike): Promise<Response> {
  const fetched = event.preloadResponse.then((preloaded) => preloaded ?? fetch(event.request))
  const timer = new Promise<undefined>((resolve) => setTimeout(resolve, NETWORK_TIMEOUT_MS))
  const first = await Promise.race([fetched, timer]).catch(() => undefined)
  return first ?? cachedOr(cachedFile(DOCUMENT), undefined).catch(() => fetched)
}

async function cachedOr(kept: Promise<Response | undefined>, error: unknown): Promise<Response> {
  const response = await kept
  if (response === undefined) throw error
  return response
}

/** Prefers the current build; pages of older ones may be open. */
async function cachedFile(name: string): Promise<Response | undefined> {
  const own = await caches.match(addressOf(name), { cacheName: cacheOf(buildOfWorker()) })
  return own ?? caches.match(addressOf(name))
}

/** Fetches a file for the engine, from the cache when offline. */
export async function fetchPlain(name: string): Promise<Response> {
  return fetch(addressOf(name)).catch((error: unknown) => cachedOr(cachedFile(name), error))
}

const cacheOf = (build: string): string => PAGE_CACHES + build
const buildOfWorker = (): string => /^[^-]*-([\w-]+)\.json$/.exec(PAGE_FILE)?.[1] ?? ''

/**
 * Caches this build. Deletes other caches if no other page is open.
 * @param build of the requesting page
 * @throws Error if files are missing or of another build, as during a deployment
 */
export async function cachePageFiles(build: string): Promise<void> {
  if (PAGE_FILE === '' || build !== buildOfWorker()) return
  const kept = await caches.open(cacheOf(build))
  if ((await kept.match(addressOf(PAGE_FILE))) === undefined) await fill(kept)
  const pages = await worker.clients.matchAll({ type: 'window', includeUncontrolled: true })
  if (pages.length <= 1) await deleteOtherCaches(cacheOf(build))
}

async function fill(kept: Cache): Promise<void> {
  const response = await fetchFile(PAGE_FILE)
  const { build, files } = (await response.clone().json()) as PageList
  const left = files.filter((name) => name !== DOCUMENT)
  const take = async (): Promise<void> => {
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      if ((await kept.match(addressOf(name))) === undefined)
        await kept.put(addressOf(name), await fetchFile(name))
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, take))
  const page = await fetchFile(DOCUMENT)
  if (!(await page.clone().text()).includes(build))
    throw new Error('the page is of another build than its files')
  await kept.put(addressOf(DOCUMENT), page)
  // Last: its presence marks the cache as complete.
  await kept.put(addressOf(PAGE_FILE), response)
}

async function fetchFile(name: string): Promise<Response> {
  const response = await fetch(addressOf(name), {
    cache: HASHED.test(name) ? 'default' : 'no-cache',
  })
  if (!response.ok) throw new Error(`${name} could not be read (HTTP ${response.status})`)
  return response
}

async function deleteOtherCaches(own: string): Promise<void> {
  const names = await caches.keys()
  await Promise.all(
    names.filter((name) => isOwnCache(name) && name !== own).map((name) => caches.delete(name)),
  )
}

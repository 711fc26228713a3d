/**
 * The page's own files, kept so that it opens without a network. They are fetched when a page states that it is at rest, never
 * before: no one waits for them. Files whose names carry a hash are answered from what is kept; the document comes from the network
 * as long as there is one, so that a new version is seen.
 */
import { isOwnCache, PAGE_CACHES } from '../shared/caches'
import { PAGE_FILE } from './page-file'
import type { FetchLike, WorkerScope } from './scope'

interface PageList {
  build: string
  /** Names below the page's path. */
  files: string[]
}

const DOCUMENT = 'index.html'
/** What has a hash in its name never changes. */
const HASHED = /^assets\//
/** So long a network may take for the document before what is kept is shown. */
const NETWORK_TIMEOUT_MS = 4000
/** Fetched at once: few, so that the page's own requests are not kept waiting. */
const AT_ONCE = 3

const worker = globalThis as unknown as WorkerScope
const addressOf = (name: string): string => new URL(name, location.href).href

/** @returns the response to a request for one of the page's files; undefined: the browser is to ask the network as ever */
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

/** A file next to the document, rather than another site's or the bridge's. */
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

/** A file of any build: pages of an older one may still be open. The newest build answers first. */
async function cachedFile(name: string): Promise<Response | undefined> {
  const own = await caches.match(addressOf(name), { cacheName: cacheOf(buildOfWorker()) })
  return own ?? caches.match(addressOf(name))
}

/** A description for the engine, with or without a network. */
export async function fetchPlain(name: string): Promise<Response> {
  return fetch(addressOf(name)).catch((error: unknown) => cachedOr(cachedFile(name), error))
}

const cacheOf = (build: string): string => PAGE_CACHES + build
const buildOfWorker = (): string => /-([\w-]+)\.json$/.exec(PAGE_FILE)?.[1] ?? ''

/**
 * Keeps the files of this worker's build. What others left behind goes when no page needs it any more.
 *
 * @param build of the page that asks
 * @throws Error when the files cannot be had as they belong together, as while a new version is being put in place
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
  // Last: its being there states that all the others are.
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

/**
 * The service worker. One MSW handler passes all API requests of the page to the engine.
 * The engine is created on activation or on the first request, not when the script loads. A waiting
 * worker would otherwise load a state that becomes outdated.
 */
import './worker-globals'
import { getResponse } from 'msw'
import { isWorkerMessage } from '../shared/channel'
import { engineTarget } from '../shared/paths'
import { onWipe } from '../shared/wipe'
import { EngineHandler } from './engine-handler'
import { endEngines, startedEngines, theEngine } from './engines'
import { cachePageFiles, pageResponse } from './page-files'
import type { WorkerScope } from './scope'

const worker = globalThis as unknown as WorkerScope
const { registration } = worker

const base = new URL(registration.scope).pathname

/** Ignores errors that the affected requests report themselves, or that the next visit retries. */
const reportedToCaller = (): void => undefined

const handlers = [
  new EngineHandler((request) => {
    const found = engineTarget(new URL(request.url), base)
    return found && theEngine(found.workspace).fetch(request, found.target)
  }),
]

worker.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url)
  if (url.origin !== worker.location.origin) return
  if (engineTarget(url, base) === undefined) {
    const result = pageResponse(event, base)
    if (result) event.respondWith(result)
    return
  }
  serve()
  event.respondWith(
    getResponse(handlers, event.request).then((response) => response ?? fetch(event.request)),
  )
})

worker.addEventListener('install', () => {
  void worker.skipWaiting()
  // Opening IndexedDB takes time, so it starts early.
  beginDatabase().catch(reportedToCaller)
})

/**
 * @throws the browser's error if it cannot list databases or has no storage; opening the database
 *   reports it again
 */
async function beginDatabase(): Promise<void> {
  await indexedDB.databases()
}

worker.addEventListener('activate', (event) => {
  serving = true
  event.waitUntil(worker.clients.claim())
  // Fetches the document while a stopped worker starts.
  registration.navigationPreload?.enable().catch(reportedToCaller)
  // The page sends requests as soon as it is claimed, so the database is opened now.
  void theEngine().wake()
})

/** A worker gets `updatefound` for itself too, and must not drain then. */
let serving = false

/** Marks the worker as active. An update may have been found while it was stopped. */
function serve(): void {
  if (serving) return
  serving = true
  makeRoom(replacement())
}

registration.addEventListener('updatefound', () => {
  if (serving) makeRoom(replacement())
})

/** The newer worker, which may be installed already. */
function replacement(): ServiceWorker | null {
  return registration.installing ?? registration.waiting
}

/**
 * Ends open watches, which would delay the replacement for minutes. They are accepted again if it
 * fails.
 */
function makeRoom(newer: ServiceWorker | null): void {
  if (newer === null) return
  for (const engine of startedEngines()) engine.drain().catch(reportedToCaller)
  newer.addEventListener('statechange', () => {
    if (newer.state !== 'redundant') return
    for (const engine of startedEngines()) engine.resume().catch(reportedToCaller)
  })
}

// A browser may reuse this worker after a wipe while any tab is open. Its engines must not keep the
// wiped state.
onWipe(() => void endEngines())

worker.addEventListener('message', (event) => {
  const message = event.data
  if (!isWorkerMessage(message)) return
  switch (message.kind) {
    case 'claim':
      event.waitUntil(worker.clients.claim())
      break
    case 'stay':
      // The event itself keeps the worker running.
      break
    case 'keep':
      // The next visit retries.
      event.waitUntil(cachePageFiles(message.build).catch(reportedToCaller))
      break
    case 'request': {
      const [port] = event.ports
      if (port)
        event.waitUntil(
          theEngine(message.workspace)
            .respond(message.request)
            .then((result) => port.postMessage(result)),
        )
    }
  }
})

/**
 * The service worker: one MSW handler passes API requests to the engine. It is created on
 * activation or the first request, because a waiting worker would load a state that becomes
 * outdated.
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

/** The affected requests report these errors, or the next visit retries. */
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
  // Opening IndexedDB takes time.
  beginDatabase().catch(reportedToCaller)
})

/** @throws the browser's error if it cannot list databases; opening reports it again */
async function beginDatabase(): Promise<void> {
  await indexedDB.databases()
}

worker.addEventListener('activate', (event) => {
  serving = true
  event.waitUntil(worker.clients.claim())
  // Fetches the document while a stopped worker starts.
  registration.navigationPreload?.enable().catch(reportedToCaller)
  // A claimed page sends requests at once.
  void theEngine().wake()
})

/** A worker gets `updatefound` for itself too, and must not drain then. */
let serving = false

/** An update may have been found while this worker was stopped. */
function serve(): void {
  if (serving) return
  serving = true
  makeRoom(replacement())
}

registration.addEventListener('updatefound', () => {
  if (serving) makeRoom(replacement())
})

/** The newer worker, possibly already installed. */
function replacement(): ServiceWorker | null {
  return registration.installing ?? registration.waiting
}

/** Ends watches, which would delay the replacement for minutes; accepts them again if it fails. */
function makeRoom(newer: ServiceWorker | null): void {
  if (newer === null) return
  for (const engine of startedEngines()) engine.drain().catch(reportedToCaller)
  newer.addEventListener('statechange', () => {
    if (newer.state !== 'redundant') return
    for (const engine of startedEngines()) engine.resume().catch(reportedToCaller)
  })
}

// A browser may reuse this worker after a wipe; its engines must not keep the wiped state.
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

/**
 * The service worker: every request of the page for the API goes through one MSW handler to the engine. The engine is built when
 * the worker is activated or asked, not when the script loads: a worker that waits to take over must not know an older state.
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

/** What fails next to the requests is told to those that meet it, or tried again with the next visit. */
const toldToWhoAsks = (): void => undefined

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
    const answer = pageResponse(event, base)
    if (answer) event.respondWith(answer)
    return
  }
  serve()
  event.respondWith(
    getResponse(handlers, event.request).then((response) => response ?? fetch(event.request)),
  )
})

worker.addEventListener('install', () => {
  void worker.skipWaiting()
  // The browser's side of the database takes its time to begin.
  beginDatabase().catch(toldToWhoAsks)
})

/** @throws what the browser throws that has no such list, or no storage here: opening the database reports it again */
async function beginDatabase(): Promise<void> {
  await indexedDB.databases()
}

worker.addEventListener('activate', (event) => {
  serving = true
  event.waitUntil(worker.clients.claim())
  // The document is on its way while a sleeping worker wakes up to answer for it.
  registration.navigationPreload?.enable().catch(toldToWhoAsks)
  // The page asks as soon as it is claimed: the store is opened meanwhile.
  void theEngine().wake()
})

/** Whether this worker is the active one. It hears of its own coming too, as of any other: that is not for it to make room for. */
let serving = false

/** The first request after a wake-up: the news of a replacement may have come while this worker slept. */
function serve(): void {
  if (serving) return
  serving = true
  makeRoom(registration.installing ?? registration.waiting)
}

registration.addEventListener('updatefound', () => {
  if (serving) makeRoom(registration.installing)
})

/** An open watch would keep the replacement waiting for minutes: they end now, and go on if it never comes. */
function makeRoom(replacement: ServiceWorker | null): void {
  if (replacement === null) return
  for (const engine of startedEngines()) engine.drain().catch(toldToWhoAsks)
  replacement.addEventListener('statechange', () => {
    if (replacement.state !== 'redundant') return
    for (const engine of startedEngines()) engine.resume().catch(toldToWhoAsks)
  })
}

// A browser takes this worker again, unregistered or not, as long as any tab stands where everything was removed: what its engines
// know of the clusters goes with the clusters.
onWipe(() => void endEngines())

worker.addEventListener('message', (event) => {
  const message = event.data
  if (!isWorkerMessage(message)) return
  switch (message.kind) {
    case 'claim':
      event.waitUntil(worker.clients.claim())
      break
    case 'stay':
      // That there was an event is all it takes.
      break
    case 'keep':
      // What cannot be kept now may be with the next visit.
      event.waitUntil(cachePageFiles(message.build).catch(toldToWhoAsks))
      break
    case 'request': {
      const [port] = event.ports
      if (port)
        event.waitUntil(
          theEngine(message.workspace)
            .respond(message.request)
            .then((answer) => port.postMessage(answer)),
        )
    }
  }
})

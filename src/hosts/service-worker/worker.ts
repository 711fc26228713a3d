/**
 * The service worker: every request of the page for the API goes through one MSW handler to the engine. The engine is built on
 * the first such request, not when the script loads: a worker that waits to take over must not know an older state.
 */
import './worker-globals'
import { getResponse, http } from 'msw'
import { BrowserEngine } from '../shared/browser-engine'
import { isWorkerMessage } from '../shared/channel'
import { engineTarget } from '../shared/paths'
import type { WorkerScope } from './scope'

const worker = globalThis as unknown as WorkerScope
const { registration } = worker

const engine = new BrowserEngine()
const base = new URL(registration.scope).pathname

const handlers = [
  http.all('*', ({ request }) => {
    const target = engineTarget(new URL(request.url), base)
    return target === undefined ? undefined : engine.fetch(request, target)
  }),
]

worker.addEventListener('fetch', (event) => {
  const url = new URL(event.request.url)
  if (url.origin !== worker.location.origin || engineTarget(url, base) === undefined) return
  event.respondWith(getResponse(handlers, event.request).then((response) => response ?? fetch(event.request)))
})

worker.addEventListener('install', () => {
  void worker.skipWaiting()
})

worker.addEventListener('activate', (event) => {
  // Until now this was the worker that others made room for.
  event.waitUntil(Promise.all([engine.resume(), worker.clients.claim()]))
})

// An open watch would keep a new worker waiting for minutes: they end as soon as one is found.
if (registration.waiting) void engine.drain()
registration.addEventListener('updatefound', () => {
  const coming = registration.installing
  void engine.drain()
  // It never came: this worker goes on as before.
  coming?.addEventListener('statechange', () => (coming.state === 'redundant' ? void engine.resume() : undefined))
})

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
    case 'request': {
      const [port] = event.ports
      if (port) event.waitUntil(engine.answer(message.request).then((answer) => port.postMessage(answer)))
    }
  }
})

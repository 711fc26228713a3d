/** The engine on the page: `fetch` answers the API's paths itself and leaves all others to the browser. */
import { BrowserEngine } from '../shared/browser-engine'
import { engineTarget } from '../shared/paths'

export function hostOnPage(base: string): BrowserEngine {
  const engine = new BrowserEngine()
  const browserFetch = window.fetch.bind(window)
  window.fetch = (input, init) => {
    const request = new Request(input, init)
    const url = new URL(request.url)
    const target = url.origin === location.origin ? engineTarget(url, base) : undefined
    return target === undefined ? browserFetch(input, init) : abortable(engine.fetch(request, target), request.signal)
  }
  return engine
}

/** An aborted request rejects as the browser's own fetch does. */
function abortable(response: Promise<Response>, signal: AbortSignal): Promise<Response> {
  if (signal.aborted) return Promise.reject(signal.reason)
  return new Promise((resolve, reject) => {
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
    response.then(resolve, reject)
  })
}

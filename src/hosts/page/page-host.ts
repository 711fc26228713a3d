/** Runs the engine behind a patched `fetch`, which passes other requests to the browser. */
import type { Signatures } from '../../engine/core/environment'
import { memoryStores } from '../../persistence/in-memory'
import { BrowserEngine, type BrowserEngineOptions } from '../shared/browser-engine'
import type { CallHandlers } from '../shared/handlers'
import { databaseOf, engineTarget } from '../shared/paths'
import { webSignatures } from '../shared/web-signatures'
import { pageCampaign } from './leadership'

/** Web Cryptography in secure contexts; otherwise loaded with the first token. */
function signatures(): Signatures {
  if ('subtle' in crypto) return webSignatures
  const loaded = () => import('./plain-signatures').then(({ plainSignatures }) => plainSignatures)
  return {
    generateKey: async () => (await loaded()).generateKey(),
    sign: async (key, message) => (await loaded()).sign(key, message),
    verify: async (...args) => (await loaded()).verify(...args),
  }
}

/**
 * @param base path of the page, ending with `/`
 * @param call calls servers written in the page
 * @param kept false: store clusters in memory
 * @returns a workspace's engine, created on the first call
 */
export function hostOnPage(
  base: string,
  call: CallHandlers,
  kept = true,
): (workspace: string) => BrowserEngine {
  const engines = new Map<string, BrowserEngine>()
  const sharing = (databaseName: string): Partial<BrowserEngineOptions> =>
    kept ? { campaign: pageCampaign(databaseName) } : { stores: memoryStores() }
  const engineOf = (workspace: string) => {
    const databaseName = databaseOf(workspace)
    const engine =
      engines.get(workspace) ??
      new BrowserEngine({ databaseName, signatures: signatures(), call, ...sharing(databaseName) })
    engines.set(workspace, engine)
    return engine
  }
  const browserFetch = window.fetch.bind(window)
  window.fetch = (input, init) => {
    // A new Request would consume the given one's body.
    const url = new URL(input instanceof Request ? input.url : String(input), document.baseURI)
    const found = url.origin === location.origin ? engineTarget(url, base) : undefined
    if (found === undefined) return browserFetch(input, init)
    const request = new Request(input, init)
    const signal = init?.signal ?? (input instanceof Request ? input.signal : undefined)
    const response = engineOf(found.workspace).fetch(request, found.target)
    return signal ? abortable(response, signal) : response
  }
  return engineOf
}

/** Aborts requests and streams as the browser's `fetch` does. */
async function abortable(response: Promise<Response>, signal: AbortSignal): Promise<Response> {
  const settled = await Promise.race([response, aborted(signal)])
  if (settled.body === null) return settled
  const { readable, writable } = new TransformStream<
    Uint8Array<ArrayBuffer>,
    Uint8Array<ArrayBuffer>
  >()
  // An abort cancels the stream and fails the reader; no error is left to report.
  settled.body.pipeTo(writable, { signal }).catch(() => undefined)
  return new Response(readable, settled)
}

function aborted(signal: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    if (signal.aborted) reject(signal.reason)
    signal.addEventListener('abort', () => reject(signal.reason), { once: true })
  })
}

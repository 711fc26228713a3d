/** Runs handlers here, each call by itself, as the sandbox of the page would. */
import { runInNewContext } from 'node:vm'
import { workerText } from '../../src/app/features/webhooks/inside'
import type { CallHandlers } from '../../src/hosts/shared/handlers'

/** A worker's scope as far as the text of a handler's worker needs it. */
interface Scope {
  postMessage(message: never): void
  onmessage?: (event: { data: unknown }) => void
}

/** @returns how to call handlers, whose state lasts as long as their code stays the same */
export function runningHandlers(): CallHandlers {
  const scopes = new Map<string, Scope>()
  const listeners = new Map<number, (message: never) => void>()
  let lastId = 0
  const scopeOf = (code: string): Scope => {
    const known = scopes.get(code)
    if (known) return known
    const scope: Scope = {
      postMessage: (message) => listeners.get((message as { id: number }).id)?.(message),
    }
    scopes.set(code, scope)
    runInNewContext(workerText(code), {
      self: scope,
      console: {},
      TextEncoder,
      btoa,
      structuredClone,
    })
    return scope
  }
  return ({ handler: { code }, url, method, headers, body }, report) => {
    const { pathname, searchParams } = new URL(url)
    const id = ++lastId
    listeners.set(id, report)
    const request = {
      method,
      path: pathname,
      query: Object.fromEntries(searchParams),
      headers,
      body,
    }
    scopeOf(code).onmessage?.({ data: { id, request } })
    return () => void listeners.delete(id)
  }
}

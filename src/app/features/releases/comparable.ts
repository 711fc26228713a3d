import type { LoggedRequest } from '../../state/logged-request'

/** A stream has no end to compare. */
export const isStreaming = (path: string): boolean =>
  /[?&](?:watch|follow)=(?:1|true)(?:&|$)/.test(path)

const MOST_LOGGED = 20

/** @returns recent finished requests of users and scripts, newest first, each once */
export function comparableRequests(log: readonly LoggedRequest[]): LoggedRequest[] {
  const found = new Map<string, LoggedRequest>()
  for (const request of [...log].reverse()) {
    const { origin, status, method, path } = request
    if (origin === 'page' || status === undefined || isStreaming(path)) continue
    const key = `${method} ${path}`
    if (!found.has(key) && found.size < MOST_LOGGED) found.set(key, request)
  }
  return [...found.values()]
}

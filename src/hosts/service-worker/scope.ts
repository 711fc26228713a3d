/** The worker's global scope; TypeScript's worker types conflict with those of the page. */
interface Extendable extends Event {
  waitUntil(work: Promise<unknown>): void
}

export interface FetchLike extends Extendable {
  readonly request: Request
  /** The preloaded response of a navigation; undefined if there is none. */
  readonly preloadResponse: Promise<Response | undefined>
  respondWith(response: Promise<Response>): void
}

export interface MessageLike extends Extendable {
  readonly data: unknown
  readonly ports: readonly MessagePort[]
}

export interface PageClient {
  readonly visibilityState: DocumentVisibilityState
  postMessage(message: unknown, transfer: Transferable[]): void
}

export interface WorkerScope {
  readonly location: Location
  readonly registration: ServiceWorkerRegistration
  readonly clients: {
    claim(): Promise<void>
    matchAll(options: {
      type: 'window'
      includeUncontrolled?: boolean
    }): Promise<readonly PageClient[]>
  }
  skipWaiting(): Promise<void>
  addEventListener(type: 'install' | 'activate', listener: (event: Extendable) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchLike) => void): void
  addEventListener(type: 'message', listener: (event: MessageLike) => void): void
}

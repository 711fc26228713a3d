/** What this worker uses of its global scope. (TypeScript's own worker types cannot stand next to those of the page.) */
interface Extendable extends Event {
  waitUntil(work: Promise<unknown>): void
}

export interface FetchLike extends Extendable {
  readonly request: Request
  /** The response to a navigation that the browser requested while the worker started; undefined if it did not. */
  readonly preloadResponse: Promise<Response | undefined>
  respondWith(response: Promise<Response>): void
}

export interface MessageLike extends Extendable {
  readonly data: unknown
  readonly ports: readonly MessagePort[]
}

/** A page that this worker controls. */
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

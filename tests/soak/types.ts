/** What passes between the tabs of the soak test and the program that drives it. */

export interface WriteOrder {
  method: 'POST' | 'PATCH' | 'DELETE'
  /** Below the page's base path: `api/v1/namespaces`. */
  path: string
  body?: unknown
  contentType?: string
  /** The server does a request of the same identity once. */
  identity: string
}

export interface WriteResponse {
  /** 0: never answered. */
  status: number
  /** Of the object that was written; NaN where the response has none. */
  revision: number
  message: string
  tries: number
  milliseconds: number
}

/** One request of a watch. */
export interface Connection {
  number: number
  /** The revision that it was asked to go on from. */
  from: number
  /** `REVISION TYPE NAMESPACE/NAME`, as they came. */
  events: string[]
  /** The newest revision that a bookmark told. */
  bookmark: number
  open: boolean
  /** What the server said when it rejected or gave up. */
  problems: string[]
}

/** What a watcher has seen since it was asked the last time. */
export interface Watched {
  id: string
  /** `api/v1/pods` */
  path: string
  connections: Connection[]
  /** What it listed at its beginning, by `NAMESPACE/NAME`; told once. */
  start: Listed | undefined
}

export interface Listed {
  kind: string
  revision: number
  /** The version of each, by `NAMESPACE/NAME`. */
  objects: Record<string, number>
}

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
  /** 0 without a response. */
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
  /** The revision from which it was resumed. */
  from: number
  /** `REVISION TYPE NAMESPACE/NAME`, as they came. */
  events: string[]
  /** The newest revision of a bookmark. */
  bookmark: number
  open: boolean
  /** The message of the server for a rejection or a failure. */
  problems: string[]
}

/** The events of a watcher since the previous query. */
export interface Watched {
  id: string
  /** `api/v1/pods` */
  path: string
  connections: Connection[]
  /** The initial list, by `NAMESPACE/NAME`; reported once. */
  start: Listed | undefined
}

export interface Listed {
  kind: string
  revision: number
  /** The version of each, by `NAMESPACE/NAME`. */
  objects: Record<string, number>
}

/** What the console is given from outside: a server to ask, a place to write to, a clock, files. It knows no page and no Node. */

/** Sends a request to the API server. `path` begins with `/` and has the query. Only a lost connection (or the signal) rejects. */
export type Transport = (path: string, request: TransportRequest) => Promise<Response>

export interface TransportRequest {
  method: string
  headers: Record<string, string>
  body?: string
  signal?: AbortSignal
  /** As whom, if not as the current context. */
  context?: string
}

export interface ConsoleClock {
  /** Milliseconds since 1970. */
  now(): number
  /** Resolves after the time, or as soon as the signal aborts. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>
}

/** Where a command line comes from and goes to. */
export interface Host {
  /** Signs in a line of the terminal; undefined if nobody looks at one. */
  readonly columns: number | undefined
  write(text: string): void
  writeError(text: string): void
  /** Text of a file by the name that `-f` gives: in the page, of an open manifest. */
  readFile(name: string): string | undefined
  /** Names for `-f`, for completion. */
  fileNames(): string[]
  /**
   * Opens a text in an editor.
   * @returns what it has become when the person is done with it; undefined where the editor is a place to go on from (the page's)
   */
  openEditor(title: string, text: string): Promise<string | undefined>
  /** Clears the screen. */
  clear?(): void
}

/** As whom, and where, commands act: what a kubeconfig has. In the page a context is an actor. */
export interface Contexts {
  /** `https://127.0.0.1:6443` */
  readonly server: string
  readonly cluster: string
  list(): ConsoleContext[]
  current(): string
  /** Only of those in the list. */
  use(name: string): void
  setNamespace(context: string, namespace: string): void
}

export interface ConsoleContext {
  name: string
  user: string
  namespace?: string
}

/** The console's environment: a server, output, a clock, files. It depends neither on the page nor on Node. */

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
  /** The width of the terminal in characters; undefined without a terminal. */
  readonly columns: number | undefined
  write(text: string): void
  writeError(text: string): void
  /** Text of a file by the name that `-f` gives: in the page, of an open manifest. */
  readFile(name: string): string | undefined
  /** Names for `-f`, for completion. */
  fileNames(): string[]
  /**
   * Opens a text in an editor, and waits until the person is done with it.
   * @param title name of the file that it looks like
   * @param signal gives it up: what was typed so far stays with the person
   * @returns what it has become; as it was if they gave it up
   * @throws Error when the signal aborts
   */
  openEditor(title: string, text: string, signal: AbortSignal): Promise<string>
  /** Keeps a text for the person. @returns the name by which `-f` finds it */
  keepFile(title: string, text: string): string
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

/** @param path begins with `/`, with the query @throws only for a lost connection or an abort */
export type Transport = (path: string, request: TransportRequest) => Promise<Response>

export interface TransportRequest {
  method: string
  headers: Record<string, string>
  body?: string
  signal?: AbortSignal
  /** Overrides the user of the current context. */
  context?: string
}

export interface ConsoleClock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves after the time, or when the signal aborts. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>
}

export interface Host {
  /** In characters; undefined without a terminal. */
  readonly columns: number | undefined
  write(text: string): void
  writeError(text: string): void
  /** A file for `-f`: in the page, an open manifest. */
  readFile(name: string): string | undefined
  /** For completion of `-f`. */
  fileNames(): string[]
  /**
   * Resolves when the user saves or closes the text.
   * @param title file name for language and tab
   * @param signal cancels the wait; the text stays open as a file
   * @returns the text; unchanged if closed
   * @throws Error when the signal aborts
   */
  openEditor(title: string, text: string, signal: AbortSignal): Promise<string>
  /** @returns its name for `-f` */
  keepFile(title: string, text: string): string
  clear?(): void
}

/** As in a kubeconfig. In the page a context is an actor. */
export interface Contexts {
  /** `https://127.0.0.1:6443` */
  readonly server: string
  readonly cluster: string
  list(): ConsoleContext[]
  current(): string
  use(name: string): void
  setNamespace(context: string, namespace: string): void
}

export interface ConsoleContext {
  name: string
  user: string
  namespace?: string
}

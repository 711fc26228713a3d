/**
 * The console's environment: a server, output, a clock, files. It depends neither on the page nor
 * on Node.js.
 */

/**
 * @param path begins with `/`, with the query @throws an error only for a lost connection or an
 *   abort
 */
export type Transport = (path: string, request: TransportRequest) => Promise<Response>

export interface TransportRequest {
  method: string
  headers: Record<string, string>
  body?: string
  signal?: AbortSignal
  /** The user, if not that of the current context. */
  context?: string
}

export interface ConsoleClock {
  /** Milliseconds since the epoch. */
  now(): number
  /** Resolves after the time, or as soon as the signal aborts. */
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>
}

/** Input and output of a command line. */
export interface Host {
  /** In characters; undefined without a terminal. */
  readonly columns: number | undefined
  write(text: string): void
  writeError(text: string): void
  /** The text of a file by its name for `-f`: in the page, an open manifest. */
  readFile(name: string): string | undefined
  /** For completion of `-f`. */
  fileNames(): string[]
  /**
   * Opens a text in an editor, and waits until the user saves or closes it.
   * @param title file name for the language and the tab
   * @param signal cancels the wait; the text stays open as a file
   * @returns the text; unchanged if the user closes it
   * @throws Error when the signal aborts
   */
  openEditor(title: string, text: string, signal: AbortSignal): Promise<string>
  /** Stores a text as a file. @returns its name for `-f` */
  keepFile(title: string, text: string): string
  clear?(): void
}

/** Users and namespaces of commands, as in a kubeconfig. In the page a context is an actor. */
export interface Contexts {
  /** `https://127.0.0.1:6443` */
  readonly server: string
  readonly cluster: string
  list(): ConsoleContext[]
  current(): string
  /** Selects one of the contexts. */
  use(name: string): void
  setNamespace(context: string, namespace: string): void
}

export interface ConsoleContext {
  name: string
  user: string
  namespace?: string
}

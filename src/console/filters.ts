/** What output can be piped to: small relatives of the tools of a shell, with the flags that people use. */
import type { Host } from './environment'

export interface FilterStreams {
  /** What the pipe sends; undefined if nothing is piped in. */
  input: AsyncIterable<string> | undefined
  out(text: string): void
  err(text: string): void
  signal: AbortSignal
  host: Host
}

export interface Filter {
  name: string
  /** One sentence. */
  summary: string
  /** @returns the exit code. @throws Error whose message follows the filter's name */
  run(words: readonly string[], streams: FilterStreams): Promise<number>
}

export const FILTERS: readonly Filter[] = []

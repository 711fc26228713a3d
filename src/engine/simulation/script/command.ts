/** The commands of simulated scripts, and what they see of the script. */
import type { FileSystem } from './files'

export interface Outcome {
  output?: string
  error?: string
  code?: number
}

/** The state of a script that its commands read and change. */
export interface ScriptState {
  readonly files: FileSystem
  readonly variables: ReadonlyMap<string, string>
  readonly exported: ReadonlySet<string>
  readonly around: { readonly hostname: string; readonly date?: string }
  /** Advances the simulated time. */
  sleep(seconds: number): void
  /** Blocks until the container is stopped. */
  wait(): never
  write(path: string, content: string, append: boolean): void
  /** Records the files at the current time, after a change. */
  changed(): void
}

export type Builtin = (args: readonly string[], run: ScriptState) => Outcome

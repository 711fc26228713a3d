/** The commands of simulated scripts, and what they see of the script. */
import type { Client } from '../network/client'
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
  readonly around: {
    readonly hostname: string
    /** Milliseconds since the epoch at the start; undefined if it is unknown. */
    readonly now?: number
    /** The network, as the program reaches it; undefined if it is not simulated here. */
    network?(): Client | undefined
  }
  /** Seconds since the start. */
  readonly time: number
  /** The rest of the standard input; undefined if no pipe or file provides it. */
  readInput(): string | undefined
  /** Counts work. @throws if the script takes too many steps */
  step(count?: number): void
  sleep(seconds: number): void
  /** Uses memory until the end of the program. @throws OutOfMemory beyond its limit */
  allocate(bytes: number): void
  /** Blocks until the container is stopped. */
  wait(): never
  write(path: string, content: string, append: boolean): void
  /** Prints at the current time; an outcome is printed at the end of the command. */
  print(text: string, isError: boolean): void
  /** Records the files at the current time, after a change. */
  changed(): void
  /** Runs another command with standard input of its own. */
  run(argv: readonly string[], input?: string): Outcome
}

export type Builtin = (args: readonly string[], run: ScriptState) => Outcome

/** The surroundings of an interpreted program, and what it does there. */
import type { Client } from '../network/client'
import type { Reach } from '../network/journal'
import type { Outcome } from './command'
import type { Changes, Mount, OutsideChange, Root, Write } from './entries'
import type { Line } from './line'

export interface Surroundings {
  /** Name of the pod's host. */
  hostname: string
  environment: Readonly<Record<string, string>>
  mounts: readonly Mount[]
  root?: Omit<Root, 'mounts' | 'opaque'>
  /** Bytes; unlimited if absent. */
  memoryLimit?: number
  /** `/` if absent. */
  directory?: string
  /** Milliseconds since the epoch at the start; `date` prints a placeholder if absent. */
  now?: number
  /** An opaque program runs in the same container and may have written any file. */
  opaque?: boolean
  /** The result of an unknown command; absent if it has none. */
  unknown?(words: readonly string[]): Outcome
  /** The network, as the program reaches it; undefined if it is not simulated here. */
  network?(): Client | undefined
  /** The network of the program of a container, over time. */
  reach?: Reach
  /** Scripted results that take precedence over commands. */
  scripted?(words: readonly string[]): Outcome | undefined
  /** Files that the program of the container wrote so far, by path. */
  files?: Changes
  /** Absent: a command that reads it is outside of the subset. */
  input?: string
  /** Volume contents that earlier runs left, by volume. */
  left?: Changes
  /** Changes of files that others make, in the order of their times. */
  outside?: readonly OutsideChange[]
  /** Seconds after the start at which it gets SIGTERM. */
  terminatedAt?: number
}

/** The effects of a program, as far as it was interpreted. */
export interface Course {
  lines: readonly Line[]
  /** The lines that repeat with this period, from this second on. */
  cycle: { from: number; period: number; lines: readonly Line[] } | undefined
  /** The states of the files, each with the second at which it begins. */
  files: readonly { at: number; files: Changes }[]
  /** Volume contents at the end. */
  left: Changes
  writes: readonly Write[]
  /** Duration; undefined if it runs forever, or longer than it can be interpreted. */
  seconds: number | undefined
  code: number
  usesNetwork: boolean
  /** Whether the kernel ended it for its use of memory. */
  isOutOfMemory: boolean
  /** Bytes, at the most. */
  memory: number
  /** The second at which it waits for the network. */
  waitsUntil?: number | undefined
}

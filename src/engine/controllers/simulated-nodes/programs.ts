/**
 * What a container does in a simulation, where nothing really runs: it serves for ever, or it ends after a while, as its command
 * tells as far as that can be read (`sleep 5`, `exit 1`, `false`); a container of a pod that is not kept running ends well.
 */
import type { Container } from 'kubernetes-types/core/v1'

export interface Program {
  /** Seconds that it runs; undefined: for ever. */
  seconds: number | undefined
  exitCode: number
}

const SHORT_SECONDS = 2

export function programOf({ command = [], args = [] }: Container, keptRunning: boolean): Program {
  const line = [...command, ...args].join(' ')
  const sleeps = [...line.matchAll(/\bsleep\s+(\d+(?:\.\d+)?|inf(?:inity)?)\b/g)].map(([, time = '']) =>
    time.startsWith('inf') ? Number.POSITIVE_INFINITY : Number(time),
  )
  const exit = /\bexit\s+(\d+)\b/.exec(line)?.[1]
  const [word] = command
  const exitCode = exit !== undefined ? Number(exit) : word === 'false' ? 1 : 0
  if (sleeps.length === 0 && exit === undefined && word !== 'true' && word !== 'false')
    return { seconds: keptRunning ? undefined : SHORT_SECONDS, exitCode: 0 }
  const seconds = sleeps.reduce((sum, time) => sum + time, 0)
  return { seconds: Number.isFinite(seconds) ? seconds : undefined, exitCode }
}

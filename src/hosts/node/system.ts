/** The machine's clock, randomness and error output, as the engine wants them. */
import { randomFillSync } from 'node:crypto'
import type { Environment } from './engine'

/** The longest delay that a timer takes; longer ones are waited for in parts. */
const LONGEST_TIMER = 2 ** 31 - 1

export const systemEnvironment: Environment = {
  clock: { now: Date.now, after },
  random: { bytes: (into) => randomFillSync(into) },
  log: { error: (message, cause) => console.error(message, cause) },
}

/** Timers of the engine do not keep the process alive: its connections do. */
function after(milliseconds: number, run: () => void): () => void {
  let timer: NodeJS.Timeout
  const wait = (rest: number) => {
    timer = setTimeout(
      () => (rest > LONGEST_TIMER ? wait(rest - LONGEST_TIMER) : run()),
      Math.min(Math.max(0, rest), LONGEST_TIMER),
    ).unref()
  }
  wait(milliseconds)
  return () => clearTimeout(timer)
}

import { randomFillSync } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import type { ProcessReadings } from '../../engine/telemetry/process-metrics'
import type { Environment } from './engine'

/** Longer delays are split. */
const LONGEST_TIMER = 2 ** 31 - 1

export const systemEnvironment: Environment = {
  clock: { now: Date.now, after },
  stopwatch: () => performance.now(),
  random: { bytes: fromPool },
  log: {
    error: (message, cause) => console.error(message, cause),
    warn: (message) => console.warn(`Warning: ${message}`),
  },
  defer: (run) => void setImmediate(run),
  process: processReadings,
}

/** System calls cost the same for sixteen bytes as for thousands. Each byte is used once. */
const pool = new Uint8Array(8192)
let used = pool.length

function fromPool(into: Uint8Array): Uint8Array {
  if (into.length > pool.length) return randomFillSync(into)
  if (used + into.length > pool.length) {
    randomFillSync(pool)
    used = 0
  }
  into.set(pool.subarray(used, used + into.length))
  pool.fill(0, used, used + into.length)
  used += into.length
  return into
}

/** Does not keep the process alive. */
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

const MICROSECONDS = 1e6
const KIBIBYTE = 1024

/** Resource usage that the operating system reports for this process. */
export function processReadings(): ProcessReadings {
  const { user, system } = process.cpuUsage()
  return {
    startTime: performance.timeOrigin / 1000,
    cpuSeconds: (user + system) / MICROSECONDS,
    residentBytes: process.memoryUsage.rss(),
    ...known('openFiles', () => readdirSync('/proc/self/fd').length),
    ...known('maxFiles', () =>
      Number(/^Max open files +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]),
    ),
    ...known(
      'virtualBytes',
      () =>
        KIBIBYTE *
        Number(/^VmSize:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1]),
    ),
  }
}

/** Linux only; empty elsewhere. */
function known<Name extends keyof ProcessReadings>(
  name: Name,
  read: () => number,
): Pick<ProcessReadings, Name> | object {
  try {
    const value = read()
    return Number.isFinite(value) ? { [name]: value } : {}
  } catch {
    return {}
  }
}

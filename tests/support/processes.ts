/** Child processes of tests and of the bench, and what they cost, read from the process table. */
import { type ChildProcess, spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'

/**
 * Processor seconds, user and system, that the processes used so far: of the threads that run now, which the scheduler counts in
 * nanoseconds. The clock ticks of /proc/PID/stat are a hundredth of a second, a quarter of what the shortest row of the bench takes.
 */
export function cpuSeconds(pids: number[]): number {
  const threads = pids.flatMap((pid) =>
    readdirSync(`/proc/${pid}/task`).map((thread) => `/proc/${pid}/task/${thread}/schedstat`),
  )
  return threads.reduce(
    (total, path) => total + Number(readFileSync(path, 'utf8').split(' ')[0]) / 1e9,
    0,
  )
}

/** So often in a row a process must be found idle: on a busy machine it may just not have had its turn. */
const IDLE_LOOKS = 4
/** A process that waits still looks at its timers. */
const IDLE_SECONDS = 0.005

/**
 * Resolves when the processes are idle, so that a measurement excludes work after the first
 * response.
 */
export async function rest(pids: number[], longestMilliseconds = 60_000): Promise<void> {
  const until = performance.now() + longestMilliseconds
  let before = Number.NaN
  for (let idle = 0; idle < IDLE_LOOKS && performance.now() < until; ) {
    const used = cpuSeconds(pids)
    idle = used - before < IDLE_SECONDS ? idle + 1 : 0
    before = used
    await new Promise((resolve) => setTimeout(resolve, 250))
  }
}

export function residentMebibytes(pids: number[]): number {
  return pids.reduce(
    (total, pid) =>
      total +
      Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024,
    0,
  )
}

export interface Started {
  process: ChildProcess
  pid: number
  /** The first line of its output. */
  line: string
}

/** Starts a Node program and waits for the first line it prints. @throws Error if it ends before */
export function start(args: string[]): Promise<Started> {
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] })
  return new Promise((resolve, reject) => {
    let output = ''
    child.once('error', reject)
    child.once('exit', (code) =>
      reject(new Error(`${args[0]} ended with code ${code} before it was ready`)),
    )
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk
      const end = output.indexOf('\n')
      if (end >= 0 && child.pid !== undefined)
        resolve({ process: child, pid: child.pid, line: output.slice(0, end) })
    })
  })
}

/** Signals the process to end, and waits until it has. */
export function stop({ process: child }: Started): Promise<void> {
  return new Promise((resolve) => {
    if (child.exitCode !== null) return resolve()
    child.once('exit', () => resolve())
    child.kill('SIGTERM')
  })
}

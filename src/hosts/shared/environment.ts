import type { Clock, Log, Random } from '../../engine/core/environment'

export const systemClock: Clock = {
  now: () => Date.now(),
  after(milliseconds, run) {
    // setTimeout's limit; longer delays are split.
    const longest = 2 ** 31 - 1
    let timer: ReturnType<typeof setTimeout>
    const wait = (left: number): void => {
      timer = setTimeout(
        () => (left > longest ? wait(left - longest) : run()),
        Math.min(left, longest),
      )
    }
    wait(Math.max(0, milliseconds))
    return () => clearTimeout(timer)
  },
}

/** getRandomValues works over plain HTTP, unlike randomUUID and subtle. */
export const systemRandom: Random = {
  bytes: (into) => crypto.getRandomValues(into as Uint8Array<ArrayBuffer>),
}

export const consoleLog: Log = {
  error: (message, cause) => console.error(`[kubetab] ${message}`, cause),
  warn: (message) => console.warn(`[kubetab] ${message}`),
}

const deferred: (() => void)[] = []
let turns: MessageChannel | undefined

/** Without the minimum delay of nested timers. */
export const nextTurn = (run: () => void): void => {
  if (turns === undefined) {
    turns = new MessageChannel()
    turns.port1.onmessage = () => deferred.shift()?.()
  }
  deferred.push(run)
  turns.port2.postMessage(undefined)
}

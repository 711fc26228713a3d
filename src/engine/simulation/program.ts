/**
 * The program of a container without a behavior. It runs forever, or ends as its command shows
 * (`sleep 5`, `exit 1`, `false`). Other programs end with success in pods that do not run forever.
 */
import type { Behavior, LogEntry } from './behavior'
import type { Course } from './script/course'
import type { Line } from './script/line'
import { isCat, isShell } from './shell'

export interface Program {
  /** Duration in seconds; undefined if it runs forever. */
  seconds: number | undefined
  exitCode: number
  /** Whether the kernel ends it for its use of memory. */
  isOutOfMemory?: boolean
}

export interface CommandLine {
  command?: string[]
  args?: string[]
}

const SHORT_SECONDS = 2

/** Commands that run forever: `while true; do date; sleep 5; done`, `tail -f /dev/null`. */
const ENDLESS =
  /\b(?:while\s+(?:true|:|\[\s*(?:1|true)\s*\])|until\s+false)\s*(?:;|\n)|\btail\s+-[fF]\b/

/** Images whose program serves until it is stopped. */
const SERVER_IMAGE =
  /(?:^|\/)(?:pause|nginx|httpd|caddy|traefik|redis|memcached|postgres|mysql|mariadb|mongo|etcd|agnhost|echoserver)(?:[:@]|$)/
/** Images whose own program is a shell or an interpreter, which ends at once without a terminal. */
const SHELL_IMAGE =
  /(?:^|\/)(?:busybox|alpine|ubuntu|debian|bash|perl|python|node|ruby|hello-world)(?:[:@]|$)/
/** Images whose own program is a shell. */
const SHELL = /(?:^|\/)(?:busybox|alpine|ubuntu|debian|bash)(?:[:@]|$)/
/** Commands that do one thing and end. */
const SHORT_COMMAND =
  /^(?:.*\/)?(?:ba|da|a|z)?sh$|^(?:.*\/)?(?:echo|printf|date|ls|cat|env|printenv|hostname|id|whoami|pwd|uname|expr|test|true|false|perl|touch|mkdir|cp|mv|rm|wget|curl|nslookup)$/

/** A container whose program may read standard input. */
type Read = CommandLine & { image?: string; stdin?: boolean }

/** @returns the `cat` or the shell of a container with `stdin`, which waits for input */
export function readerIn({ image = '', command = [], args = [], stdin }: Read) {
  const given = command.length > 0 || SHELL_IMAGE.test(image) ? [...command, ...args] : args
  const argv = given.length === 0 && SHELL.test(image) ? ['sh'] : given
  return stdin && (isCat(argv) || isShell(argv)) ? argv : undefined
}

/**
 * Whether a container without a known duration serves until it is stopped:
 * - in pods with restartPolicy Always: always
 * - in Jobs: if the image is a known server
 * - in other pods: if the command is not a short one
 * - in every pod: if the command reads standard input
 */
export function servesByDefault(
  container: Read,
  { alwaysRestarts, ofJob }: { alwaysRestarts: boolean; ofJob: boolean },
): boolean {
  if (alwaysRestarts || readerIn(container) !== undefined) return true
  const { image = '', command = [], args = [] } = container
  const [first] = command.length > 0 ? command : SHELL_IMAGE.test(image) ? args : []
  if (first !== undefined && (SHORT_COMMAND.test(first) || SHELL_IMAGE.test(image))) return false
  return ofJob ? SERVER_IMAGE.test(image) : first !== undefined || !SHELL_IMAGE.test(image)
}

/**
 * @param restarts restart count
 * @param keptRunning whether its pod runs forever
 * @param course effects of its command, if it can be interpreted
 */
export function programOf(
  container: Read,
  { exit }: Behavior,
  restarts: number,
  keptRunning: boolean,
  course: Course | undefined,
): Program {
  if (exit && (exit.times === undefined || restarts < exit.times))
    return { seconds: exit.after, exitCode: exit.code }
  if (exit) return { seconds: undefined, exitCode: 0 }
  const byWords = programByCommand(container, keptRunning)
  if (course === undefined || readerIn(container) !== undefined) return byWords
  const { seconds, code } = course
  // A program without a duration still runs long enough to be visible.
  return {
    seconds: seconds === 0 && code === 0 && byWords.seconds !== 0 ? SHORT_SECONDS : seconds,
    exitCode: code,
    isOutOfMemory: course.isOutOfMemory,
  }
}

function programByCommand({ command = [], args = [] }: CommandLine, keptRunning: boolean): Program {
  const line = [...command, ...args].join(' ')
  if (ENDLESS.test(line)) return { seconds: undefined, exitCode: 0 }
  const sleeps = [...line.matchAll(/\bsleep\s+(\d+(?:\.\d+)?|inf(?:inity)?)\b/g)].map(
    ([, time = '']) => (time.startsWith('inf') ? Number.POSITIVE_INFINITY : Number(time)),
  )
  const exit = /\bexit\s+(\d+)\b/.exec(line)?.[1]
  const word = command[0]?.replace(/^.*\//, '')
  const exitCode = exit !== undefined ? Number(exit) : word === 'false' ? 1 : 0
  if (sleeps.length === 0 && exit === undefined && word !== 'true' && word !== 'false')
    return { seconds: keptRunning ? undefined : SHORT_SECONDS, exitCode: 0 }
  const seconds = sleeps.reduce((sum, time) => sum + time, 0)
  return { seconds: Number.isFinite(seconds) ? seconds : undefined, exitCode }
}

/** The log entries of a container: of its behavior, else of its command, else a default. */
export function logEntriesOf(
  { command = [], args = [], name = '' }: CommandLine & { name?: string },
  { log }: Behavior,
  course: Course | undefined,
): readonly LogEntry[] {
  if (log) return log
  if (course) return logEntriesIn(course)
  const words = [...command, ...args]
  const echoed = [...words.join(' ').matchAll(/\becho\s+(?:"([^"]*)"|'([^']*)'|([^;&|"']+))/g)]
  if (echoed.length > 0)
    return echoed.map(([, double, single, bare]) => ({
      text: (double ?? single ?? bare ?? '').trim(),
    }))
  return [{ text: `container ${name} of image {image} runs, simulated, in pod {pod} on {node}` }]
}

function logEntriesIn({ lines, cycle }: Course): LogEntry[] {
  const once = wholeLines(lines).map(({ at, text }) => ({ text, after: at }))
  if (cycle === undefined) return once
  const { period } = cycle
  return [
    ...once,
    ...wholeLines(cycle.lines).map(({ at, text }) => ({ text, after: at - period, every: period })),
  ]
}

/** Joins partial output into lines. */
function wholeLines(lines: readonly Line[]): { at: number; text: string }[] {
  const whole: { at: number; text: string }[] = []
  let open = ''
  for (const { at, text } of lines) {
    const [first = '', ...rest] = text.split('\n')
    open += first
    for (const next of rest) {
      whole.push({ at, text: open })
      open = next
    }
  }
  const last = lines.at(-1)
  return open === '' || last === undefined ? whole : [...whole, { at: last.at, text: open }]
}

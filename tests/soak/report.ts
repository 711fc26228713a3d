/** The result of a soak test, and its report. */
import type { PageFigures } from './measure'
import { slope } from './verdict'

export interface Minute {
  /** Since the run began. */
  minute: number
  page: PageFigures
  /** Bytes in the heaps of the other tabs. */
  tabs: number
  /** Bytes in the worker's heap; undefined when none ran. */
  worker: number | undefined
  /** How often the worker had been stopped. */
  life: number
  /** In the engine. */
  openWatches: number
  objects: number
  revision: number
  /** Revisions that are stored. */
  history: number
  /** Stored versions, and identities of requests. */
  rows: number
  requests: number
  /** Bytes of the database as the browser computes them, and in files. */
  computed: number
  onDisk: number
  /** Bytes of all processes of the browser. */
  resident: number | undefined
  acknowledged: number
  /** Events that all watchers have got. */
  received: number
  visibility: string
}

export interface Result {
  minutes: number
  seed: number
  /** How fast the cluster's time ran. */
  rate: number
  /** It came to its end, where all that was written is looked for and lists are compared. */
  finished: boolean
  stops: number
  /** How often the page was really hidden. */
  hidden: number
  watchers: number
  /** Kinds that the page itself watched. */
  pageWatches: number
  writes: number
  /** Sent again since the worker died under them. */
  repeated: number
  /** Not sent, because too many requests were pending. */
  skipped: number
  /** Milliseconds. */
  slowest: number
  /** In the store's history. */
  changes: number
  received: number
  connections: number
  problems: string[]
  measured: Minute[]
}

interface Row {
  title: string
  of(minute: Minute): number | undefined
  shown(value: number): string
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`
const whole = (value: number): string => Math.round(value).toLocaleString('en')

const ROWS: Row[] = [
  { title: 'heap of the page', of: ({ page }) => page.heap, shown: megabytes },
  { title: 'heap of the two other tabs', of: ({ tabs }) => tabs, shown: megabytes },
  { title: 'heap of the worker', of: ({ worker }) => worker, shown: megabytes },
  { title: 'all processes, resident', of: ({ resident }) => resident, shown: megabytes },
  { title: 'nodes of the page', of: ({ page }) => page.nodes, shown: whole },
  { title: 'listeners of the page', of: ({ page }) => page.listeners, shown: whole },
  { title: 'watches open in the engine', of: ({ openWatches }) => openWatches, shown: whole },
  { title: 'objects in the store', of: ({ objects }) => objects, shown: whole },
  { title: 'stored versions', of: ({ rows }) => rows, shown: whole },
  { title: 'stored identities of requests', of: ({ requests }) => requests, shown: whole },
  { title: 'database, as the browser estimates', of: ({ computed }) => computed, shown: megabytes },
  { title: 'database, in files', of: ({ onDisk }) => onDisk, shown: megabytes },
]

/** Measurements of the second half, because memory used by the start is not growth. */
function secondHalf({ measured }: Result): Minute[] {
  const end = measured.at(-1)?.minute ?? 0
  return measured.filter(({ minute }) => minute >= end / 2)
}

function points(minutes: readonly Minute[], of: Row['of']): [number, number][] {
  return minutes.flatMap((minute) => {
    const value = of(minute)
    return value === undefined ? [] : [[minute.minute, value] as [number, number]]
  })
}

export function asMarkdown(result: Result): string {
  const {
    minutes,
    rate,
    stops,
    hidden,
    watchers,
    pageWatches,
    writes,
    repeated,
    skipped,
    slowest,
    changes,
    received,
    connections,
    problems,
  } = result
  const half = secondHalf(result)
  const rows = ROWS.map(({ title, of, shown }) => {
    const all = points(result.measured, of).map(([, value]) => value)
    if (all.length === 0) return `| ${title} | not measured | | | |`
    const [first, last] = [all[0] as number, all.at(-1) as number]
    const growth = slope(points(half, of))
    const sign = growth < 0 ? '−' : '+'
    return `| ${title} | ${shown(first)} | ${shown(Math.max(...all))} | ${shown(last)} | ${sign}${growthOf(Math.abs(growth), shown)} |`
  })
  return `${[
    `${Math.round(minutes)} minutes${rate === 1 ? '' : ` (the cluster's time ran ${rate} times as fast)`}, ${watchers} watchers in two tabs and ${pageWatches} kinds watched by the page itself, over ${whole(connections)} connections;`,
    `${whole(writes)} writes acknowledged (${(writes / minutes / 60).toFixed(1)} a second, ${whole(repeated)} sent again since the worker died under them,`,
    `${whole(skipped)} left out as too many waited; the slowest took ${(slowest / 1000).toFixed(1)} s), which with those of the controllers made`,
    `${whole(changes)} changes and ${whole(received)} events; the worker was stopped ${stops} times, the page hidden ${hidden} times.`,
    '',
    '| | first | most | last | a minute, over the second half |',
    '|---|---:|---:|---:|---:|',
    ...rows,
    '',
    problems.length === 0
      ? `Every watcher received every event once and in order${result.finished ? ', and ends at the state that a list returns; every acknowledged write is in the history' : ', so far'}.`
      : `${problems.length} problems:\n\n${problems.map((problem) => `- ${problem}`).join('\n')}`,
  ].join('\n')}\n`
}

/** Small figures need their decimals. */
function growthOf(value: number, shown: Row['shown']): string {
  return shown === megabytes ? `${(value / 1e3).toFixed(1)} kB` : value.toFixed(2)
}

/** Counts the events of the store for metrics. */
import type { Engine } from '../registry/engine'
import type { EventMetrics } from '../telemetry/event-metrics'

const EVERYTHING = '/registry/'

/** @returns a function that stops it */
export function countEvents(
  { storage, resources }: Pick<Engine, 'storage' | 'resources'>,
  metrics: EventMetrics,
): () => undefined {
  const prefixOf = prefixFinder([...resources.all()].map(({ prefix }) => prefix))
  let stop = () => {}
  const follow = () => {
    let isCurrent = true
    const watcher = storage.watch(EVERYTHING, storage.currentRevision(), {
      event: ({ key, revision }) => metrics.event(prefixOf(key), revision),
      end: (reason) => {
        if (reason === 'gone') queueMicrotask(() => isCurrent && follow())
      },
    })
    stop = () => {
      isCurrent = false
      watcher.stop()
    }
  }
  follow()
  return () => void stop()
}

/**
 * Prefixes have one segment, or two: those of custom resources, whose first segment is a group, and
 * some of built-in ones.
 * @param known the prefixes of built-in resources
 */
export function prefixFinder(known: readonly string[]): (key: string) => string {
  const long = new Set(
    known.flatMap((prefix) => {
      const [first = '', second] = prefix.slice(EVERYTHING.length, -1).split('/')
      return second === undefined ? [] : [first]
    }),
  )
  return (key) => {
    const end = key.indexOf('/', EVERYTHING.length)
    const first = key.slice(EVERYTHING.length, end)
    const isLong = first.includes('.') || long.has(first)
    return key.slice(0, (isLong ? key.indexOf('/', end + 1) : end) + 1)
  }
}

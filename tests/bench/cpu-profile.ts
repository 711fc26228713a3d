/** Reads what V8's sampling profiler wrote: how much of the time was spent where. */
import type { SourceMap } from 'node:module'

export interface CpuProfile {
  nodes: {
    id: number
    callFrame: { functionName: string; url: string; lineNumber: number; columnNumber: number }
  }[]
  /** Microseconds on the machine's steady clock. */
  startTime: number
  samples: number[]
  /** Microseconds between a sample and the one before it. */
  timeDeltas: number[]
  /** Only samples between these count, both on the same clock as `startTime`; all if absent. */
  from?: number
  to?: number
}

export interface Shares {
  /** What was measured together. */
  microseconds: number
  /** By folder of the source, the largest first; names and parts of 1. */
  directories: [string, number][]
  functions: [string, number][]
}

/** Functions of V8 itself, by name. */
const BELOW: Record<string, string> = {
  '(garbage collector)': 'garbage collection',
  '(program)': 'V8 and the system',
}
/** Time in which there was nothing to do. */
const IDLE = '(idle)'

/**
 * @param bundle path of the file that ran
 * @param map of that file, to the sources
 */
export function shares(
  { nodes, startTime, samples, timeDeltas, from = 0, to = Number.POSITIVE_INFINITY }: CpuProfile,
  bundle: string,
  map: SourceMap,
): Shares {
  const places = new Map(nodes.map(({ id, callFrame }) => [id, placeOf(callFrame, bundle, map)]))
  const directories = new Map<string, number>()
  const functions = new Map<string, number>()
  let microseconds = 0
  let now = startTime
  samples.forEach((id, index) => {
    const taken = timeDeltas[index] ?? 0
    now += taken
    const place = places.get(id)
    if (place === undefined || now < from || now > to) return
    microseconds += taken
    directories.set(place.directory, (directories.get(place.directory) ?? 0) + taken)
    functions.set(place.name, (functions.get(place.name) ?? 0) + taken)
  })
  const sorted = (times: Map<string, number>) =>
    [...times]
      .map(([name, time]): [string, number] => [name, time / microseconds])
      .sort((a, b) => b[1] - a[1])
  return { microseconds, directories: sorted(directories), functions: sorted(functions) }
}

/** @returns nothing for time without work */
function placeOf(
  { functionName, url, lineNumber, columnNumber }: CpuProfile['nodes'][number]['callFrame'],
  bundle: string,
  map: SourceMap,
): { directory: string; name: string } | undefined {
  if (functionName === IDLE) return undefined
  const below = BELOW[functionName]
  if (below !== undefined) return { directory: below, name: below }
  if (!url.endsWith(bundle))
    return {
      directory: 'Node itself',
      name: `${functionName || 'a function without a name'} of Node`,
    }
  const entry = map.findEntry(lineNumber, columnNumber)
  const source =
    'originalSource' in entry
      ? entry.originalSource.replace(/^.*?(?=src\/|node_modules\/)/, '')
      : ''
  const folders = source.split('/').slice(0, -1)
  return {
    directory: `\`${folders.slice(0, 3).join('/')}\``,
    name: `\`${functionName || 'a function without a name'}\`, ${source}`,
  }
}

/** Counters, gauges and histograms, and how they are written for Prometheus (text format 0.0.4). */

import { entryOf } from '../object'
import { formatDouble } from '../schema/go-number'

export type Labels = Record<string, string>

interface Described {
  name: string
  /** `ALPHA`, `BETA`, `STABLE`: how long clients may rely on it; stands in front of the help text. */
  stability: 'ALPHA' | 'BETA' | 'STABLE'
  help: string
  /** The release that deprecated it, which the help text says then. */
  deprecated?: string
}

export interface Instrument {
  /** @param release that the server is: it tells which instruments are deprecated */
  write(lines: string[], release?: string): void
}

/** `{a="1",b="2"}`, names sorted; empty without labels. */
function labelText(labels: Labels): string {
  const names = Object.keys(labels).sort()
  return names.map((name) => `${name}="${escaped(entryOf(labels, name) ?? '')}"`).join(',')
}

const escaped = (value: string): string => value.replace(/[\\"\n]/g, (sign) => (sign === '\n' ? '\\n' : `\\${sign}`))

const minorOf = (release: string): number => Number(release.split('.')[1])

function head(lines: string[], { name, stability, help, deprecated }: Described, type: string, release: string | undefined): void {
  const isDeprecated = deprecated !== undefined && release !== undefined && minorOf(release) >= minorOf(deprecated)
  const note = isDeprecated ? `(Deprecated from ${deprecated}) ` : ''
  lines.push(`# HELP ${name} [${stability}] ${note}${help}`, `# TYPE ${name} ${type}`)
}

const sample = (name: string, labels: string, value: number): string =>
  `${name}${labels === '' ? '' : `{${labels}}`} ${formatDouble(value)}`

/** One number of an instrument, for who changes it often. */
export interface Cell {
  value: number
}

/** One number for each set of labels; `type` says whether it may fall. */
export class Numbers implements Instrument {
  private readonly cells = new Map<string, Cell>()

  constructor(
    private readonly about: Described,
    private readonly type: 'counter' | 'gauge',
  ) {}

  /** The number under these labels, 0 if nobody has set it. */
  at(labels: Labels): Cell {
    const key = labelText(labels)
    let found = this.cells.get(key)
    if (found === undefined) this.cells.set(key, (found = { value: 0 }))
    return found
  }

  clear(): void {
    this.cells.clear()
  }

  write(lines: string[], release?: string): void {
    if (this.cells.size === 0) return
    head(lines, this.about, this.type, release)
    for (const [labels, { value }] of [...this.cells].sort(byKey)) lines.push(sample(this.about.name, labels, value))
  }
}

/** The observations under one set of labels. */
export class Distribution {
  /** Observations at most as large as the bound of the same index, and above the one before. */
  readonly counts: number[]
  count = 0
  sum = 0

  constructor(private readonly bounds: readonly number[]) {
    this.counts = bounds.map(() => 0)
  }

  observe(value: number): void {
    this.count++
    this.sum += value
    const { bounds, counts } = this
    for (let i = 0; i < bounds.length; i++) {
      if (value > (bounds[i] as number)) continue
      counts[i] = (counts[i] ?? 0) + 1
      return
    }
  }
}

/** How many observations fell below each bound, for each set of labels. */
export class Histogram implements Instrument {
  private readonly series = new Map<string, Distribution>()

  /** @param bounds upper bounds, rising */
  constructor(
    private readonly about: Described,
    private readonly bounds: readonly number[],
  ) {}

  at(labels: Labels): Distribution {
    const key = labelText(labels)
    let found = this.series.get(key)
    if (found === undefined) this.series.set(key, (found = new Distribution(this.bounds)))
    return found
  }

  write(lines: string[], release?: string): void {
    const { name } = this.about
    const filled = [...this.series].filter(([, { count }]) => count > 0)
    if (filled.length === 0) return
    head(lines, this.about, 'histogram', release)
    for (const [labels, { counts, count, sum }] of filled.sort(byKey)) {
      const before = labels === '' ? '' : `${labels},`
      let below = 0
      this.bounds.forEach((bound, i) => {
        below += counts[i] ?? 0
        lines.push(sample(`${name}_bucket`, `${before}le="${formatDouble(bound)}"`, below))
      })
      lines.push(
        sample(`${name}_bucket`, `${before}le="+Inf"`, count),
        sample(`${name}_sum`, labels, sum),
        sample(`${name}_count`, labels, count),
      )
    }
  }
}

const byKey = ([a]: [string, unknown], [b]: [string, unknown]): number => (a < b ? -1 : 1)

/** A counter that clients may not rely on yet. */
export function counter(name: string, help: string): Numbers {
  return new Numbers({ name, stability: 'ALPHA', help }, 'counter')
}

/** A histogram of seconds. @param bounds upper ends of its buckets */
export function histogram(name: string, help: string, bounds: readonly number[], stability: Described['stability'] = 'ALPHA'): Histogram {
  return new Histogram({ name, stability, help }, bounds)
}

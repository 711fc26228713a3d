/** Prometheus text format 0.0.4. */
import { minorOf } from '../release-tables/minor'

import { formatDouble } from '../schema/go-number'
import type { Family, HistogramFamily, NumberFamily, SummaryFamily } from './families/family'

export type Labels = Readonly<Record<string, string>>

export interface Instrument {
  write(lines: string[], release?: string): void
}

const labelOf = (name: string, value: string): string => `${name}="${escaped(value)}"`

/** `a="1",b="2"`, sorted by name. */
function labelText(labels: Labels): string {
  let text = ''
  for (const [name, value] of Object.entries(labels).sort(([a], [b]) => (a < b ? -1 : 1)))
    text = joined(text, labelOf(name, value))
  return text
}

const escaped = (value: string): string =>
  /[\\"\n]/.test(value)
    ? value.replace(/[\\"\n]/g, (character) => (character === '\n' ? '\\n' : `\\${character}`))
    : value

/** `(Deprecated since 1.31.0) ` */
function deprecationNote({ deprecated }: Family, release: string | undefined): string {
  if (deprecated === undefined || release === undefined || minorOf(release) < minorOf(deprecated))
    return ''
  // "from" names a minor, "since" a patch release.
  return `(Deprecated ${deprecated.split('.').length === 2 ? 'from' : 'since'} ${deprecated}) `
}

function head(lines: string[], name: string, family: Family, release: string | undefined): void {
  const stability = family.stability === undefined ? '' : `[${family.stability}] `
  const experimental = family.experimental === true ? 'EXPERIMENTAL: ' : ''
  const help = `${experimental}${stability}${deprecationNote(family, release)}${family.help}`
  lines.push(`# HELP ${name} ${help}`, `# TYPE ${name} ${family.type}`)
}

const sample = (name: string, labels: string, value: number): string =>
  `${name}${labels === '' ? '' : `{${labels}}`} ${formatDouble(value)}`

const joined = (labels: string, label: string): string =>
  labels === '' ? label : `${labels},${label}`

/** For frequent changes. */
export interface Cell {
  value: number
}

/** By label text. */
abstract class Series<One> {
  protected series = new Map<string, One>()

  constructor(
    readonly name: string,
    protected readonly family: Family,
  ) {}

  protected abstract make(): One

  at(labels: Labels): One {
    const { constant } = this.family
    const key = labelText(constant ? { ...constant, ...labels } : labels)
    let found = this.series.get(key)
    if (found === undefined) this.series.set(key, (found = this.make()))
    return found
  }

  /** Also prints a renamed family under its other name. */
  mirror(other: Series<One>): void {
    this.series = other.series
  }

  clear(): void {
    this.series.clear()
  }

  protected sorted(): [string, One][] {
    return [...this.series].sort(([a], [b]) => (a < b ? -1 : 1))
  }
}

export class Numbers extends Series<Cell> implements Instrument {
  constructor(name: string, family: NumberFamily) {
    super(name, family)
  }

  protected make(): Cell {
    return { value: 0 }
  }

  reset(): void {
    for (const cell of this.series.values()) cell.value = 0
  }

  write(lines: string[], release?: string): void {
    if (this.series.size === 0) return
    head(lines, this.name, this.family, release)
    for (const [labels, { value }] of this.sorted()) lines.push(sample(this.name, labels, value))
  }
}

export class Distribution {
  /** Observations by bucket, then above all bounds, then the sum. */
  private readonly cells: Float64Array

  constructor(readonly bounds: Float64Array) {
    this.cells = new Float64Array(bounds.length + 2)
  }

  observe(value: number): void {
    const { bounds, cells } = this
    const { length } = bounds
    let i = 0
    while (i < length && value > (bounds[i] as number)) i++
    cells[i] = (cells[i] as number) + 1
    cells[length + 1] = (cells[length + 1] as number) + value
  }

  /** @param times may be negative */
  observeTimes(value: number, times: number): void {
    const { bounds, cells } = this
    let i = 0
    while (i < bounds.length && value > (bounds[i] as number)) i++
    cells[i] = (cells[i] as number) + times
    cells[bounds.length + 1] = this.sum + value * times
  }

  get sum(): number {
    return this.cells[this.bounds.length + 1] as number
  }

  get count(): number {
    let all = 0
    for (let i = 0; i <= this.bounds.length; i++) all += this.cells[i] as number
    return all
  }

  cumulative(): number[] {
    let below = 0
    return [...this.cells.subarray(0, this.bounds.length)].map((count) => (below += count))
  }

  clear(): void {
    this.cells.fill(0)
  }

  /** @param other has these bounds too */
  add(other: Distribution): void {
    const { bounds, cells } = this
    let at = 0
    other.bounds.forEach((bound, i) => {
      while (at < bounds.length && bound > (bounds[at] as number)) at++
      cells[at] = (cells[at] as number) + (other.cells[i] as number)
    })
    cells[bounds.length] =
      (cells[bounds.length] as number) + (other.cells[other.bounds.length] as number)
    cells[bounds.length + 1] = this.sum + other.sum
  }
}

export class Histogram extends Series<Distribution> implements Instrument {
  private readonly bounds: Float64Array

  constructor(name: string, family: HistogramFamily) {
    super(name, family)
    this.bounds = Float64Array.from(family.buckets)
  }

  protected make(): Distribution {
    return new Distribution(this.bounds)
  }

  reset(): void {
    for (const one of this.series.values()) one.clear()
  }

  write(lines: string[], release?: string): void {
    const { name, family } = this
    // Without labels from the start.
    const filled = this.sorted().filter(
      ([, one]) => family.labels.length === 0 || family.startsEmpty || one.count > 0,
    )
    if (filled.length === 0) return
    head(lines, name, family, release)
    const bounds = [...this.bounds].map((bound) => `le="${formatDouble(bound)}"`)
    for (const [labels, one] of filled) {
      one.cumulative().forEach((count, i) => {
        lines.push(sample(`${name}_bucket`, joined(labels, bounds[i] as string), count))
      })
      const { count } = one
      lines.push(
        sample(`${name}_bucket`, joined(labels, 'le="+Inf"'), count),
        sample(`${name}_sum`, labels, one.sum),
        sample(`${name}_count`, labels, count),
      )
    }
  }
}

/** Number of recent observations. */
const RECENT = 512

export class Quantiles {
  private readonly recent: number[] = []
  count = 0
  sum = 0

  observe(value: number): void {
    this.recent[this.count % RECENT] = value
    this.count++
    this.sum += value
  }

  /** Nearest rank. @param quantile 0 to 1 */
  of(quantile: number): number {
    const sorted = [...this.recent].sort((a, b) => a - b)
    return sorted[Math.max(0, Math.ceil(quantile * sorted.length) - 1)] ?? Number.NaN
  }
}

export class Summary extends Series<Quantiles> implements Instrument {
  constructor(
    name: string,
    protected override readonly family: SummaryFamily,
  ) {
    super(name, family)
  }

  protected make(): Quantiles {
    return new Quantiles()
  }

  write(lines: string[], release?: string): void {
    const { name, family } = this
    const filled = this.sorted().filter(([, { count }]) => count > 0)
    if (filled.length === 0) return
    head(lines, name, family, release)
    for (const [labels, one] of filled) {
      for (const quantile of family.quantiles)
        lines.push(
          sample(name, joined(labels, `quantile="${formatDouble(quantile)}"`), one.of(quantile)),
        )
      lines.push(sample(`${name}_sum`, labels, one.sum), sample(`${name}_count`, labels, one.count))
    }
  }
}

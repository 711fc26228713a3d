import { minorOf } from '../release-tables/minor'
import {
  FAMILIES,
  type FamilyName,
  type HistogramName,
  type NumberName,
  type SummaryName,
} from './families/families'
import type { Family, HistogramFamily, NumberFamily, SummaryFamily } from './families/family'
import { Histogram, type Instrument, Numbers, Summary } from './instruments'

export interface Exposition {
  /** `1.31` */
  release: string
  /** `--show-hidden-metrics-for-version` */
  showsHidden: boolean
}

const NAMES = (Object.keys(FAMILIES) as FamilyName[]).sort()

function visibility(
  { since, deprecated, hiddenAfter = 1 }: Family,
  { release, showsHidden }: Exposition,
): 'absent' | 'hidden' | 'shown' {
  const now = minorOf(release)
  if (since !== undefined && now < minorOf(since)) return 'absent'
  const age = deprecated === undefined ? -1 : now - minorOf(deprecated)
  if (age < hiddenAfter) return 'shown'
  // A family hidden for more than one release is then removed.
  if (hiddenAfter > 1 && age > hiddenAfter) return 'absent'
  return showsHidden ? 'shown' : 'hidden'
}

export class MetricRegistry {
  private readonly instruments = new Map<FamilyName, Instrument>()

  constructor() {
    for (const name of NAMES) {
      const family: Family = FAMILIES[name]
      // Families that Kubernetes lacks are printed only if the host reports values.
      if (family.labels.length > 0 || family.stability === undefined) continue
      if (family.type === 'histogram') this.histogram(name as HistogramName).at({})
      else this.numbers(name as NumberName).at({})
    }
  }

  numbers(name: NumberName): Numbers {
    return this.of(name, () => new Numbers(name, FAMILIES[name] as NumberFamily))
  }

  histogram(name: HistogramName): Histogram {
    return this.of(name, () => new Histogram(name, FAMILIES[name] as HistogramFamily))
  }

  summary(name: SummaryName): Summary {
    return this.of(name, () => new Summary(name, FAMILIES[name] as SummaryFamily))
  }

  private of<One extends Instrument>(name: FamilyName, make: () => One): One {
    let found = this.instruments.get(name)
    if (found === undefined) this.instruments.set(name, (found = make()))
    return found as One
  }

  text(exposition: Exposition): string {
    this.describe(exposition)
    const lines: string[] = []
    for (const name of NAMES) {
      if (visibility(FAMILIES[name], exposition) === 'shown')
        this.instruments.get(name)?.write(lines, exposition.release)
    }
    return lines.map((line) => `${line}\n`).join('')
  }

  private describe(exposition: Exposition): void {
    const registered = this.numbers('registered_metrics_total')
    const hidden = this.numbers('hidden_metrics_total').at({})
    registered.clear()
    hidden.value = 0
    for (const name of NAMES) {
      const family: Family = FAMILIES[name]
      const seen = visibility(family, exposition)
      if (seen === 'hidden') hidden.value++
      if (seen !== 'shown' || family.stability === undefined) continue
      const isDeprecated =
        family.deprecated !== undefined && minorOf(family.deprecated) <= minorOf(exposition.release)
      registered.at({
        stability_level: family.stability,
        deprecated_version: isDeprecated ? (family.deprecated as string) : '',
      }).value++
    }
  }
}

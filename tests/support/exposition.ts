/** Reads the text format of Prometheus (0.0.4) and accepts no deviation: what a scraper would only overlook is an error here. */

export interface Sample {
  name: string
  labels: Record<string, string>
  value: number
}

export interface ReadFamily {
  name: string
  help: string
  type: string
  samples: Sample[]
}

const NAME = /^[a-zA-Z_:][a-zA-Z0-9_:]*$/
const SAMPLE = /^([a-zA-Z_:][a-zA-Z0-9_:]*)(?:\{(.*)\})? (\S+)$/
const LABEL = /([a-zA-Z_][a-zA-Z0-9_]*)="((?:[^"\\\n]|\\[\\"n])*)"(,|$)/y
const SUFFIXES: Record<string, readonly string[]> = {
  counter: [''],
  gauge: [''],
  histogram: ['_bucket', '_sum', '_count'],
  summary: ['', '_sum', '_count'],
}

/** @throws Error for a text that is not strictly of the format */
export function readExposition(text: string): ReadFamily[] {
  if (!text.endsWith('\n')) throw new Error('the text does not end with a line break')
  const families: ReadFamily[] = []
  const lines = text.slice(0, -1).split('\n')
  for (let i = 0; i < lines.length; ) {
    const family = headOf(lines[i], lines[i + 1])
    for (i += 2; i < lines.length && !(lines[i] as string).startsWith('#'); i++)
      family.samples.push(sampleOf(lines[i] as string))
    check(family, families.at(-1))
    families.push(family)
  }
  return families
}

function headOf(first = '', second = ''): ReadFamily {
  const help = /^# HELP (\S+) (.*)$/.exec(first)
  const type = /^# TYPE (\S+) (counter|gauge|histogram|summary)$/.exec(second)
  if (help === null || type === null || help[1] !== type[1])
    throw new Error(`no HELP and TYPE of one family: ${first} / ${second}`)
  if (!NAME.test(help[1] ?? '')) throw new Error(`bad name: ${help[1]}`)
  return { name: help[1] ?? '', help: help[2] ?? '', type: type[2] ?? '', samples: [] }
}

function sampleOf(line: string): Sample {
  const [, name = '', labelText = '', number = ''] = SAMPLE.exec(line) ?? []
  const value = number === '+Inf' ? Number.POSITIVE_INFINITY : Number(number)
  if (name === '' || number === '' || (Number.isNaN(value) && number !== 'NaN'))
    throw new Error(`no sample: ${line}`)
  return { name, labels: labelsOf(labelText, line), value }
}

function labelsOf(text: string, line: string): Record<string, string> {
  const labels: Record<string, string> = {}
  for (let at = 0; at < text.length; at = LABEL.lastIndex) {
    LABEL.lastIndex = at
    const found = LABEL.exec(text)
    if (found === null) throw new Error(`bad labels: ${line}`)
    const [, name = '', value = ''] = found
    if (name in labels) throw new Error(`a label twice: ${line}`)
    labels[name] = value.replace(/\\(.)/g, (_, character) => (character === 'n' ? '\n' : character))
  }
  return labels
}

function check(family: ReadFamily, before: ReadFamily | undefined): void {
  const { name, type, samples } = family
  if (before !== undefined && before.name >= name)
    throw new Error(`${name} is behind ${before.name}`)
  if (samples.length === 0) throw new Error(`${name} has no samples`)
  const names = (SUFFIXES[type] ?? []).map((suffix) => name + suffix)
  const foreign = samples.find((sample) => !names.includes(sample.name))
  if (foreign) throw new Error(`${foreign.name} in the family ${name}`)
  const keys = samples.map((sample) => `${sample.name}${JSON.stringify(sample.labels)}`)
  if (new Set(keys).size < keys.length) throw new Error(`${name} has a series twice`)
  if (type === 'histogram') for (const series of seriesOf(samples)) checkHistogram(name, series)
}

/** The samples that differ in their bucket alone. */
function seriesOf(samples: readonly Sample[]): Sample[][] {
  const series = new Map<string, Sample[]>()
  for (const sample of samples) {
    const { le: _, ...labels } = sample.labels
    const key = JSON.stringify(labels)
    series.set(key, [...(series.get(key) ?? []), sample])
  }
  return [...series.values()]
}

function checkHistogram(name: string, series: readonly Sample[]): void {
  const where = `${name} ${JSON.stringify(series[0]?.labels)}`
  const buckets = series.filter((sample) => sample.name === `${name}_bucket`)
  const bounds = buckets.map(({ labels }) =>
    labels.le === '+Inf' ? Number.POSITIVE_INFINITY : Number(labels.le),
  )
  if (
    bounds.some((bound, i) => Number.isNaN(bound) || (i > 0 && bound <= (bounds[i - 1] as number)))
  )
    throw new Error(`bounds of ${where}`)
  if (buckets.some(({ value }, i) => i > 0 && value < (buckets[i - 1] as Sample).value))
    throw new Error(`falling buckets of ${where}`)
  if (bounds.at(-1) !== Number.POSITIVE_INFINITY) throw new Error(`no +Inf of ${where}`)
  const count = series.find((sample) => sample.name === `${name}_count`)
  if (count?.value !== buckets.at(-1)?.value) throw new Error(`+Inf is not the count of ${where}`)
  if (!series.some((sample) => sample.name === `${name}_sum`)) throw new Error(`no sum of ${where}`)
}

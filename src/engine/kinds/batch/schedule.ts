/** Parses cron schedules as github.com/robfig/cron/v3 does. Recorded from kube-apiserver 1.31. */
import { entryOf } from '../../core/object'
import { durationProblem } from '../../schema/go-duration'
import { goQuote } from '../../schema/go-text'
import { zoneProblem } from '../../schema/time-zone'

interface Field {
  min: number
  max: number
  names: Record<string, number>
}

const named = (names: string, first: number): Record<string, number> =>
  Object.fromEntries(names.split(' ').map((name, i) => [name, first + i]))

const FIELDS: Field[] = [
  { min: 0, max: 59, names: {} },
  { min: 0, max: 23, names: {} },
  { min: 1, max: 31, names: {} },
  { min: 1, max: 12, names: named('jan feb mar apr may jun jul aug sep oct nov dec', 1) },
  { min: 0, max: 6, names: named('sun mon tue wed thu fri sat', 0) },
]
const DESCRIPTORS = new Set([
  '@yearly',
  '@annually',
  '@monthly',
  '@weekly',
  '@daily',
  '@midnight',
  '@hourly',
])
const EVERY = '@every '

/** @returns undefined if valid */
export function scheduleProblem(text: string): string | undefined {
  const [, zone, rest = ''] = /^(?:CRON_)?TZ=(\S*)\s*(.*)$/s.exec(text) ?? []
  const wrong = zone === undefined ? undefined : zoneProblem(zone)
  if (wrong !== undefined) return `provided bad location ${zone}: ${wrong}`
  // Only descriptors after a time zone may have outer spaces.
  const spec = zone === undefined ? text : rest.trim()
  if (spec.startsWith('@')) return descriptorProblem(spec)
  const parts = spec.split(/\s+/).filter((part) => part !== '')
  if (parts.length !== FIELDS.length)
    return `expected exactly 5 fields, found ${parts.length}: [${parts.join(' ')}]`
  for (const [i, part] of parts.entries()) {
    for (const range of part.split(',').filter((item) => item !== '')) {
      const problem = rangeProblem(range, FIELDS[i] as Field)
      if (problem !== undefined) return problem
    }
  }
  return undefined
}

function descriptorProblem(text: string): string | undefined {
  if (DESCRIPTORS.has(text)) return undefined
  if (!text.startsWith(EVERY)) return `unrecognized descriptor: ${text}`
  const problem = durationProblem(text.slice(EVERY.length))
  return problem === undefined ? undefined : `failed to parse duration ${text}: time: ${problem}`
}

/** `*`, `5` or `1-5`, with optional `/step`. */
function rangeProblem(text: string, { min, max, names }: Field): string | undefined {
  const [range = '', stepText, ...moreSteps] = text.split('/')
  const [low = '', high, ...moreLimits] = range.split('-')
  let [start, end] = [min, max]
  try {
    if (low !== '*' && low !== '?') {
      start = numberIn(low, names)
      end = high === undefined ? start : numberIn(high, names)
      if (moreLimits.length > 0) return `too many hyphens: ${text}`
    }
    if (moreSteps.length > 0) return `too many slashes: ${text}`
    const step = stepText === undefined ? 1 : numberIn(stepText, {})
    if (stepText !== undefined && high === undefined) end = max
    if (start < min) return `beginning of range (${start}) below minimum (${min}): ${text}`
    if (end > max) return `end of range (${end}) above maximum (${max}): ${text}`
    if (start > end) return `beginning of range (${start}) beyond end of range (${end}): ${text}`
    return step === 0 ? `step of range should be a positive number: ${text}` : undefined
  } catch (error) {
    if (error instanceof NumberProblem) return error.message
    throw error
  }
}

class NumberProblem extends Error {}

function numberIn(text: string, names: Record<string, number>): number {
  const known = entryOf(names, text.toLowerCase())
  if (known !== undefined) return known
  const unread = (why: string) =>
    new NumberProblem(
      `failed to parse int from ${text}: strconv.Atoi: parsing ${goQuote(text)}: ${why}`,
    )
  if (!/^[+-]?\d+$/.test(text)) throw unread('invalid syntax')
  const value = Number(text)
  if (Math.abs(value) >= 2 ** 63) throw unread('value out of range')
  if (value < 0) throw new NumberProblem(`negative number (${value}) not allowed: ${text}`)
  return value
}

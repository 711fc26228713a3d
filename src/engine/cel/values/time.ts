import { entryOf } from '../../core/object'
import { withoutTrailing } from '../../core/text-end'
import { goQuote } from '../../schema/go-text'
import { zoneProblem } from '../../schema/time-zone'
import { duration, inIntRange, timestamp } from './arithmetic'
import { Duration, EvaluationError, type Timestamp, type Value } from './value'

const UNITS: Record<string, bigint> = {
  ns: 1n,
  us: 1_000n,
  µs: 1_000n,
  μs: 1_000n,
  ms: 1_000_000n,
  s: 1_000_000_000n,
  m: 60_000_000_000n,
  h: 3_600_000_000_000n,
}

const DURATION_PART = /(\d*)(?:\.(\d*))?(ns|us|µs|μs|ms|s|m|h)/y
/** More digits overflow before the point, and do not count after it. */
const MAX_DIGITS = 19

/** As Go's `time.ParseDuration`; undefined if that fails. */
export function parseDuration(text: string): Duration | undefined {
  const signed = /^[-+]/.test(text) ? 1 : 0
  if (text.slice(signed) === '0') return duration(0n) as Duration
  let total = 0n
  const part = new RegExp(DURATION_PART)
  part.lastIndex = signed
  do {
    const [, whole = '', fraction = '', unit = ''] = part.exec(text) ?? []
    const significant = whole.replace(/^0+/, '')
    if ((whole === '' && fraction === '') || significant.length > MAX_DIGITS) return undefined
    const scale = entryOf(UNITS, unit) as bigint
    const exact = fraction.slice(0, MAX_DIGITS)
    total +=
      BigInt(significant || '0') * scale +
      (BigInt(exact || '0') * scale) / 10n ** BigInt(exact.length)
  } while (part.lastIndex < text.length)
  const value = duration(text.startsWith('-') ? -total : total)
  return value instanceof Duration ? value : undefined
}

/** `7200s`, `1.5s`. Durations below a microsecond keep every digit. */
export function formatDuration({ nanoseconds }: Duration): string {
  if (nanoseconds > -1000n && nanoseconds < 1000n && nanoseconds !== 0n) {
    const digits = withoutTrailing(String(nanoseconds).replace('-', '').padStart(9, '0'), '0')
    return `${nanoseconds < 0n ? '-' : ''}0.${digits}s`
  }
  return `${Number(nanoseconds / 1_000_000_000n) + Number(nanoseconds % 1_000_000_000n) / 1e9}s`
}

const RFC_3339 =
  /^(\d{4})-(\d\d)-(\d\d)T(\d\d?):(\d\d):(\d\d)(?:[.,](\d+))?(?:Z|([+-])(\d\d):(\d\d))$/

/** @returns undefined unless it is RFC 3339, an error for a year out of range */
export function parseTimestamp(text: string): Timestamp | EvaluationError | undefined {
  const match = RFC_3339.exec(text)
  if (match === null) return undefined
  const [year, month, day, hour, minute, second] = match.slice(1, 7).map(Number) as [
    number,
    number,
    number,
    number,
    number,
    number,
  ]
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute, second)
  const fits =
    date.getUTCMonth() === month - 1 &&
    date.getUTCDate() === day &&
    hour < 24 &&
    minute < 60 &&
    second < 60
  const [offsetHours, offsetMinutes] = [Number(match[9] ?? 0), Number(match[10] ?? 0)]
  if (!fits || offsetHours > 24 || offsetMinutes > 60) return undefined
  const offset = (offsetHours * 60 + offsetMinutes) * (match[8] === '-' ? -1 : 1)
  const nanoseconds = BigInt((match[7] ?? '').padEnd(9, '0').slice(0, 9))
  return timestamp(BigInt(date.getTime() - offset * 60_000) * 1_000_000n + nanoseconds, offset)
}

export function formatTimestamp({ nanoseconds, offset }: Timestamp): string {
  const rest = ((nanoseconds % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n
  const fraction = withoutTrailing(rest.toString().padStart(9, '0'), '0')
  const milliseconds = Number((nanoseconds - BigInt(fraction.padEnd(9, '0'))) / 1_000_000n)
  const iso = new Date(milliseconds + offset * 60_000).toISOString()
  return `${iso.replace(/^[+-]\d\d(?=\d{4}-)/, '').slice(0, 19)}${fraction === '' ? '' : `.${fraction}`}${formatOffset(offset)}`
}

function formatOffset(offset: number): string {
  if (offset === 0) return 'Z'
  const [hours, minutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60].map((part) =>
    String(part).padStart(2, '0'),
  )
  return `${offset < 0 ? '-' : '+'}${hours}:${minutes}`
}

export type TimePart =
  | 'getFullYear'
  | 'getMonth'
  | 'getDate'
  | 'getDayOfMonth'
  | 'getDayOfWeek'
  | 'getDayOfYear'
  | 'getHours'
  | 'getMinutes'
  | 'getSeconds'
  | 'getMilliseconds'

const PARTS: Record<TimePart, (local: Date) => number> = {
  getFullYear: (local) => local.getUTCFullYear(),
  getMonth: (local) => local.getUTCMonth(),
  getDate: (local) => local.getUTCDate(),
  getDayOfMonth: (local) => local.getUTCDate() - 1,
  getDayOfWeek: (local) => local.getUTCDay(),
  getDayOfYear: (local) =>
    Math.round((local.getTime() - new Date(local).setUTCMonth(0, 1)) / 86_400_000),
  getHours: (local) => local.getUTCHours(),
  getMinutes: (local) => local.getUTCMinutes(),
  getSeconds: (local) => local.getUTCSeconds(),
  getMilliseconds: (local) => local.getUTCMilliseconds(),
}

/** @param zone `Europe/Berlin` or `-07:00` */
export function timePart({ nanoseconds }: Timestamp, part: TimePart, zone = 'UTC'): Value {
  const milliseconds = Number(floorDivide(nanoseconds, 1_000_000n))
  const local = zone.includes(':') ? offsetTime(milliseconds, zone) : localTime(milliseconds, zone)
  return local instanceof EvaluationError ? local : BigInt(PARTS[part](local))
}

function floorDivide(a: bigint, b: bigint): bigint {
  const quotient = a / b
  return a % b < 0n ? quotient - 1n : quotient
}

/** Hours and minutes may be any integers (time-zones-with-percent). */
function offsetTime(milliseconds: number, zone: string): Date | EvaluationError {
  const colon = zone.indexOf(':')
  const parts = [zone.slice(0, colon), zone.slice(colon + 1)]
  const wrong = parts.find((part) => !/^[-+]?\d+$/.test(part))
  if (wrong !== undefined)
    return zoneError(`strconv.Atoi: parsing ${goQuote(wrong)}: invalid syntax`)
  const large = parts.find((part) => !isInt(part))
  if (large !== undefined)
    return zoneError(`strconv.Atoi: parsing ${goQuote(large)}: value out of range`)
  const [hours, minutes] = parts.map(Number) as [number, number]
  const local = new Date(
    milliseconds + (hours * 60 + (zone.startsWith('-') ? -minutes : minutes)) * 60_000,
  )
  return Number.isNaN(local.getTime()) ? zoneError(`unknown time zone ${zone}`) : local
}

const MAX_INT_LENGTH = 20

function isInt(digits: string): boolean {
  const significant = digits.replace(/^\+?(-?)0+(?=\d)/, '$1').replace('+', '')
  return significant.length <= MAX_INT_LENGTH && inIntRange(BigInt(significant))
}

const zoneError = (text: string): EvaluationError => new EvaluationError(text)

/** A date whose UTC parts are those of the zone. The local zone is UTC. */
function localTime(milliseconds: number, zone: string): Date | EvaluationError {
  if (zone === 'UTC' || zone === '' || zone === 'Local') return new Date(milliseconds)
  const problem = zoneProblem(zone)
  if (problem !== undefined) return zoneError(problem)
  const format = new Intl.DateTimeFormat('en-US', { timeZone: zone, timeZoneName: 'longOffset' })
  const name =
    format.formatToParts(milliseconds).find(({ type }) => type === 'timeZoneName')?.value ?? ''
  const [, sign, hours = '0', minutes = '0', seconds = '0'] =
    /^GMT(?:([+-])(\d\d):(\d\d)(?::(\d\d))?)?$/.exec(name) ?? []
  const shift = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000
  return new Date(milliseconds + (sign === '-' ? -shift : shift))
}

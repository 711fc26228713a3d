/** RFC 3339 to canonical UTC, with the errors of Go's `time.Parse`. */
import { FormatError } from './format-error'

const SECONDS_LAYOUT = '2006-01-02T15:04:05Z07:00'
const MICROSECONDS_LAYOUT = '2006-01-02T15:04:05.000000Z07:00'

/** Only days that every month has, not near the zero time. */
const PLAIN_SECONDS =
  /^(?!000)\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|1\d|2[0-8])T(?:[01]\d|2[0-3]):[0-5]\d:[0-5]\dZ$/

/**
 * `metav1.Time`: UTC in whole seconds, `2026-01-01T00:00:00Z`; null for Go's zero time.
 * @throws FormatError `parsing time "yesterday" as "2006-01-02T15:04:05Z07:00": cannot parse
 * "yesterday" as "2006"`
 */
export function canonicalTime(text: string): string | null {
  if (PLAIN_SECONDS.test(text)) return text
  const { milliseconds } = parseTime(text, SECONDS_LAYOUT)
  return milliseconds === ZERO_TIME ? null : `${isoTime(milliseconds).slice(0, 19)}Z`
}

/** `metav1.MicroTime`: the same with six decimals. @throws FormatError */
export function canonicalMicroTime(text: string): string | null {
  const { milliseconds, microseconds } = parseTime(text, MICROSECONDS_LAYOUT)
  if (milliseconds === ZERO_TIME && microseconds === 0) return null
  return `${isoTime(milliseconds).slice(0, 19)}.${String(microseconds).padStart(6, '0')}Z`
}

const ZERO_TIME = Date.parse('0001-01-01T00:00:00Z')

/** Drops the sign and extra digits of years outside 0 to 9999. */
function isoTime(milliseconds: number): string {
  return new Date(milliseconds).toISOString().replace(/^[+-]\d\d(?=\d{4}-)/, '')
}

/** From left to right: Go reports the first mismatch. */
function parseTime(text: string, layout: string): { milliseconds: number; microseconds: number } {
  const reader = new TimeReader(text, layout)
  const year = reader.digits('2006', 4)
  reader.literal('-')
  const month = reader.digits('01', 2, 1, 12, 'month')
  reader.literal('-')
  const day = reader.digits('02', 2)
  reader.literal('T')
  const hour = reader.hour()
  reader.literal(':')
  const minute = reader.digits('04', 2, 0, 59, 'minute')
  reader.literal(':')
  const second = reader.digits('05', 2, 0, 59, 'second')
  const microseconds =
    layout === MICROSECONDS_LAYOUT ? reader.sixDecimals() : reader.optionalDecimals()
  const offset = reader.zone()
  reader.end()
  if (day < 1 || day > daysOf(year, month)) throw reader.outOfRange('day')
  const date = new Date(0)
  date.setUTCFullYear(year, month - 1, day)
  date.setUTCHours(hour, minute, second)
  return { milliseconds: date.getTime() - offset * 60_000, microseconds }
}

function daysOf(year: number, month: number): number {
  const leap = (year % 4 === 0 && year % 100 !== 0) || year % 400 === 0
  return month === 2 ? (leap ? 29 : 28) : [4, 6, 9, 11].includes(month) ? 30 : 31
}

/** Go's `time.ParseError` quotes everything but printable ASCII byte by byte. */
function timeQuote(text: string): string {
  const characters = Array.from(text, (sign) => {
    if (sign === '"' || sign === '\\') return `\\${sign}`
    if (sign >= ' ' && sign <= '\x7f') return sign
    return Array.from(
      new TextEncoder().encode(sign),
      (byte) => `\\x${byte.toString(16).padStart(2, '0')}`,
    ).join('')
  })
  return `"${characters.join('')}"`
}

class TimeReader {
  private rest: string

  constructor(
    private readonly text: string,
    private readonly layout: string,
  ) {
    this.rest = text
  }

  /**
   * @param part in the layout
   * @param name in range errors
   */
  digits(
    part: string,
    width: number,
    least = 0,
    most = Number.POSITIVE_INFINITY,
    name = part,
  ): number {
    const found = new RegExp(`^\\d{${width}}`).exec(this.rest)
    if (found === null) throw this.cannotParse(part)
    const value = Number(found[0])
    if (value < least || value > most) throw this.outOfRange(name)
    this.rest = this.rest.slice(width)
    return value
  }

  /** Go accepts one digit. */
  hour(): number {
    const found = /^\d\d?/.exec(this.rest)
    if (found === null) throw this.cannotParse('15')
    const value = Number(found[0])
    if (value > 23) throw this.outOfRange('hour')
    this.rest = this.rest.slice(found[0].length)
    return value
  }

  literal(sign: string): void {
    if (!this.rest.startsWith(sign)) throw this.cannotParse(sign)
    this.rest = this.rest.slice(1)
  }

  /** Go drops decimals that the layout lacks. */
  optionalDecimals(): number {
    this.rest = this.rest.replace(/^[.,]\d+/, '')
    return 0
  }

  sixDecimals(): number {
    const found = /^[.,](\d{6})/.exec(this.rest)
    if (found === null) throw this.cannotParse('.000000')
    this.rest = this.rest.slice(7)
    return Number(found[1])
  }

  /** Minutes east of UTC. */
  zone(): number {
    if (this.rest.startsWith('Z')) {
      this.rest = this.rest.slice(1)
      return 0
    }
    const found = /^([+-])(\d\d):(\d\d)/.exec(this.rest)
    if (found === null) throw this.cannotParse('Z07:00')
    const [hours, minutes] = [Number(found[2]), Number(found[3])]
    if (hours > 24) throw this.outOfRange('time zone offset hour')
    if (minutes > 60) throw this.outOfRange('time zone offset minute')
    this.rest = this.rest.slice(6)
    return (found[1] === '-' ? -1 : 1) * (hours * 60 + minutes)
  }

  end(): void {
    if (this.rest !== '')
      throw new FormatError(
        `parsing time ${timeQuote(this.text)}: extra text: ${timeQuote(this.rest)}`,
      )
  }

  outOfRange(what: string): FormatError {
    return new FormatError(`parsing time ${timeQuote(this.text)}: ${what} out of range`)
  }

  private cannotParse(part: string): FormatError {
    return new FormatError(
      `parsing time ${timeQuote(this.text)} as ${timeQuote(this.layout)}: cannot parse ${timeQuote(this.rest)} as ${timeQuote(part)}`,
    )
  }
}

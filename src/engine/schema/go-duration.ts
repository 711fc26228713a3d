import { entryOf } from '../core/object'
import { goQuote } from './go-text'

const UNITS = new Set(['ns', 'us', 'µs', 'μs', 'ms', 's', 'm', 'h'])

/** Go's message; undefined for a valid duration (`1h30m`, `-1.5s`, `0`). */
export function durationProblem(text: string): string | undefined {
  const invalid = `invalid duration ${goQuote(text)}`
  let rest = text.replace(/^[-+]/, '')
  if (rest === '0') return undefined
  if (rest === '') return invalid
  while (rest !== '') {
    const number = /^(\d+\.?\d*|\.\d+)/.exec(rest)?.[0]
    if (number === undefined) return invalid
    rest = rest.slice(number.length)
    const unit = /^[^.\d]*/.exec(rest)?.[0] ?? ''
    if (unit === '') return `missing unit in duration ${goQuote(text)}`
    if (!UNITS.has(unit)) return `unknown unit ${goQuote(unit)} in duration ${goQuote(text)}`
    rest = rest.slice(unit.length)
  }
  return undefined
}

const NANOSECONDS: Record<string, number> = {
  ns: 1,
  us: 1e3,
  µs: 1e3,
  μs: 1e3,
  ms: 1e6,
  s: 1e9,
  m: 60e9,
  h: 3600e9,
}

export function durationMilliseconds(text: string): number {
  let total = 0
  for (const [, amount = '', unit = ''] of text.matchAll(/([\d.]+)([^\d.+-]*)/g))
    total += Number(amount) * (entryOf(NANOSECONDS, unit) ?? 0)
  return (text.startsWith('-') ? -total : total) / 1e6
}

/** `1m30s`, `1.5s`, `250ms`, `0s`; nothing below a millisecond. */
export function goDuration(milliseconds: number): string {
  if (milliseconds === 0) return '0s'
  const sign = milliseconds < 0 ? '-' : ''
  const length = Math.abs(milliseconds)
  if (length < 1000) return `${sign}${length}ms`
  const hours = Math.floor(length / 3_600_000)
  const minutes = Math.floor((length % 3_600_000) / 60_000)
  const seconds = (length % 60_000) / 1000
  return `${sign}${hours > 0 ? `${hours}h` : ''}${hours > 0 || minutes > 0 ? `${minutes}m` : ''}${seconds}s`
}

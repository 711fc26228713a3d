/** Lengths of time as Go writes them: `1h30m`. */
import { goQuote } from './go-text'

const UNITS = new Set(['ns', 'us', 'µs', 'μs', 'ms', 's', 'm', 'h'])

/** Why a text is no duration like `1h30m`, `-1.5s` or `0`, in the words of Go's time package; undefined if it is one. */
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

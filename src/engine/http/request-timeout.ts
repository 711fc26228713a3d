/** `?timeout=`: how long a client wants to wait for an answer. Only its form matters here: nothing takes that long (recorded: wire-params, "timeout-values"). */
import { goQuote } from '../schema/go-text'
import type { RequestInfo } from './request-info'
import { badRequest } from './status'

const UNITS = new Set(['ns', 'us', 'µs', 'μs', 'ms', 's', 'm', 'h'])
/** Requests that stay open as long as both sides want take no such limit. */
const OPEN_ENDED = new Set(['exec', 'attach', 'portforward', 'log', 'proxy'])

/** @throws ApiError 400 */
export function checkTimeout(info: RequestInfo): void {
  const timeout = info.query.get('timeout')
  if (!timeout || info.verb === 'watch' || info.verb === 'proxy' || OPEN_ENDED.has(info.subresource)) return
  const problem = durationProblem(timeout)
  if (problem !== undefined) throw badRequest(`invalid timeout specified in the request URL - time: ${problem}`)
}

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

/** Ages, as Tables print them. See k8s.io/apimachinery, pkg/util/duration. */

const SECOND = 1000
const MINUTE = 60 * SECOND
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const YEAR = 365 * DAY

/**
 * `45s`, `5m30s`, `42m`, `3h15m`, `30h`, `4d6h`, `90d`, `3y40d`; more than a second in the future
 * is `<invalid>`.
 */
export function humanDuration(milliseconds: number): string {
  const seconds = Math.trunc(milliseconds / SECOND)
  if (seconds < -1) return '<invalid>'
  if (seconds < 0) return '0s'
  if (milliseconds < 2 * MINUTE) return `${seconds}s`
  if (milliseconds < 10 * MINUTE) return units(milliseconds, MINUTE, 'm', SECOND, 's')
  if (milliseconds < 3 * HOUR) return units(milliseconds, MINUTE, 'm')
  if (milliseconds < 8 * HOUR) return units(milliseconds, HOUR, 'h', MINUTE, 'm')
  if (milliseconds < 2 * DAY) return units(milliseconds, HOUR, 'h')
  if (milliseconds < 8 * DAY) return units(milliseconds, DAY, 'd', HOUR, 'h')
  if (milliseconds < 2 * YEAR) return units(milliseconds, DAY, 'd')
  if (milliseconds < 8 * YEAR) return units(milliseconds, YEAR, 'y', DAY, 'd')
  return units(milliseconds, YEAR, 'y')
}

function units(
  milliseconds: number,
  big: number,
  bigSign: string,
  small = 0,
  smallSign = '',
): string {
  const rest = small === 0 ? 0 : Math.floor((milliseconds % big) / small)
  return `${Math.floor(milliseconds / big)}${bigSign}${rest === 0 ? '' : `${rest}${smallSign}`}`
}

/** @param time RFC 3339 */
export function since(time: string | null | undefined, now: number): string {
  return time ? humanDuration(now - Date.parse(time)) : '<unknown>'
}

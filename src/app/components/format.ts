/** How figures are written. */

const clock = new Intl.DateTimeFormat(undefined, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hour12: false,
})

/** `14:03:27` */
export const timeText = (at: number): string => clock.format(at)

/** `1.9 ms`, `42 ms`, `3.1 s` */
export function durationText(milliseconds: number): string {
  if (milliseconds >= 1000) return `${(milliseconds / 1000).toFixed(1)} s`
  return `${milliseconds < 10 ? milliseconds.toFixed(1) : Math.round(milliseconds)} ms`
}

/** `1,200` */
export const numberText = (number: number): string => number.toLocaleString('en')

/** `1 object`, `2 objects` */
export const countText = (number: number, one: string, many = `${one}s`): string =>
  `${number} ${number === 1 ? one : many}`

/** `1 older one is`, `1,200 older ones are` */
export const olderText = (number: number): string =>
  `${numberText(number)} older ${number === 1 ? 'one is' : 'ones are'}`

/** `312 B`, `4.2 kB`, `10.7 GB` */
export function sizeText(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`
  if (bytes < 1_000_000) return `${(bytes / 1000).toFixed(1)} kB`
  return bytes < 1_000_000_000
    ? `${(bytes / 1_000_000).toFixed(1)} MB`
    : `${(bytes / 1_000_000_000).toFixed(1)} GB`
}

const LONGEST_SHOWN = 200_000

/** Formats JSON; other text is unchanged. Cuts very long texts. */
export function prettyText(text: string): string {
  const cut = (whole: string) =>
    whole.length <= LONGEST_SHOWN
      ? whole
      : `${whole.slice(0, LONGEST_SHOWN)}\n… ${whole.length - LONGEST_SHOWN} more characters`
  try {
    return cut(JSON.stringify(JSON.parse(text), null, 2))
  } catch {
    return cut(text)
  }
}

/** Maps lines of JavaScript to those of its TypeScript source, by source maps (version 3). */

const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
/**
 * Base64 VLQ: five bits a digit; the sixth is the continuation bit, the first bit of a number is
 * its sign bit.
 */
const MORE = 32

/**
 * @param mappings of a source map with one source
 * @returns the source line (0-based) of each line of JavaScript; without a mapping, that of the
 * previous line
 */
export function sourceLines(mappings: string): number[] {
  let line = 0
  let shown = 0
  return mappings.split(';').map((segments) => {
    for (const [index, segment] of segments.split(',').entries()) {
      line += numbersOf(segment)[2] ?? 0
      if (index === 0) shown = line
    }
    return shown
  })
}

function numbersOf(segment: string): number[] {
  const numbers: number[] = []
  let [value, shift] = [0, 0]
  for (const sign of segment) {
    const digit = DIGITS.indexOf(sign)
    value += (digit & (MORE - 1)) << shift
    shift += 5
    if (digit & MORE) continue
    numbers.push(value & 1 ? -(value >> 1) : value >> 1)
    value = 0
    shift = 0
  }
  return numbers
}

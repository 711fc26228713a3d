const DIGITS = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/'
/** Base64 VLQ: five bits a digit plus a continuation bit; a number's first bit is its sign. */
const MORE = 32

/**
 * @returns the source line (0-based) of each line of JavaScript; unmapped lines inherit the
 * previous one
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

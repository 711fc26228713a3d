/** `1.5`, `1e+06`, `+Inf` (Go, strconv.FormatFloat with 'g'). */
export function formatDouble(value: number): string {
  if (Number.isNaN(value)) return 'NaN'
  if (!Number.isFinite(value)) return value > 0 ? '+Inf' : '-Inf'
  if (Object.is(value, -0)) return '-0'
  const [mantissa = '', exponentText = '0'] = value.toExponential().split('e')
  const exponent = Number(exponentText)
  return value !== 0 && (exponent < -4 || exponent >= 6)
    ? scientific(mantissa, exponent)
    : String(value)
}

/** The same for a 32-bit float. */
export function formatFloat(value: number): string {
  const float = Math.fround(value)
  for (let digits = 1; digits < 9; digits++) {
    const short = Number(float.toPrecision(digits))
    if (Math.fround(short) === float) return formatDouble(short)
  }
  return formatDouble(Number(float.toPrecision(9)))
}

/** Go prints integers of JSON with all digits. */
export const goNumber = (value: number): string =>
  Number.isInteger(value) ? String(value) : formatDouble(value)

function scientific(mantissa: string, exponent: number): string {
  return `${mantissa}e${exponent < 0 ? '-' : '+'}${String(Math.abs(exponent)).padStart(2, '0')}`
}

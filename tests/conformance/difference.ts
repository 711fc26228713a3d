const ENOUGH = 60

/** Where two JSON values differ, one line a place; stops after a page full of them. */
export function differences(
  expected: unknown,
  actual: unknown,
  path = '',
  found: string[] = [],
): string[] {
  if (found.length > ENOUGH) return found
  if (Array.isArray(expected) && Array.isArray(actual)) {
    if (expected.length !== actual.length)
      found.push(`${path}: length ${expected.length} expected, ${actual.length} got`)
    for (let i = 0; i < Math.min(expected.length, actual.length); i++)
      differences(expected[i], actual[i], `${path}[${i}]`, found)
  } else if (isObject(expected) && isObject(actual)) {
    for (const key of new Set([...Object.keys(expected), ...Object.keys(actual)])) {
      if (!(key in actual))
        found.push(`${path}.${key}: missing, expected ${shortened(expected[key])}`)
      else if (!(key in expected))
        found.push(`${path}.${key}: unexpected ${shortened(actual[key])}`)
      else differences(expected[key], actual[key], `${path}.${key}`, found)
    }
  } else if (!Object.is(expected, actual))
    found.push(`${path}: expected ${shortened(expected)}, got ${shortened(actual)}`)
  return found
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

export function shortened(value: unknown): string {
  const text = JSON.stringify(value) ?? 'undefined'
  return text.length > 400 ? `${text.slice(0, 400)}…` : text
}

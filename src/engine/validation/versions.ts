/** semver.org 2.0.0. */

const SEMANTIC =
  /^(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)(?:-([0-9A-Za-z.-]+))?(?:\+[0-9A-Za-z.-]+)?$/

export interface Version {
  numbers: [number, number, number]
  before: string[]
}

export const ZERO_VERSION: Version = { numbers: [0, 0, 0], before: [] }

export function parseVersion(text: string): Version | undefined {
  const [, major, minor, patch, before] = SEMANTIC.exec(text) ?? []
  if (major === undefined) return undefined
  return {
    numbers: [Number(major), Number(minor), Number(patch)],
    before: before === undefined ? [] : before.split('.'),
  }
}

/** semver.org, section 11. Negative if the first has lower precedence. */
export function compareSemantic(a: Version, b: Version): number {
  for (const [i, number] of a.numbers.entries())
    if (number !== b.numbers[i]) return number - (b.numbers[i] ?? 0)
  if (a.before.length === 0 || b.before.length === 0) return b.before.length - a.before.length
  for (const [i, part] of a.before.entries()) {
    const order = comparePart(part, b.before[i])
    if (order !== 0) return order
  }
  return a.before.length - b.before.length
}

function comparePart(a: string, b: string | undefined): number {
  if (b === undefined) return 1
  const [left, right] = [a, b].map((part) => (/^\d+$/.test(part) ? Number(part) : Number.NaN)) as [
    number,
    number,
  ]
  if (Number.isNaN(left) !== Number.isNaN(right)) return Number.isNaN(left) ? 1 : -1
  if (!Number.isNaN(left)) return left - right
  return a < b ? -1 : a > b ? 1 : 0
}

import type { PatternNode } from './pattern-node'

/** RE2's limit for nested repetitions together. */
export const MAX_REPEAT = 1000

export function boundsOf(operator: string): { min: number; max: number } {
  if (operator === '*') return { min: 0, max: Number.POSITIVE_INFINITY }
  if (operator === '+') return { min: 1, max: Number.POSITIVE_INFINITY }
  if (operator === '?') return { min: 0, max: 1 }
  const [least = '', most] = operator.slice(1, -1).split(',')
  const min = Number(least)
  return {
    min,
    max: most === undefined ? min : most === '' ? Number.POSITIVE_INFINITY : Number(most),
  }
}

const mostRepeated = (parts: readonly PatternNode[]): number =>
  parts.reduce((most, part) => Math.max(most, repeats(part)), 1)

export function repeats(node: PatternNode): number {
  switch (node.kind) {
    case 'repetition':
      if (node.max === 0) return 1
      return (
        Math.max(node.max === Number.POSITIVE_INFINITY ? node.min : node.max, 1) * repeats(node.of)
      )
    case 'sequence':
      return mostRepeated(node.parts)
    case 'choice':
      return mostRepeated(node.alternatives)
    default:
      return 1
  }
}

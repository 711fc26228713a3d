/** Maps positions in a YAML scalar to positions in its document. */
import { isMap, isScalar, isSeq, type Node, parseAllDocuments, type Scalar } from 'yaml'
import { nestsTooDeep } from '../manifests/yaml-nesting'

export function scalarAt(
  root: Node,
  path: readonly (string | number)[],
): Scalar<string> | undefined {
  let node: unknown = root
  for (const step of path) {
    if (!isMap(node) && !isSeq(node)) return undefined
    node = node.get(step, true)
  }
  return isScalar(node) && typeof node.value === 'string' ? (node as Scalar<string>) : undefined
}

/** The source position of each UTF-16 unit of a scalar's value, and of its end. */
export function placesIn(source: string, scalar: Scalar<string>): number[] {
  const [start = 0, end = source.length] = scalar.range ?? []
  let at = start + beginOf(source.slice(start, end), scalar)
  const places: number[] = []
  for (const character of scalar.value) {
    if (/\s/.test(character)) {
      places.push(at)
      if (/\s/.test(source[at] ?? '')) at++
    } else {
      while (at < end && !source.startsWith(character, at)) at++
      places.push(at)
      for (let unit = 1; unit < character.length; unit++) places.push(at + unit)
      at += character.length
    }
  }
  return [...places, Math.min(at, end)]
}

function beginOf(source: string, { type }: Scalar<string>): number {
  if (type === 'BLOCK_LITERAL' || type === 'BLOCK_FOLDED') return source.indexOf('\n') + 1
  return type === 'QUOTE_DOUBLE' || type === 'QUOTE_SINGLE' ? 1 : 0
}

/** Tolerates YAML that is incomplete while typing. */
export function checkedPlaces(
  text: string,
  document: number,
  path: readonly (string | number)[],
): { value: string; places: readonly number[] } | undefined {
  if (nestsTooDeep(text)) return undefined
  const root = [...parseAllDocuments(text)][document]?.contents
  const scalar = root ? scalarAt(root as Node, path) : undefined
  return scalar && { value: scalar.value, places: placesIn(text, scalar) }
}

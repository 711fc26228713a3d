import { entryOf, isJsonObject, type Json } from '../../../engine/core/object'
import { toYaml } from '../../../engine/encoding/yaml'
import type { CopiedResponse } from '../../../hosts/shared/release-copy'
import { type LinePair, linePairs } from './line-pairs'

export interface HeaderPair {
  name: string
  left: string | undefined
  right: string | undefined
}

export interface Comparison {
  left: CopiedResponse
  right: CopiedResponse
  headers: HeaderPair[]
  /** Empty if the bodies are equal. */
  body: LinePair[]
}

/** They differ without a change of the release. */
const OF_EXCHANGE = [
  'content-length',
  'date',
  'x-kubernetes-pf-flowschema-uid',
  'x-kubernetes-pf-prioritylevel-uid',
]

export function compared(left: CopiedResponse, right: CopiedResponse): Comparison {
  const names = new Set([...Object.keys(left.headers), ...Object.keys(right.headers)])
  const headers = [...names]
    .filter((name) => !OF_EXCHANGE.includes(name))
    .sort()
    .map((name) => ({
      name,
      left: entryOf(left.headers, name),
      right: entryOf(right.headers, name),
    }))
    .filter((pair) => pair.left !== pair.right)
  return { left, right, headers, body: linePairs(readable(left.text), readable(right.text)) }
}

/** As YAML, which has no commas that depend on the next line. */
function readable(text: string): string {
  try {
    const value = JSON.parse(text) as Json
    return isJsonObject(value) ? toYaml(value) : text
  } catch {
    return text
  }
}

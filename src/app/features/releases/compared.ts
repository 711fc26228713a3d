import { entryOf, isJsonObject, type Json, type JsonObject } from '../../../engine/core/object'
import { toYaml } from '../../../engine/encoding/yaml'
import type { CopiedResponse } from '../../../hosts/shared/release-copy'
import { type LinePair, linePairs } from './line-pairs'

export interface HeaderPair {
  name: string
  left: string | undefined
  right: string | undefined
}

/** What a request leads to, apart from its response. */
export const ASPECTS = ['objects', 'managedFields', 'events', 'decisions'] as const
export type Aspect = (typeof ASPECTS)[number]

export interface Comparison {
  left: CopiedResponse
  right: CopiedResponse
  headers: HeaderPair[]
  /** Empty if the bodies are equal. */
  body: LinePair[]
  /** Empty pairs: equal; undefined: neither side has any. */
  aspects: Record<Aspect, LinePair[] | undefined>
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
  const aspects = Object.fromEntries(
    ASPECTS.map((aspect) => [aspect, pairsOf(TEXTS[aspect](left), TEXTS[aspect](right))]),
  ) as Comparison['aspects']
  const body = linePairs(readable(left.text), readable(right.text))
  return { left, right, headers, body, aspects }
}

const pairsOf = (left: string, right: string): LinePair[] | undefined =>
  left === '' && right === '' ? undefined : linePairs(left, right)

const TEXTS: Record<Aspect, (response: CopiedResponse) => string> = {
  objects: ({ events }) =>
    events
      .filter(({ type }) => type !== 'DELETED')
      .map(({ object }) => {
        const { managedFields: _fields, ...metadata } = object.metadata
        return toYaml({ ...object, metadata } as unknown as JsonObject)
      })
      .join('---\n'),
  managedFields: ({ events }) =>
    events
      .flatMap(({ object }) => object.metadata.managedFields ?? [])
      .map((entry) => toYaml(entry as unknown as JsonObject))
      .join('---\n'),
  events: ({ events }) =>
    events
      .map(({ type, object: { kind, metadata } }) => {
        const name = [metadata.namespace, metadata.name].filter(Boolean).join('/')
        return `${type} ${kind} ${name}\n`
      })
      .join(''),
  decisions: ({ decisions }) => toYaml(JSON.parse(JSON.stringify(decisions)) as JsonObject),
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

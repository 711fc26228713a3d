import { isMap, isScalar, isSeq, LineCounter, type Node, parseDocument } from 'yaml'
import { isJsonObject, type Json, type KubeObject } from '../../../engine/core/object'
import { yamlText } from '../manifests/yaml'
import { keyOf, type Place, valueAt } from './field-paths'
import type { Claim } from './owners'

export interface OwnedLine {
  text: string
  /** The innermost field that starts on the line. */
  place: Place
  claims: Claim[]
  /**
   * `owned`      has an owner
   *   `unowned`    a default, or computed by the server
   *   `server`     never owned: identity and server metadata
   *   `structure`  its parts are owned, further down
   */
  state: 'owned' | 'unowned' | 'server' | 'structure'
  /** Part of a value that is owned as a whole. */
  piece: 'first' | 'inner' | 'last' | undefined
}

/** managedFields never contains these. */
const SERVERS = ['apiVersion', 'kind']
const SERVERS_METADATA = [
  'name',
  'namespace',
  'uid',
  'resourceVersion',
  'generation',
  'creationTimestamp',
  'deletionTimestamp',
  'deletionGracePeriodSeconds',
]

export function ownedLines(object: KubeObject, claims: readonly Claim[]): OwnedLine[] {
  const { managedFields: _managedFields, ...metadata } = object.metadata
  const shown = { ...object, metadata } as unknown as Json
  const text = yamlText(shown).replace(/\n$/, '')
  const starts = startsOf(text)
  const owned = new Owned(claims)
  const lines: OwnedLine[] = []
  let places: Place[] = []
  for (const [index, line] of text.split('\n').entries()) {
    // A line where no field starts continues a multiline value.
    places = starts.get(index + 1) ?? places
    lines.push(lineOf(line, places, owned, shown))
  }
  return withPieces(lines, owned)
}

function startsOf(text: string): Map<number, Place[]> {
  const counter = new LineCounter()
  const document = parseDocument(text, {
    lineCounter: counter,
    prettyErrors: false,
    uniqueKeys: false,
  })
  const found = new Map<number, Place[]>()
  const add = (node: Node, place: Place) => {
    const { line } = counter.linePos(node.range?.[0] ?? 0)
    found.set(line, [...(found.get(line) ?? []), place])
  }
  const walk = (node: Node | null, place: Place): void => {
    if (isMap(node)) {
      for (const { key, value } of node.items) {
        const below = [...place, isScalar(key) ? String(key.value) : '']
        add(key as Node, below)
        walk(value as Node | null, below)
      }
    } else if (isSeq(node)) {
      for (const [index, item] of node.items.entries()) {
        add(item as Node, [...place, index])
        walk(item as Node, [...place, index])
      }
    }
  }
  walk(document.contents, [])
  return found
}

/** Claims by place. */
class Owned {
  private readonly byPlace = new Map<string, Claim[]>()
  /** Ancestors of owned fields. */
  private readonly above = new Set<string>()

  constructor(claims: readonly Claim[]) {
    for (const claim of claims) {
      const { place } = claim
      if (place === undefined) continue
      const key = keyOf(place)
      this.byPlace.set(key, [...(this.byPlace.get(key) ?? []), claim])
      for (let length = 0; length < place.length; length++)
        this.above.add(keyOf(place.slice(0, length)))
    }
  }

  at(place: Place): Claim[] {
    return this.byPlace.get(keyOf(place)) ?? []
  }

  pieceAround(place: Place): Place | undefined {
    for (let length = 1; length <= place.length; length++) {
      const above = place.slice(0, length)
      if (this.at(above).some(({ atomic }) => atomic)) return above
    }
    return undefined
  }

  hasBelow(place: Place): boolean {
    return this.above.has(keyOf(place))
  }
}

function lineOf(text: string, places: readonly Place[], owned: Owned, shown: Json): OwnedLine {
  const place = places[places.length - 1] ?? []
  const piece = owned.pieceAround(place)
  const own = places.flatMap((part) => owned.at(part))
  const claims =
    own.length > 0 || piece === undefined ? own : owned.at(piece).filter(({ atomic }) => atomic)
  return {
    text,
    place,
    claims,
    state: claims.length > 0 ? 'owned' : stateOf(place, owned, shown),
    piece: undefined,
  }
}

function stateOf(place: Place, owned: Owned, shown: Json): OwnedLine['state'] {
  const [first, second] = place
  if (place.length === 1 && SERVERS.includes(String(first))) return 'server'
  if (place.length === 2 && first === 'metadata' && SERVERS_METADATA.includes(String(second)))
    return 'server'
  if (owned.hasBelow(place)) return 'structure'
  const value = valueAt(shown, place)
  // Without managers, metadata has no own value.
  return isJsonObject(value) && place.length === 1 && first === 'metadata' ? 'structure' : 'unowned'
}

function withPieces(lines: OwnedLine[], owned: Owned): OwnedLine[] {
  const keys = lines.map(({ place }) => {
    const piece = owned.pieceAround(place)
    return piece && keyOf(piece)
  })
  return lines.map((line, index) => {
    const key = keys[index]
    if (key === undefined || (keys[index - 1] !== key && keys[index + 1] !== key)) return line
    return {
      ...line,
      piece: keys[index - 1] !== key ? 'first' : keys[index + 1] !== key ? 'last' : 'inner',
    }
  })
}

/** The manifest that a manager would apply: its owned fields and the object's identity. */
import {
  isJsonObject,
  type Json,
  type JsonObject,
  type KubeObject,
} from '../../../engine/core/object'
import { type FieldPath, keyOf, placeOf, valueAt } from './field-paths'
import { type Claim, claimsOf } from './owners'

export function manifestOf(object: KubeObject, owns: (claim: Claim) => boolean): JsonObject {
  return picked(
    object,
    claimsOf(object).filter((claim) => owns(claim)),
  )
}

export function manifestWith(object: KubeObject, path: FieldPath): JsonObject {
  return picked(object, [{ path, itself: false }])
}

function picked(object: KubeObject, parts: readonly Pick<Claim, 'path' | 'itself'>[]): JsonObject {
  const { name = '', namespace } = object.metadata
  const built = build(
    object as unknown as Json,
    parts.map(({ path, itself }) => ({ path, whole: !itself })),
    [],
  )
  const {
    apiVersion: _version,
    kind: _kind,
    metadata,
    ...rest
  } = (isJsonObject(built) ? built : {}) as JsonObject
  return {
    apiVersion: object.apiVersion,
    kind: object.kind,
    metadata: {
      name,
      ...(namespace === undefined ? {} : { namespace }),
      ...(isJsonObject(metadata) ? metadata : {}),
    },
    ...rest,
  }
}

interface Part {
  path: FieldPath
  whole: boolean
}

function build(object: Json, parts: readonly Part[], at: FieldPath): Json | undefined {
  const place = placeOf(object, at)
  const value = place && valueAt(object, place)
  if (value === undefined) return undefined
  const deeper = parts.filter(({ path }) => path.length > at.length)
  if (deeper.length === 0) return parts.some(({ whole }) => whole) ? value : emptyOf(value, at)
  const members = new Map<string, Part[]>()
  for (const part of deeper) {
    const element = part.path[at.length] ?? ''
    members.set(element, [...(members.get(element) ?? []), part])
  }
  const built = [...members].flatMap(([element, below]) => {
    const inner = build(object, below, [...at, element])
    const step = placeOf(object, [...at, element])?.at(-1)
    return inner === undefined || step === undefined ? [] : [{ step, inner }]
  })
  if (Array.isArray(value))
    return built.sort((a, b) => Number(a.step) - Number(b.step)).map(({ inner }) => inner)
  const order = new Map(Object.keys(value as JsonObject).map((name, index) => [name, index]))
  const placeIn = ({ step }: { step: string | number }) => order.get(String(step)) ?? 0
  built.sort((a, b) => placeIn(a) - placeIn(b))
  const own = Object.fromEntries(built.map(({ step, inner }) => [step, inner]))
  const key = keyMembers(at)
  // Part of the key suffices: the rest is defaulted again.
  return Object.keys(key).some((name) => name in own) ? own : { ...key, ...own }
}

/** A list item keeps its key, an object is empty. */
function emptyOf(value: Json, at: FieldPath): Json {
  if (Array.isArray(value)) return []
  return isJsonObject(value) ? keyMembers(at) : value
}

function keyMembers(at: FieldPath): JsonObject {
  const element = at[at.length - 1] ?? ''
  return element.startsWith('k:') ? (JSON.parse(element.slice(2)) as JsonObject) : {}
}

/** Removes the parts at these paths, and what becomes empty. */
export function manifestWithout(
  object: KubeObject,
  owns: (claim: Claim) => boolean,
  paths: readonly FieldPath[],
): JsonObject {
  const gone = new Set(paths.map(keyOf))
  return manifestOf(object, (claim) => owns(claim) && !gone.has(keyOf(claim.path)))
}

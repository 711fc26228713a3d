/** The effects of a write on values and ownership: the live object against a dry run. */
import { equalJson, isJsonObject, type Json, type KubeObject } from '../../../engine/core/object'
import { CONFLICT } from '../manifests/failure'
import { changesBetween } from '../objects/changes'
import { type FieldPath, keyOf, pathText, valueOn } from './field-paths'
import { type Claim, claimsOf, type Owner } from './owners'

/**
 * `added` `removed` `changed`  the writer changes the value
 *   `reset`        the value returns to its default, no manager sets it
 *   `taken`        other managers lose the field
 *   `shared`       one more owner
 *   `claimed`      the first owner
 *   `relinquished` the writer no longer owns it
 *   `followed`     the server computed the value from other changes
 */
export type Effect =
  | 'added'
  | 'removed'
  | 'changed'
  | 'reset'
  | 'taken'
  | 'shared'
  | 'claimed'
  | 'relinquished'
  | 'followed'

export interface FieldEffect {
  /** As `pathText` writes it. */
  field: string
  effect: Effect
  before: Json | undefined
  after: Json | undefined
  ownersBefore: Owner[]
  ownersAfter: Owner[]
}

/**
 * @returns changed fields in their order after the write, then removed fields, then fields that
 * followed
 */
export function effectsOf(before: KubeObject, after: KubeObject, writer: Writer): FieldEffect[] {
  const [was, is] = [owned(before), owned(after)]
  const found = new Map<string, { path: FieldPath; effect: FieldEffect }>()
  for (const key of new Set([...is.keys(), ...was.keys()])) {
    const parts = { was: was.get(key), is: is.get(key) }
    const effect = effectOn(parts, before, after, writer)
    if (effect) found.set(key, { path: (parts.is ?? parts.was ?? NONE).path, effect })
  }
  return [...outermost(found), ...followed(before, after, found)]
}

/** A writer is recognized by name and operation only. */
export type Writer = Pick<Owner, 'name' | 'operation'>

function isWriter(owner: Owner, { name, operation }: Writer): boolean {
  return owner.name === name && owner.operation === operation
}

interface Owned {
  path: FieldPath
  owners: Owner[]
  itself: boolean
}

const NONE: Owned = { path: [], owners: [], itself: false }

function owned(object: KubeObject): Map<string, Owned> {
  const found = new Map<string, Owned>()
  for (const { path, owner, itself } of claimsOf(object) as Claim[]) {
    const key = keyOf(path)
    const known = found.get(key)
    found.set(key, {
      path,
      owners: [...(known?.owners ?? []), owner],
      itself: itself && (known?.itself ?? true),
    })
  }
  return found
}

function effectOn(
  { was = NONE, is = NONE }: { was: Owned | undefined; is: Owned | undefined },
  before: KubeObject,
  after: KubeObject,
  writer: Writer,
): FieldEffect | undefined {
  const { path } = is === NONE ? was : is
  const [old, young] = [before, after].map((object) => valueOn(object as unknown as Json, path))
  const effect = kindOf({ old, young, was, is, writer })
  return (
    effect && {
      field: pathText(path),
      effect,
      before: old,
      after: young,
      ownersBefore: was.owners,
      ownersAfter: is.owners,
    }
  )
}

interface Compared {
  old: Json | undefined
  young: Json | undefined
  was: Owned
  is: Owned
  writer: Writer
}

function kindOf({ old, young, was, is, writer }: Compared): Effect | undefined {
  const [had, has] = [was, is].map(({ owners }) => owners.some((owner) => isWriter(owner, writer)))
  if (old === undefined) return young === undefined || is.owners.length === 0 ? undefined : 'added'
  if (young === undefined) return was.owners.length === 0 ? undefined : 'removed'
  // A value with several owners is listed by its parts.
  const divided =
    (was.itself || is.itself || !had !== !has) && isJsonObject(old) && isJsonObject(young)
  if (!divided && !equalJson(old, young)) return has ? 'changed' : had ? 'reset' : 'followed'
  if (had && !has) return 'relinquished'
  const lost = was.owners.some(
    (owner) => !isWriter(owner, writer) && !is.owners.some(({ id }) => id === owner.id),
  )
  if (lost) return has ? 'taken' : undefined
  if (!had && has) return was.owners.length > 0 ? 'shared' : 'claimed'
  return undefined
}

/** Lists added and removed values as a whole, others only by their parts. */
function outermost(
  found: ReadonlyMap<string, { path: FieldPath; effect: FieldEffect }>,
): FieldEffect[] {
  const same = (path: FieldPath, { effect }: FieldEffect) =>
    found.get(keyOf(path))?.effect.effect === effect
  const covered = new Set<string>()
  for (const [, { path, effect }] of found) {
    for (let length = 1; length < path.length; length++) {
      const above = path.slice(0, length)
      if (!same(above, effect)) continue
      covered.add(
        effect.effect === 'added' || effect.effect === 'removed' ? keyOf(path) : keyOf(above),
      )
    }
  }
  return [...found].filter(([key]) => !covered.has(key)).map(([, { effect }]) => effect)
}

/** Changed values that no owned path names. */
function followed(
  before: KubeObject,
  after: KubeObject,
  found: ReadonlyMap<string, { path: FieldPath }>,
): FieldEffect[] {
  const changed = [...found.values()].map(({ path }) => plain(pathText(path)))
  const within = (path: string, other: string) =>
    path === other || path.startsWith(`${other}.`) || path.startsWith(`${other}[`)
  return changesBetween(before as unknown as Json, after as unknown as Json)
    .filter(
      ({ path, bookkeeping }) =>
        !bookkeeping &&
        !changed.some((other) => within(plain(path), other) || within(other, plain(path))),
    )
    .map(({ path, before: old, after: young }) => ({
      field: path,
      effect: 'followed' as const,
      before: old,
      after: young,
      ownersBefore: [],
      ownersAfter: [],
    }))
}

/** The two path syntaxes quote differently. */
const plain = (path: string): string =>
  path
    .replaceAll('"', '')
    .replace(/\[([^\]]*)(?:\]|$)/g, (whole, name: string) =>
      /[./]/.test(name) && !name.includes('=') ? `.${name}` : whole,
    )

/** A field in the conflict of an apply. */
export interface ConflictField {
  field: string
  path: FieldPath | undefined
  yours: Json | undefined
  live: Json | undefined
  owners: Owner[]
}

export interface ConflictCause {
  reason?: string
  field?: string
}

/**
 * The fields of a 409 with their owners. The message does not escape dots in names, so each path is
 * looked up among the owned ones.
 */
export function conflictsOf(
  causes: readonly ConflictCause[],
  manifest: Json,
  live: KubeObject,
): ConflictField[] {
  const owned = new Map<string, { path: FieldPath; owners: Owner[] }>()
  for (const { path, owner } of claimsOf(live)) {
    const text = pathText(path)
    owned.set(text, { path, owners: [...(owned.get(text)?.owners ?? []), owner] })
  }
  const fields = new Set(
    causes.filter(({ reason }) => reason === CONFLICT).flatMap(({ field }) => field ?? []),
  )
  return [...fields].map((field) => {
    const { path, owners = [] } = owned.get(field) ?? {}
    return {
      field,
      path,
      owners,
      yours: path && valueOn(manifest, path),
      live: path && valueOn(live as unknown as Json, path),
    }
  })
}

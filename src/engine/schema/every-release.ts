/**
 * Kinds of removed versions (`extensions/v1beta1` …), separate so that they are loaded only when
 * needed.
 */

import { memoizeByIdentity } from '../core/identity-memo'
import type { GroupVersionKind } from '../core/object'
import { removedTypes } from '../generated/removed-types'
import { COMMON_VERSIONS, TYPES } from '../generated/types'
import type { ReleaseTables } from '../release-tables/tables'
import { BuiltinModel, modelOf } from './builtin'
import type { StructType, TypeModel, TypeNode } from './model'

let baseModel: TypeModel | undefined

const releaseModel = memoizeByIdentity((tables: ReleaseTables) => makeModel(tables))

const makeModel = (tables?: ReleaseTables): TypeModel =>
  new BuiltinModel(
    { ...TYPES, ...removedTypes(), ...tables?.table('types') },
    tables?.table('commonVersions') ?? COMMON_VERSIONS,
    tables?.changes.has('KeysOfItemsOptional'),
  )

/**
 * The model of all kinds that the emulated or an earlier release served, for objects of older clients
 * and releases. Its types are other objects than those of `modelOf`, with equal content.
 */
export function modelOfEveryRelease(tables?: ReleaseTables): TypeModel {
  if (tables !== undefined && !tables.isBase) return releaseModel(tables)
  baseModel ??= makeModel(tables)
  return baseModel
}

/** Types that are the same in all releases. */
const SHARED = 'io.k8s.apimachinery.'

/** A type by its name in the OpenAPI documents; those of this release are found without loading the others. */
export function namedTypeOfEveryRelease(
  name: string,
  tables?: ReleaseTables,
): TypeNode | undefined {
  return (
    modelOf(tables).byName(name) ??
    (name.startsWith(SHARED) ? undefined : modelOfEveryRelease(tables).byName(name))
  )
}

/** The type of a kind of any release, found likewise. */
export function kindOfEveryRelease(
  { group, version, kind }: GroupVersionKind,
  tables?: ReleaseTables,
): StructType | undefined {
  return (
    modelOf(tables).byKind(group, version, kind) ??
    modelOfEveryRelease(tables).byKind(group, version, kind)
  )
}

/**
 * The type of a kind of any release, including query options (`PodExecOptions`), which have no kind
 * of their own.
 */
export function typeOfEveryRelease(
  { group, version, kind }: GroupVersionKind,
  tables?: ReleaseTables,
): StructType | undefined {
  const model = modelOfEveryRelease(tables)
  const named =
    model.byKind(group, version, kind) ??
    model.byName(`io.k8s.api.${group === '' ? 'core' : group}.${version}.${kind}`)
  return named?.type === 'struct' ? named : undefined
}

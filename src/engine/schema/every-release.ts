/** Kinds of removed versions (`extensions/v1beta1` …), loaded only when needed. */

import { memoizeByIdentity } from '../core/identity-memo'
import type { GroupVersionKind } from '../core/object'
import { removedTypes } from '../generated/removed-types'
import { COMMON_VERSIONS, TYPES } from '../generated/types'
import type { ReleaseTables } from '../release-tables/tables'
import { BuiltinModel, modelOf, typeRules } from './builtin'
import type { StructType, TypeModel, TypeNode } from './model'

let baseModel: TypeModel | undefined

const releaseModel = memoizeByIdentity((tables: ReleaseTables) => makeModel(tables))

const makeModel = (tables?: ReleaseTables): TypeModel =>
  new BuiltinModel(
    { ...TYPES, ...removedTypes(), ...tables?.table('types') },
    tables?.table('commonVersions') ?? COMMON_VERSIONS,
    typeRules(tables),
  )

/**
 * All kinds of the emulated and earlier releases. Types equal those of `modelOf`, but are other
 * objects.
 */
export function modelOfEveryRelease(tables?: ReleaseTables): TypeModel {
  if (tables !== undefined && !tables.isBase) return releaseModel(tables)
  baseModel ??= makeModel(tables)
  return baseModel
}

const SHARED = 'io.k8s.apimachinery.'

/** Does not load other releases if unnecessary. @param name in the OpenAPI documents */
export function namedTypeOfEveryRelease(
  name: string,
  tables?: ReleaseTables,
): TypeNode | undefined {
  return (
    modelOf(tables).byName(name) ??
    (name.startsWith(SHARED) ? undefined : modelOfEveryRelease(tables).byName(name))
  )
}

export function kindOfEveryRelease(
  { group, version, kind }: GroupVersionKind,
  tables?: ReleaseTables,
): StructType | undefined {
  return (
    modelOf(tables).byKind(group, version, kind) ??
    modelOfEveryRelease(tables).byKind(group, version, kind)
  )
}

/** Finds query options (`PodExecOptions`) too, which have no kind of their own. */
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

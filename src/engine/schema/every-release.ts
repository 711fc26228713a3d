/** Kinds of versions that this release no longer serves (`extensions/v1beta1` …), apart so that only those who need them load them. */
import { removedTypes } from '../generated/removed-types'
import { TYPES } from '../generated/types'
import type { GroupVersionKind } from '../object'
import { BuiltinModel, builtinModel } from './builtin'
import type { StructType, TypeModel, TypeNode } from './model'

let model: TypeModel | undefined

/**
 * The model of every kind that any release served, for reading what older clients and releases wrote. Its types are not those of
 * `builtinModel`, though they say the same.
 */
export function modelOfEveryRelease(): TypeModel {
  model ??= new BuiltinModel({ ...TYPES, ...removedTypes() })
  return model
}

/** Types that are the same in all releases. */
const SHARED = 'io.k8s.apimachinery.'

/** A type by its name in the OpenAPI documents; those of this release are found without loading the others. */
export function namedTypeOfEveryRelease(name: string): TypeNode | undefined {
  return (
    builtinModel().byName(name) ??
    (name.startsWith(SHARED) ? undefined : modelOfEveryRelease().byName(name))
  )
}

/** The type of a kind of any release, found likewise. */
export function kindOfEveryRelease({
  group,
  version,
  kind,
}: GroupVersionKind): StructType | undefined {
  return (
    builtinModel().byKind(group, version, kind) ??
    modelOfEveryRelease().byKind(group, version, kind)
  )
}

/** The type of a kind of any release; also of those that only stand in queries (`PodExecOptions`) and so name no kind themselves. */
export function typeOfEveryRelease({
  group,
  version,
  kind,
}: GroupVersionKind): StructType | undefined {
  const model = modelOfEveryRelease()
  const named =
    model.byKind(group, version, kind) ??
    model.byName(`io.k8s.api.${group === '' ? 'core' : group}.${version}.${kind}`)
  return named?.type === 'struct' ? named : undefined
}

/** Kinds of versions that this release no longer serves (`extensions/v1beta1` …), apart so that only those who need them load them. */
import { removedTypes } from '../facts/removed-types'
import { TYPES } from '../facts/types'
import { BuiltinModel } from './builtin'
import type { TypeModel } from './model'

let model: TypeModel | undefined

/**
 * The model of every kind that any release served, for reading what older clients and releases wrote. Its types are not those of
 * `builtinModel`, though they say the same.
 */
export function modelOfEveryRelease(): TypeModel {
  model ??= new BuiltinModel({ ...TYPES, ...removedTypes() })
  return model
}

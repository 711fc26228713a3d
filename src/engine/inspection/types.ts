/** The types that expressions of policies are checked with, and the checks, for tools that show them. */
export {
  type CheckedKind,
  declarationsFor,
  kindsIn,
  paramsType,
  type ServedKind,
  type ServedKinds,
  typeWarnings,
} from '../policy/type-check/check'
export { typeOf } from '../policy/type-check/types'

export {
  type CheckedKind,
  declarationsFor,
  kindsIn,
  paramsType,
  type ServedKind,
  type ServedKinds,
} from '../policy/type-check/check'
export { typeOf } from '../policy/type-check/types'

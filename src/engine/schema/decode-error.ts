import type { Json } from '../core/object'
import { FormatError } from './format-error'
import { MOST_NESTED } from './nesting'

/** `found` is `number 1.5`. */
interface Mismatch {
  found: string
  goType: string
}

/** kube-apiserver's message: `json: cannot unmarshal …`. */
export class DecodeError extends Error {
  constructor(
    message: string,
    readonly mismatch?: Mismatch,
  ) {
    super(message)
  }
}

export function withFormatErrors<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw error instanceof FormatError ? new DecodeError(error.message) : error
  }
}

/** kube-apiserver's message, with this program's limit. */
export const tooDeep = (): DecodeError =>
  new DecodeError(`json: exceeded max depth of ${MOST_NESTED}`)

export function kindOf(value: Json): string {
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

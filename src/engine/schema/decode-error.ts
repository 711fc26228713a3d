/** Errors of decoding, and how they name values. */
import type { Json } from '../core/object'
import { FormatError } from './format-error'
import { MOST_NESTED } from './nesting'

/** A value of the wrong kind: what it is (`number 1.5`) and the Go type that it should be. */
interface Mismatch {
  found: string
  goType: string
}

/**
 * The object does not fit its type; the message is kube-apiserver's (`json: cannot unmarshal …`).
 */
export class DecodeError extends Error {
  constructor(
    message: string,
    readonly mismatch?: Mismatch,
  ) {
    super(message)
  }
}

/** Errors of times and quantities are errors of decoding. */
export function withFormatErrors<T>(run: () => T): T {
  try {
    return run()
  } catch (error) {
    throw error instanceof FormatError ? new DecodeError(error.message) : error
  }
}

/** An error of this program, with kube-apiserver's message for excessive depth. */
export const tooDeep = (): DecodeError =>
  new DecodeError(`json: exceeded max depth of ${MOST_NESTED}`)

/** The JSON kind of a value as type errors name it. */
export function kindOf(value: Json): string {
  if (Array.isArray(value)) return 'array'
  return typeof value === 'boolean' ? 'bool' : typeof value
}

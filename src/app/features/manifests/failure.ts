import type { ApiResponse } from '../../state/client'
import * as texts from './shell-texts'

export interface Cause {
  /** `FieldManagerConflict`: another manager owns the field with another value. */
  reason?: string
  /** `spec.containers[0].image`; empty: the whole object. */
  field: string
  message: string
}

export const CONFLICT = 'FieldManagerConflict'

export const UNSENT = texts.unsent

export interface Failure {
  message: string
  causes: Cause[]
  advice?: string
}

interface Status {
  message?: string
  reason?: string
  details?: {
    kind?: string
    name?: string
    causes?: { reason?: string; field?: string; message?: string }[]
  }
}

export const QUOTE_TEXTS = texts.quoteStrings

/** Hints by reason and message of a Status; the first match wins. */
const ADVICE: { reason?: string; message?: RegExp; advice: string }[] = [
  {
    message: /strict decoding error/,
    advice: texts.unknownAdvice,
  },
  {
    message: /^failed to create typed patch object[\s\S]*expected string, got/,
    advice: QUOTE_TEXTS,
  },
  {
    message: /^failed to create typed patch object/,
    advice: texts.schemaAdvice,
  },
  {
    message: /^namespaces "[^"]*" not found/,
    advice: texts.namespaceAdvice,
  },
  {
    reason: 'AlreadyExists',
    advice: texts.existsAdvice,
  },
  { reason: 'NotFound', advice: texts.notFoundAdvice },
  {
    reason: 'Conflict',
    message: /^Apply failed with/,
    advice: texts.conflictAdvice,
  },
  {
    reason: 'Conflict',
    advice: texts.modifiedAdvice,
  },
  { message: /ValidatingAdmissionPolicy '/, advice: texts.policyAdvice },
  { message: /^admission webhook "[^"]*" denied/, advice: texts.webhookAdvice },
  {
    reason: 'Forbidden',
    message: /being terminated/,
    advice: texts.terminatingAdvice,
  },
  { reason: 'Forbidden', message: /exceeded quota/, advice: texts.quotaAdvice },
  {
    reason: 'Forbidden',
    message: /User "/,
    advice: texts.permissionAdvice,
  },
  {
    reason: 'Invalid',
    message: /field is immutable/,
    advice: texts.immutableAdvice,
  },
  {
    reason: 'Invalid',
    message: /Invalid value: "[“”„‘’]/,
    advice: texts.curlyAdvice,
  },
  { reason: 'Invalid', advice: texts.invalidAdvice },
  { reason: 'Unauthorized', advice: texts.credentialAdvice },
  { reason: 'ServiceUnavailable', advice: texts.unavailableAdvice },
  { reason: 'BadRequest', advice: texts.decodeAdvice },
]

export function failureOf(response: Pick<ApiResponse, 'status' | 'json' | 'text'>): Failure {
  const status = (response.json ?? {}) as Status
  const message = status.message ?? (response.text || texts.status(response.status))
  const causes = (status.details?.causes ?? [])
    .map(({ reason, field = '', message: text = '' }) => ({
      field,
      message: text,
      ...(reason ? { reason } : {}),
    }))
    // A policy's only cause repeats the message.
    .filter((cause) => cause.field !== '' || !message.includes(cause.message))
  const advice = ADVICE.find(
    (entry) =>
      (entry.reason ?? status.reason) === status.reason && (entry.message?.test(message) ?? true),
  )?.advice
  return {
    message,
    causes: causes.length > 0 ? causes : fieldsIn(message),
    ...(advice ? { advice } : {}),
  }
}

/** False for field manager conflicts. */
export function isConflict(response: Pick<ApiResponse, 'status' | 'json' | 'text'>): boolean {
  const { reason } = (response.json ?? {}) as Status
  return (
    reason === 'Conflict' && !failureOf(response).causes.some((cause) => cause.reason === CONFLICT)
  )
}

const INVALID = ' is invalid: '

/** The server's message, without the parts that its causes repeat. */
export function aboveCauses({ message, causes }: Pick<Failure, 'message' | 'causes'>): string {
  const at = message.indexOf(INVALID)
  const repeated = causes.every((cause) => message.includes(cause.message))
  return at < 0 || causes.length === 0 || !repeated
    ? message
    : message.slice(0, at + INVALID.length - 1)
}

/** For messages without causes: unknown, duplicate and mistyped fields. */
export function fieldsIn(message: string): Cause[] {
  const unknown = [...message.matchAll(/(unknown|duplicate) field "([^"]+)"/g)].map(
    ([, what, field]) => ({
      field: field ?? '',
      message: `${what} field`,
    }),
  )
  const wrong = [
    ...message.matchAll(/cannot unmarshal (\w+) into Go struct field \w+\.(\S+) of type (\S+)/g),
  ].map(([, is, field, wanted]) => ({
    field: field ?? '',
    message: `is of type ${is}, must be ${wanted}`,
  }))
  const [, untyped = ''] =
    /^failed to create typed patch object \(.*?\): (?:errors:)?([\s\S]*)/.exec(message) ?? []
  const applied = [...untyped.matchAll(/^[ \t]*(\.\S.*?): (.+)$/gm)].map(
    ([, field = '', text = '']) => ({
      field,
      message: text.replace(/&value\.valueUnstructured\{Value:(.*)\}$/, '$1'),
    }),
  )
  return [...unknown, ...wrong, ...applied]
}

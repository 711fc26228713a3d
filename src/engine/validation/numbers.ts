/** Texts recorded from kube-apiserver 1.31. */

import type { Json } from '../core/object'
import type { FieldError } from '../http/status'
import { invalidValue } from './field-errors'
import { invalidStructure } from './go-literal'
import { regexMessage } from './names'

/** Absent counts as zero. */
export function notNegative(field: string, value: number | undefined | null): FieldError[] {
  return (value ?? 0) < 0 ? [invalidValue(field, value, 'must be greater than or equal to 0')] : []
}

export const rangeText = (low: number, high: number): string =>
  `must be between ${low} and ${high}, inclusive`

export function inRange(field: string, value: number, low: number, high: number): FieldError[] {
  return value < low || value > high ? [invalidValue(field, value, rangeText(low, high))] : []
}

export const portNumberErrors = (field: string, port: number): FieldError[] =>
  inRange(field, port, 1, 65535)

const MAX_PORT_NAME = 15

/** RFC 6335, section 5.1. */
export function portNameProblems(name: string): string[] {
  const problems: string[] = []
  if (name.length > MAX_PORT_NAME) problems.push(`must be no more than ${MAX_PORT_NAME} characters`)
  if (!/^[-a-z0-9]+$/.test(name))
    problems.push('must contain only alpha-numeric characters (a-z, 0-9), and hyphens (-)')
  if (!/[a-z]/.test(name)) problems.push('must contain at least one letter (a-z)')
  if (name.includes('--')) problems.push('must not contain consecutive hyphens')
  if (name.startsWith('-') || name.endsWith('-'))
    problems.push('must not begin or end with a hyphen')
  return problems
}

export function portErrors(field: string, port: number | string | undefined | null): FieldError[] {
  if (typeof port === 'string')
    return portNameProblems(port).map((problem) => invalidValue(field, port, problem))
  return portNumberErrors(field, port ?? 0)
}

export type Amount = number | string

const PERCENT = '[0-9]+%'
const INT_OR_STRING = 'io.k8s.apimachinery.pkg.util.intstr.IntOrString'

export const invalidAmount = (field: string, value: Amount, why: string): FieldError =>
  invalidStructure(field, INT_OR_STRING, value as Json, why)

export function amountErrors(field: string, value: Amount): FieldError[] {
  if (typeof value === 'number') return notNegative(field, value)
  if (/^[0-9]+%$/.test(value)) return []
  const text = `a valid percent string must be a numeric string followed by an ending '%'`
  return [invalidAmount(field, value, regexMessage(text, PERCENT, '1%', '93%'))]
}

export function atMostWhole(field: string, value: Amount): FieldError[] {
  return (percentOf(value) ?? 0) > 100
    ? [invalidAmount(field, value, 'must not be greater than 100%')]
    : []
}

const percentOf = (value: Amount): number | undefined =>
  typeof value === 'string' && /^[0-9]+%$/.test(value) ? Number(value.slice(0, -1)) : undefined

/** Other texts count as zero. */
export function plainAmount(value: Amount): number {
  if (typeof value === 'number') return value
  return percentOf(value) ?? (/^[-+]?\d+$/.test(value) ? Number(value) : 0)
}

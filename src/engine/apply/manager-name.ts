/**
 * Derives the field manager of a request that names none. See kubernetes.io, "Server-Side Apply",
 * "Managers".
 */

import { goQuote } from '../schema/go-text'

const MAX_BYTES = 128
const UNKNOWN = 'unknown'

const UNPRINTABLE = /[\p{C}\p{Zl}\p{Zp}]|(?! )\p{Zs}/u

/**
 * `fieldManager`, else the start of User-Agent: `kubectl` of `kubectl/v1.31 (linux)`. See
 * k8s.io/apiserver, endpoints/handlers/create.go, `managerOrUserAgent`.
 */
export function managerName(
  fieldManager: string | undefined,
  userAgent: string | undefined,
): string {
  if (fieldManager) return fieldManager
  const client = userAgent ?? ''
  const slash = client.indexOf('/')
  const product = slash < 0 ? client : client.slice(0, slash)
  if (isPlain(product)) return product
  let name = ''
  let bytes = 0
  for (const sign of product) {
    if (UNPRINTABLE.test(sign)) continue
    bytes += utf8Length(sign)
    if (bytes > MAX_BYTES) break
    name += sign
  }
  return name || UNKNOWN
}

/** Nearly all User-Agents are, and need no cleaning. */
function isPlain(name: string): boolean {
  if (name.length === 0 || name.length > MAX_BYTES) return false
  for (let i = 0; i < name.length; i++) {
    const code = name.charCodeAt(i)
    if (code < 0x21 || code > 0x7e) return false
  }
  return true
}

export interface ManagerNameProblem {
  reason: 'FieldValueTooLong' | 'FieldValueInvalid'
  detail: string
}

/** Messages recorded from kube-apiserver 1.31. */
export function managerNameProblems(name: string): ManagerNameProblem[] {
  const problems: ManagerNameProblem[] = []
  if (isPlain(name)) return problems
  let bytes = 0
  let unprintable: { sign: string; at: number } | undefined
  for (const sign of name) {
    if (unprintable === undefined && UNPRINTABLE.test(sign)) unprintable = { sign, at: bytes }
    bytes += utf8Length(sign)
  }
  if (bytes > MAX_BYTES)
    problems.push({
      reason: 'FieldValueTooLong',
      detail: `Too long: must have at most ${MAX_BYTES} bytes`,
    })
  if (unprintable !== undefined) {
    const { sign, at } = unprintable
    const code = (sign.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')
    problems.push({
      reason: 'FieldValueInvalid',
      detail: `Invalid value: ${goQuote(name)}: invalid character U+${code} (at position ${at})`,
    })
  }
  return problems
}

function utf8Length(sign: string): number {
  const code = sign.codePointAt(0) ?? 0
  return code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4
}

import { isJsonObject, type Json, type JsonObject } from '../core/object'
import { type ApiError, badRequest, failure } from '../http/status'
import type { DocumentDetails } from '../schema/json-parser'

const MAX_OPERATIONS = 10_000
const MEMBERS = new Set(['op', 'path', 'from', 'value'])
/** In order of validation. */
const TEXTS = ['op', 'path', 'from'] as const

/**
 * @param patch null is empty
 * @param validated report unknown and misfitting members
 * @param details has operations with repeated members
 * @throws ApiError 400 if it is not a list of operations, 413 for too many
 */
export function readJsonPatch(
  patch: Json,
  validated = true,
  details?: Pick<DocumentDetails, 'repeated'>,
): { operations: JsonObject[]; problems: string[] } {
  if (patch === null) return { operations: [], problems: [] }
  const misread = (value: Json, target: string): ApiError => undecodable(value, target, validated)
  if (!Array.isArray(patch))
    throw misread(
      patch,
      `Go value of type ${validated ? '[]handlers.jsonPatchOp' : 'jsonpatch.Patch'}`,
    )
  const problems: string[] = []
  const operations = patch.map((entry, index) => {
    if (entry === null) return {}
    if (!isJsonObject(entry))
      throw misread(
        entry,
        `Go value of type ${validated ? 'handlers.jsonPatchOp' : 'jsonpatch.Operation'}`,
      )
    if (!validated) return entry
    for (const name of TEXTS) {
      const value = entry[name]
      if (value !== undefined && value !== null && typeof value !== 'string') {
        throw misread(value, `Go struct field jsonPatchOp.${name} of type string`)
      }
    }
    const names = details?.repeated.get(entry)?.map(([name]) => name) ?? Object.keys(entry)
    for (const problem of memberProblems(names))
      problems.push(`json patch ${problem[0]} field "[${index}].${problem[1]}"`)
    return entry
  })
  if (operations.length > MAX_OPERATIONS) {
    throw failure(
      413,
      'RequestEntityTooLarge',
      `Request entity too large: The allowed maximum operations in a JSON patch is ${MAX_OPERATIONS}, got ${operations.length}`,
    )
  }
  return { operations, problems }
}

/** In order, each once. */
function memberProblems(names: readonly string[]): [kind: 'unknown' | 'duplicate', name: string][] {
  const seen = new Set<string>()
  const repeated = new Set<string>()
  const problems: [kind: 'unknown' | 'duplicate', name: string][] = []
  for (const name of names) {
    if (!seen.has(name)) {
      if (!MEMBERS.has(name)) problems.push(['unknown', name])
    } else if (MEMBERS.has(name) && !repeated.has(name)) {
      problems.push(['duplicate', name])
      repeated.add(name)
    }
    seen.add(name)
  }
  return problems
}

/** Only field validation names the error. Compared with kube-apiserver 1.31. */
function undecodable(value: Json, target: string, validated: boolean): ApiError {
  const kind =
    value === null
      ? 'null'
      : Array.isArray(value)
        ? 'array'
        : typeof value === 'boolean'
          ? 'bool'
          : typeof value
  return badRequest(
    `${validated ? 'error decoding patch: ' : ''}json: cannot unmarshal ${kind} into ${target}`,
  )
}

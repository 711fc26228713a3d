/** Messages recorded from kube-apiserver 1.31. */

import type { Operation } from '../admission/admission'
import { managerNameProblems } from '../apply/manager-name'
import { append } from '../core/lists'
import type { JsonObject } from '../core/object'
import { parseSelectors, type Selectors } from '../registry/selection'
import { goJson } from '../schema/go-json'
import { signedProblem } from '../schema/go-parse-number'
import { goQuote } from '../schema/go-text'
import { notSupported, notSupportedPrinted } from '../validation/field-errors'
import { isTrue, type Query } from './query'
import type { FieldError } from './status'
import { badRequest, failure, invalid } from './status'

export interface WriteOptions {
  dryRun: boolean
  fieldManager: string
  fieldValidation: 'Ignore' | 'Warn' | 'Strict'
  force: boolean
}

const META = 'meta.k8s.io'
const VALIDATION = ['Ignore', 'Warn', 'Strict'] as const

/** @throws ApiError 400 with strconv's message */
export function integer(text: string | undefined): number | undefined {
  if (text === undefined) return undefined
  const problem = signedProblem(text)
  if (problem !== undefined) throw badRequest(problem)
  return Number(text)
}

/** Even an empty value is true. */
export function flag(query: Query, name: string): boolean | undefined {
  const value = query.get(name)
  return value === undefined ? undefined : isTrue(value)
}

export function dryRunErrors(values: string[]): FieldError[] {
  if (values.every((value) => value === 'All')) return []
  const go = `[]string{${values.map(goQuote).join(', ')}}`
  return [notSupportedPrinted('dryRun', { go, json: goJson(values) }, ['All'])]
}

export type WriteKind = 'CreateOptions' | 'UpdateOptions' | 'PatchOptions'

/**
 * @param apply requires a field manager and permits `force`
 * @throws ApiError 422
 */
export function writeOptions(query: Query, kind: WriteKind, apply = false): WriteOptions {
  const fieldManager = query.get('fieldManager') ?? ''
  const dryRun = query.all('dryRun')
  const validation = query.get('fieldValidation') ?? ''
  const force = flag(query, 'force')
  const errors: FieldError[] = []
  if (kind === 'PatchOptions') {
    if (apply && fieldManager === '') {
      errors.push({
        field: 'fieldManager',
        reason: 'FieldValueRequired',
        detail: 'Required value: is required for apply patch',
      })
    }
    if (!apply && force !== undefined) {
      errors.push({
        field: 'force',
        reason: 'FieldValueForbidden',
        detail: 'Forbidden: may not be specified for non-apply patch',
      })
    }
  }
  append(
    errors,
    managerNameProblems(fieldManager).map((problem) => ({ field: 'fieldManager', ...problem })),
    dryRunErrors(dryRun),
  )
  if (validation !== '' && !VALIDATION.includes(validation as 'Warn')) {
    errors.push({
      ...notSupported('fieldValidation', validation, ['', 'Ignore', 'Strict', 'Warn']),
    })
  }
  if (errors.length > 0) throw invalid({ group: META, kind }, '', errors)
  return {
    dryRun: dryRun.length > 0,
    fieldManager,
    fieldValidation: (validation || 'Warn') as WriteOptions['fieldValidation'],
    force: force ?? false,
  }
}

export const OPTIONS_OF = {
  CREATE: { kind: 'CreateOptions', apiVersion: `${META}/v1` },
  UPDATE: { kind: 'UpdateOptions', apiVersion: `${META}/v1` },
  DELETE: { kind: 'DeleteOptions', apiVersion: `${META}/v1` },
} as const

/** A patch counts as an update or a create. Recorded from kube-apiserver 1.31. */
export function writtenOptions(query: Query, operation: Operation): JsonObject | undefined {
  if (operation !== 'CREATE' && operation !== 'UPDATE') return undefined
  const dryRun = query.all('dryRun')
  const manager = query.get('fieldManager')
  const validation = query.get('fieldValidation')
  return {
    ...OPTIONS_OF[operation],
    ...(dryRun.length > 0 ? { dryRun } : {}),
    ...(manager ? { fieldManager: manager } : {}),
    ...(validation ? { fieldValidation: validation } : {}),
  }
}

export interface RawListOptions {
  selectors: Selectors
  limit: number
  continue: string
  resourceVersion: string
  resourceVersionMatch: string
  timeoutSeconds: number
  allowWatchBookmarks: boolean
  sendInitialEvents: boolean | undefined
}

/** @throws ApiError 400 for malformed numbers or selectors, 422 for forbidden combinations */
export function listOptions(
  query: Query,
  watch: boolean,
  gates: { watchList: boolean },
): RawListOptions {
  const timeoutSeconds = integer(query.get('timeoutSeconds')) ?? 0
  const limit = integer(query.get('limit')) ?? 0
  const options: RawListOptions = {
    selectors: parseSelectors(query.get('labelSelector'), query.get('fieldSelector')),
    limit,
    continue: query.get('continue') ?? '',
    resourceVersion: query.get('resourceVersion') ?? '',
    resourceVersionMatch: query.get('resourceVersionMatch') ?? '',
    timeoutSeconds,
    allowWatchBookmarks: flag(query, 'allowWatchBookmarks') ?? false,
    sendInitialEvents: flag(query, 'sendInitialEvents'),
  }
  if (watch && gates.watchList && isLegacyWatch(options)) {
    options.sendInitialEvents = true
    options.resourceVersionMatch = 'NotOlderThan'
  }
  const errors = watch ? watchErrors(options, gates.watchList) : listErrors(options)
  if (errors.length > 0) throw invalid({ group: META, kind: 'ListOptions' }, '', errors)
  return options
}

/**
 * Starts with the initial events. See k8s.io/apimachinery,
 * pkg/apis/meta/internalversion/defaults.go.
 */
const isLegacyWatch = (options: RawListOptions): boolean =>
  options.sendInitialEvents === undefined &&
  options.resourceVersionMatch === '' &&
  (options.resourceVersion === '' || options.resourceVersion === '0')

const forbidden = (field: string, why: string): FieldError => ({
  field,
  reason: 'FieldValueForbidden',
  detail: `Forbidden: ${why}`,
})
const MATCH = 'resourceVersionMatch'

function listErrors(options: RawListOptions): FieldError[] {
  const errors: FieldError[] = []
  const match = options.resourceVersionMatch
  const initial =
    options.sendInitialEvents === undefined
      ? []
      : [forbidden('sendInitialEvents', 'sendInitialEvents is forbidden for list')]
  if (match === '') return initial
  if (options.resourceVersion === '')
    errors.push(
      forbidden(MATCH, 'resourceVersionMatch is forbidden unless resourceVersion is provided'),
    )
  if (options.continue !== '')
    errors.push(forbidden(MATCH, 'resourceVersionMatch is forbidden when continue is provided'))
  if (match !== 'Exact' && match !== 'NotOlderThan')
    errors.push(notSupported(MATCH, match, ['Exact', 'NotOlderThan', '']))
  if (match === 'Exact' && options.resourceVersion === '0') {
    errors.push(
      forbidden(MATCH, 'resourceVersionMatch "exact" is forbidden for resourceVersion "0"'),
    )
  }
  return [...errors, ...initial]
}

function watchErrors(options: RawListOptions, watchList: boolean): FieldError[] {
  const errors: FieldError[] = []
  const match = options.resourceVersionMatch
  const initial = options.sendInitialEvents
  if (match !== '' && initial === undefined)
    errors.push(
      forbidden(
        MATCH,
        'resourceVersionMatch is forbidden for watch unless sendInitialEvents is provided',
      ),
    )
  if (initial !== undefined && match !== 'NotOlderThan') {
    errors.push(
      forbidden(MATCH, 'sendInitialEvents requires setting resourceVersionMatch to NotOlderThan'),
    )
  }
  if (initial !== undefined && !watchList) {
    errors.push(
      forbidden(
        'sendInitialEvents',
        'sendInitialEvents is forbidden for watch unless the WatchList feature gate is enabled',
      ),
    )
  }
  if (match !== '' && match !== 'NotOlderThan')
    errors.push(notSupported(MATCH, match, ['NotOlderThan']))
  if (match !== '' && options.continue !== '')
    errors.push(forbidden(MATCH, 'resourceVersionMatch is forbidden when continue is provided'))
  return errors
}

export const bodyTooLarge = (limit: number) =>
  failure(413, 'RequestEntityTooLarge', `Request entity too large: limit is ${limit}`)

/**
 * The new form, with an event time, needs a reporting controller. Recorded from kube-apiserver
 * 1.31.
 */

import { entryOf, equalJson, type KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import type { Strategy } from '../../registry/strategy'
import { goTime } from '../../schema/go-text'
import {
  invalidPrinted,
  invalidValue,
  type Printed,
  printedTime,
  required,
} from '../../validation/field-errors'
import { invalidStructure } from '../../validation/go-literal'
import { byteLength, qualifiedNameProblems } from '../../validation/names'

interface Event extends KubeObject {
  involvedObject?: { namespace?: string }
  related?: unknown
  eventTime?: string | null
  firstTimestamp?: string | null
  lastTimestamp?: string | null
  count?: number
  source?: { component?: string; host?: string }
  series?: { count?: number; lastObservedTime?: string | null } | null
  type?: string
  reason?: string
  action?: string
  message?: string
  reportingComponent?: string
  reportingInstance?: string
}

const CORE = 'v1'
/** Accepts only the new form. */
const NEW_FORM = 'events.k8s.io/v1'
/** In group events.k8s.io. */
const REPORTER = 'reportingController'
const MAX_LENGTH = 128
const MAX_MESSAGE_LENGTH = 1024

/** Messages never print the value. */
const odd = (field: string, why: string): FieldError => invalidValue(field, '', why)
const tooLong = (field: string, maximum: number): FieldError =>
  odd(field, `can have at most ${maximum} characters`)

function commonErrors(event: Event, apiVersion: string): FieldError[] {
  const own = event.metadata.namespace ?? ''
  const involved = event.involvedObject?.namespace ?? ''
  const mismatch = invalidValue(
    'involvedObject.namespace',
    involved,
    'does not match event.namespace',
  )
  if (!event.eventTime) {
    const agrees = involved === '' ? own === '' || own === 'default' : involved === own
    return agrees ? [] : [mismatch]
  }
  const reporter = event.reportingComponent ?? ''
  const reporterField = apiVersion === CORE ? 'reportingComponent' : REPORTER
  return [
    ...(involved === '' && own !== 'default' && own !== 'kube-system' ? [mismatch] : []),
    ...(reporter === '' ? [required(reporterField)] : []),
    ...qualifiedNameProblems(reporter).map((problem) =>
      invalidValue(reporterField, reporter, problem),
    ),
    ...(['reportingInstance', 'action', 'reason'] as const).flatMap((field) => {
      const text = event[field] ?? ''
      if (text === '') return [required(field)]
      return byteLength(text) > MAX_LENGTH ? [tooLong(field, MAX_LENGTH)] : []
    }),
    ...(byteLength(event.message ?? '') > MAX_MESSAGE_LENGTH
      ? [tooLong('message', MAX_MESSAGE_LENGTH)]
      : []),
  ]
}

function newFormErrors(event: Event): FieldError[] {
  const { source } = event
  const unset = (field: string) => odd(field, 'needs to be unset')
  return [
    ...seriesErrors(event),
    ...(event.eventTime ? [] : [required('eventTime')]),
    ...(event.type === 'Normal' || event.type === 'Warning'
      ? []
      : [odd('type', `has invalid value: ${event.type ?? ''}`)]),
    ...(event.firstTimestamp ? [unset('firstTimestamp')] : []),
    ...(event.lastTimestamp ? [unset('lastTimestamp')] : []),
    ...(event.count ? [unset('count')] : []),
    ...(source?.component || source?.host ? [unset('source')] : []),
  ]
}

function seriesErrors({ series }: Event): FieldError[] {
  if (!series) return []
  return [
    ...((series.count ?? 0) < 2 ? [odd('series.count', 'should be at least 2')] : []),
    ...(series.lastObservedTime ? [] : [required('series.lastObservedTime')]),
  ]
}

/** In order of errors; the reason is checked twice. */
const IMMUTABLE: readonly (keyof Event & string)[] = [
  ...([
    'involvedObject',
    'reason',
    'message',
    'source',
    'firstTimestamp',
    'lastTimestamp',
    'count',
    'reason',
    'type',
  ] as const),
  ...(['eventTime', 'action', 'related', 'reportingComponent', 'reportingInstance'] as const),
]
const TIMES = new Set<string>(['firstTimestamp', 'lastTimestamp', 'eventTime'])
const NO_TIME: Printed = { go: goTime('0001-01-01T00:00:00Z'), json: 'null' }
const STRUCTURES: Record<string, string> = {
  involvedObject: 'ObjectReference',
  source: 'EventSource',
  related: 'ObjectReference',
}

function changeErrors(event: Event, old: Event): FieldError[] {
  const changed = (field: keyof Event & string) =>
    !equalJson(event[field] || undefined, old[field] || undefined)
  return [
    ...(changed('series') ? seriesErrors(event) : []),
    ...IMMUTABLE.filter(changed).map((field) => immutable(field, event[field])),
  ]
}

/** Most members have their core group names. */
function immutable(member: string, value: unknown): FieldError {
  const field = member === 'reportingComponent' ? REPORTER : member
  const type = entryOf(STRUCTURES, field)
  // Only `related` may be absent.
  if (type !== undefined)
    return value || field !== 'related'
      ? invalidStructure(field, type, value ?? {}, IS_IMMUTABLE)
      : invalidValue(field, undefined, IS_IMMUTABLE)
  if (!TIMES.has(field)) return invalidValue(field, value ?? '', IS_IMMUTABLE)
  const time = typeof value === 'string' ? printedTime(value) : NO_TIME
  return invalidPrinted(field, time, IS_IMMUTABLE)
}

const IS_IMMUTABLE = 'field is immutable'

export const eventStrategy: Strategy = {
  allowCreateOnUpdate: true,
  // Events own nothing.
  defaultPropagation: 'Unsupported',
  checksMetadata: ({ apiVersion }) => (apiVersion === NEW_FORM ? 'behind its rules' : 'never'),
  validate: (object, { apiVersion }) => commonErrors(object as Event, apiVersion),
  validateNew: (object, { apiVersion }) =>
    apiVersion === NEW_FORM ? newFormErrors(object as Event) : [],
  validateUpdate: (object, old, { apiVersion }) =>
    apiVersion === NEW_FORM ? changeErrors(object as Event, old as Event) : [],
}

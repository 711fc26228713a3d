/**
 * Repairs managedFields and owner references after mutating admission. See k8s.io/apiserver,
 * endpoints/handlers/fieldmanager/admission.go.
 */

import { decodeManagers, EntryError } from '../apply/managed-fields'
import { managerNameProblems } from '../apply/manager-name'
import { PathElementError } from '../apply/path-elements'
import { chain, type MaybePromise } from '../core/maybe-promise'
import type { KubeObject, ManagedFieldsEntry } from '../core/object'
import { badRequest, type FieldError, invalid } from '../http/status'
import { goQuote, goTime } from '../schema/go-text'
import { tooLong } from '../validation/field-errors'
import { dedupOwnerReferences } from './owner-references'
import { admissionAttributes, type RequestContext } from './request-context'

/**
 * @param object with recorded ownership; changed in place
 * @returns a promise only if a plugin is asynchronous
 */
export function admitMutations(
  context: RequestContext,
  existing: KubeObject | undefined,
  object: KubeObject,
): MaybePromise<void> {
  const { managedFields: recorded } = object.metadata
  const mutating = context.engine.admission.mutate(
    admissionAttributes(context, existing ? 'UPDATE' : 'CREATE', object, existing),
  )
  return chain(mutating, () => {
    checkNamespace(context, object)
    restoreEntries(context, object, recorded)
    dedupOwnerReferences(object.metadata, context.warn, 'after admission')
  })
}

/** Mutating admission must not change the namespace (kube-apiserver 1.31). */
function checkNamespace({ resource, namespace }: RequestContext, { metadata }: KubeObject): void {
  if (resource.namespaced && metadata.namespace && metadata.namespace !== namespace)
    throw badRequest(
      'the namespace of the provided object does not match the namespace sent on the request',
    )
}

function restoreEntries(
  { resource, warn }: RequestContext,
  { metadata }: KubeObject,
  recorded: ManagedFieldsEntry[] | undefined,
): void {
  const { managedFields } = metadata
  if (managedFields === recorded) return
  if (managedFields === undefined || managedFields.length === 0) {
    metadata.managedFields = undefined
    return
  }
  const problem = problemOf(managedFields)
  if (problem === undefined) {
    const errors = managedFields.flatMap(invalidMembers)
    if (errors.length > 0)
      throw invalid({ group: resource.group, kind: resource.kind }, metadata.name ?? '', errors)
    return
  }
  metadata.managedFields = recorded
  warn(
    `.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ${problem}`,
  )
}

function problemOf(entries: readonly ManagedFieldsEntry[]): string | undefined {
  for (const [i, entry] of entries.entries()) {
    const { operation, apiVersion, fieldsType } = entry
    if (operation !== 'Apply' && operation !== 'Update')
      return 'operation must be `Apply` or `Update`'
    if (!apiVersion) return 'apiVersion must not be empty'
    if (!fieldsType) return `missing fieldsType in managed fields entry ${i}`
    if (fieldsType !== 'FieldsV1')
      return `invalid fieldsType ${goQuote(fieldsType)} in managed fields entry ${i}`
    const misread = misreadOf(entry)
    if (misread !== undefined)
      return `error decoding versioned set from ${entryText(entry)}: ${misread}`
  }
  return undefined
}

const MAX_SUBRESOURCE = 256

function invalidMembers(
  { manager = '', subresource = '' }: ManagedFieldsEntry,
  i: number,
): FieldError[] {
  const path = `metadata.managedFields[${i}]`
  return [
    ...managerNameProblems(manager).map((problem) => ({ field: `${path}.manager`, ...problem })),
    ...(subresource.length > MAX_SUBRESOURCE
      ? [tooLong(`${path}.subresource`, MAX_SUBRESOURCE)]
      : []),
  ]
}

function misreadOf(entry: ManagedFieldsEntry): string | undefined {
  try {
    decodeManagers([entry], 'given')
    return undefined
  } catch (error) {
    if (error instanceof EntryError || error instanceof PathElementError) return error.message
    throw error
  }
}

function entryText({
  manager = '',
  operation,
  apiVersion,
  time,
  fieldsType,
  fieldsV1,
  subresource = '',
}: ManagedFieldsEntry): string {
  return `{${manager} ${operation} ${apiVersion} ${time ? goTime(time) : '<nil>'} ${fieldsType} ${JSON.stringify(fieldsV1)} ${subresource}}`
}

/**
 * Mutating admission of a write, and what is put right behind it: entries of managedFields that it has spoilt are as they were
 * before, and equal references to one owner are one. Both are told as warnings (public documentation of the release).
 */
import { decodeManagers, EntryError } from '../apply/managed-fields'
import { managerNameProblems } from '../apply/manager-name'
import { PathElementError } from '../apply/path-elements'
import type { FieldError } from '../http/status'
import type { KubeObject, ManagedFieldsEntry } from '../object'
import { goTime } from '../schema/go-text'
import { invalidValue, tooLong } from './field-errors'
import { dedupOwnerReferences } from './owner-references'
import { admissionAttributes, type RequestContext } from './request-context'

/**
 * @param object the draft, its ownership recorded; changed in place
 * @returns undefined: it is done. Else when it will be: a plugin had to wait @throws ApiError of the plugin that refuses
 */
export function admitMutations(context: RequestContext, existing: KubeObject | undefined, object: KubeObject): Promise<void> | undefined {
  const { managedFields: recorded } = object.metadata
  const putRight = () => {
    restoreEntries(context, object, recorded)
    dedupOwnerReferences(object.metadata, context.warn, 'after admission')
  }
  const pending = context.engine.admission.mutate(admissionAttributes(context, existing ? 'UPDATE' : 'CREATE', object, existing))
  if (pending) return pending.then(putRight)
  putRight()
  return undefined
}

function restoreEntries({ warn }: RequestContext, { metadata }: KubeObject, recorded: ManagedFieldsEntry[] | undefined): void {
  if (metadata.managedFields === recorded) return
  const problem = problemOf(metadata.managedFields ?? [])
  if (problem === undefined) return
  metadata.managedFields = recorded
  warn(
    `.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ${problem}`,
  )
}

/** What keeps entries from being read; undefined: nothing. */
function problemOf(entries: readonly ManagedFieldsEntry[]): string | undefined {
  const errors = entries.flatMap((entry, i) => invalidMembers(entry, `metadata.managedFields[${i}]`))
  const texts = [...new Set(errors.map(({ field, detail }) => `${field}: ${detail}`))]
  if (texts.length > 0) return texts.length === 1 ? texts[0] : `[${texts.join(', ')}]`
  for (const [i, entry] of entries.entries()) {
    if (!entry.apiVersion) return 'apiVersion must not be empty'
    if (!entry.fieldsType) return `missing fieldsType in managed fields entry ${i}`
    const misread = misreadOf(entry)
    if (misread !== undefined) return `error decoding versioned set from ${entryText(entry)}: ${misread}`
  }
  return undefined
}

const MAX_SUBRESOURCE = 256

function invalidMembers({ operation, fieldsType, manager = '', subresource = '' }: ManagedFieldsEntry, path: string): FieldError[] {
  return [
    ...(operation === 'Apply' || operation === 'Update'
      ? []
      : [invalidValue(`${path}.operation`, operation ?? '', 'must be `Apply` or `Update`')]),
    ...(fieldsType && fieldsType !== 'FieldsV1' ? [invalidValue(`${path}.fieldsType`, fieldsType, 'must be `FieldsV1`')] : []),
    ...managerNameProblems(manager).map((problem) => ({ field: `${path}.manager`, ...problem })),
    ...(subresource.length > MAX_SUBRESOURCE ? [tooLong(`${path}.subresource`, MAX_SUBRESOURCE)] : []),
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

/** As Go prints an entry. */
function entryText({ manager = '', operation, apiVersion, time, fieldsType, fieldsV1, subresource = '' }: ManagedFieldsEntry): string {
  return `{${manager} ${operation} ${apiVersion} ${time ? goTime(time) : '<nil>'} ${fieldsType} ${JSON.stringify(fieldsV1)} ${subresource}}`
}

/** Mutating admission of an object that is to be stored, and what is put right of what it left. */
import { entriesProblem } from '../apply/managed-fields'
import type { KubeObject, ManagedFieldsEntry, ObjectMeta } from '../object'
import { dedupOwnerReferences } from './owner-references'
import { admissionAttributes, type RequestContext } from './request-context'

/**
 * @param object a draft, its ownership recorded @param existing undefined: it is created
 * @returns undefined: it is done. Else when it will be @throws ApiError of whoever refuses
 */
export function admitDraft(context: RequestContext, existing: KubeObject | undefined, object: KubeObject): Promise<void> | undefined {
  const { managedFields } = object.metadata
  const finish = () => {
    restoreEntries(object.metadata, managedFields, context.warn)
    dedupOwnerReferences(object.metadata, context.warn, 'after admission')
  }
  const pending = context.engine.admission.mutate(admissionAttributes(context, existing ? 'UPDATE' : 'CREATE', object, existing))
  if (pending) return pending.then(finish)
  finish()
  return undefined
}

/** Who owns what stays as it was before admission if what came out of that makes no sense (published tests of the real server). */
function restoreEntries(meta: ObjectMeta, before: ManagedFieldsEntry[] | undefined, warn: (text: string) => void): void {
  const { managedFields } = meta
  if (managedFields === undefined || managedFields === before) return
  const problem = entriesProblem(managedFields)
  if (problem === undefined) return
  meta.managedFields = before
  warn(
    `.metadata.managedFields was in an invalid state after admission; this could be caused by an outdated mutating admission controller; please fix your requests: ${problem}`,
  )
}

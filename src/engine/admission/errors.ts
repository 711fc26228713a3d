/**
 * Rejections of admission plugins, in the words of kube-apiserver. k8s.io/apiserver, package
 * pkg/admission, NewForbidden.
 */
import { type ApiError, forbidden, type ResourceName } from '../http/status'
import { pathSegment } from '../validation/names'
import type { AdmissionAttributes } from './admission'

function targetOf({ group, resource }: AdmissionAttributes): ResourceName {
  return { group, resource }
}

/** An object without a name is shown by generateName or as `Unknown` (kube-apiserver 1.31). */
export function newForbidden(attributes: AdmissionAttributes, why: string): ApiError {
  const { name, object } = attributes
  return forbidden(
    targetOf(attributes),
    name || object?.metadata.name || object?.metadata.generateName || 'Unknown',
    why,
  )
}

/** Why a plugin's client cannot get an object of that name (kube-apiserver 1.31). */
export function lookupProblem(name: string): string | undefined {
  if (name === '') return 'resource name may not be empty'
  const problems = pathSegment(name, false)
  return problems.length === 0
    ? undefined
    : `invalid resource name ${JSON.stringify(name)}: [${problems.join(' ')}]`
}

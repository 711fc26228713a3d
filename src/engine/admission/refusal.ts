/** How plugins refuse: 403 in the name of the object, as far as it has one yet. */
import { type ApiError, forbidden, type ResourceName } from '../http/status'
import { pathSegment } from '../registry/rules/names'
import type { AdmissionAttributes } from './admission'

export function targetOf({ group, resource }: AdmissionAttributes): ResourceName {
  return { group, resource }
}

/** An object without a name yet is called by the prefix of the name it will get (recorded), one that has neither `Unknown`. */
export function refused(attributes: AdmissionAttributes, why: string): ApiError {
  const { name, object } = attributes
  return forbidden(
    targetOf(attributes),
    name || object?.metadata.name || object?.metadata.generateName || 'Unknown',
    why,
  )
}

/** Why the real server's plugins cannot even ask for an object of that name: it would be no part of a path (recorded). */
export function lookupProblem(name: string): string | undefined {
  if (name === '') return 'resource name may not be empty'
  const problems = pathSegment(name, false)
  return problems.length === 0
    ? undefined
    : `invalid resource name ${JSON.stringify(name)}: [${problems.join(' ')}]`
}

/** Several reasons as the real server joins them: one as it is, more in brackets, equal ones once. */
export function joinedReasons(reasons: string[]): string {
  const distinct = [...new Set(reasons)]
  return distinct.length === 1 ? (distinct[0] as string) : `[${distinct.join(', ')}]`
}

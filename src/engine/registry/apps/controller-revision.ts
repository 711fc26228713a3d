/** Controller revisions: a state of a workload that never changes (rules and texts recorded). */
import { equalJson, type KubeObject } from '../../object'
import { invalidValue, required } from '../field-errors'
import { notNegative } from '../rules/numbers'
import type { Strategy } from '../strategy'

interface ControllerRevision extends KubeObject {
  revision?: number
  data?: unknown
}

export const controllerRevisionStrategy: Strategy = {
  validate(object) {
    const { revision, data } = object as ControllerRevision
    const errors = data === undefined || data === null ? [required('data', 'data is mandatory')] : []
    return [...errors, ...notNegative('revision', revision)]
  },
  validateUpdate: (object, old) =>
    equalJson((object as ControllerRevision).data, (old as ControllerRevision).data)
      ? []
      : [invalidValue('data', '', 'field is immutable')],
}

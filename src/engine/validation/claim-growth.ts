/**
 * Feature gate `RecoverVolumeExpansionFailure`. Rules and texts compared with kube-apiserver 1.31.
 */
import type { FieldError } from '../http/status'
import { goQuote } from '../schema/go-text'
import { invalidValue, notSupported } from './field-errors'
import { qualifiedNameProblems } from './names'
import { resourceQuantityErrors, usableErrors } from './quantities'
import { isNativeResource } from './resource-names'

const STAGES = [
  'ControllerResizeInProgress',
  'ControllerResizeInfeasible',
  'NodeResizeInProgress',
  'NodeResizeInfeasible',
  'NodeResizePending',
]

interface Growth {
  allocatedResources?: Record<string, string>
  allocatedResourceStatuses?: Record<string, string>
}

export function growthErrors({
  allocatedResources = {},
  allocatedResourceStatuses = {},
}: Growth): FieldError[] {
  // kube-apiserver's messages have these fields.
  const [stages, amounts] = ['status.allocatedResourceStatus', 'status.allocatedResources']
  return [
    ...sorted(allocatedResourceStatuses).flatMap(([name, stage]) => [
      ...resourceErrors(stages, name),
      ...(STAGES.includes(stage) ? [] : [unknownStage(stages, name)]),
    ]),
    ...sorted(allocatedResources).flatMap(([name, amount]) => {
      const errors = [
        resourceErrors(amounts, name),
        usableErrors(`${amounts}[${name}]`, amount),
      ].find(({ length }) => length > 0)
      return errors ?? resourceQuantityErrors(`${amounts}[${name}]`, 'storage', amount)
    }),
  ]
}

/** kube-apiserver does not quote the resource name. */
function unknownStage(field: string, resource: string): FieldError {
  const { detail, ...error } = notSupported(field, resource, STAGES)
  return { ...error, detail: detail.replace(goQuote(resource), () => resource) }
}

const sorted = (map: Record<string, string>) =>
  Object.entries(map).sort(([a], [b]) => (a < b ? -1 : 1))

/** Claims have no other native resource than `storage`. */
function resourceErrors(field: string, name: string): FieldError[] {
  const problems = qualifiedNameProblems(name).map((problem) => invalidValue(field, name, problem))
  if (problems.length > 0 || name === 'storage' || !isNativeResource(name)) return problems
  return [notSupported(field, name, ['storage'])]
}

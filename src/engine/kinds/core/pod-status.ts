/** Recorded from kube-apiserver 1.31; others from k8s.io/kubernetes, pkg/apis/core/validation. */

import { append } from '../../core/lists'
import { entryOf } from '../../core/object'
import type { FieldError } from '../../http/status'
import type { Engine } from '../../registry/engine'
import type { Changes } from '../../release-tables/changes'
import { addressFamily, NOT_AN_ADDRESS } from '../../validation/addresses'
import {
  duplicate,
  duplicatePrinted,
  errorsOfItems,
  forbiddenField,
  internalField,
  invalidValue,
  notSupported,
} from '../../validation/field-errors'
import { invalidStructures, printedStructure } from '../../validation/go-literal'
import { dnsSubdomainProblems, qualifiedNameProblems } from '../../validation/names'
import { invalidName } from '../../validation/resource-names'
import type { Container, ContainerStatus, Pod, PodSpec, PodStatus } from './pod-types'
import { annotationChangeErrors } from './pod-update'

const OWN_CONDITIONS = new Set([
  'ContainersReady',
  'DisruptionTarget',
  'Initialized',
  'PodReadyToStartContainers',
  'PodScheduled',
  'Ready',
])

const NOMINATED_WHILE_BOUND = 'may not be set on pods that are already bound to a node'

export function podStatusErrors(
  pod: Pod,
  old: Pod,
  changes: Changes,
  featureGates: Engine['featureGates'],
): FieldError[] {
  const { status = {}, spec = {} } = pod
  const errors = annotationChangeErrors(pod, old)
  // kube-apiserver's path.
  const parent = changes.has('PodConditionsInStatus') ? 'status' : 'metadata'
  for (const [i, { type = '' }] of (status.conditions ?? []).entries()) {
    if (OWN_CONDITIONS.has(type)) continue
    append(
      errors,
      qualifiedNameProblems(type).map((problem) =>
        invalidValue(`${parent}.conditions[${i}].Type`, type, problem),
      ),
    )
  }
  const nominated = status.nominatedNodeName ?? ''
  if (nominated !== '' && nominated !== old.status?.nominatedNodeName)
    append(
      errors,
      dnsSubdomainProblems(nominated).map((problem) =>
        invalidValue('status.nominatedNodeName', nominated, problem),
      ),
    )
  if (
    featureGates.ClearingNominatedNodeNameAfterBinding &&
    old.spec?.nodeName &&
    nominated !== '' &&
    nominated !== (old.status?.nominatedNodeName ?? '')
  )
    errors.push(forbiddenField('status.nominatedNodeName', NOMINATED_WHILE_BOUND))
  if (changes.has('PodQosClassKept') && status.qosClass !== old.status?.qosClass)
    errors.push(invalidValue('status.qosClass', status.qosClass ?? '', 'field is immutable'))
  return [
    ...errors,
    ...containerStateErrors(status, old.status ?? {}, old.spec ?? {}),
    ...claimStatusErrors(status, spec),
    ...podAddressErrors(status),
    ...hostAddressErrors(status),
    ...allocatedResourceErrors(status, spec),
  ]
}

type StatusList = 'containerStatuses' | 'initContainerStatuses' | 'ephemeralContainerStatuses'

/** A terminated container stays terminated unless it may restart. */
function containerStateErrors(status: PodStatus, before: PodStatus, spec: PodSpec): FieldError[] {
  const { restartPolicy = '', initContainers } = spec
  const isSidecar = ({ name }: ContainerStatus) =>
    initContainers?.find((container) => container.name === name)?.restartPolicy === 'Always'
  const ofList = (list: StatusList, policy: string, restarts = (_: ContainerStatus) => false) =>
    policy === 'Always'
      ? []
      : errorsOfItems(before[list], (prior, i) => {
          const ended = prior.state?.terminated
          if (!ended || (policy === 'OnFailure' && ended.exitCode !== 0) || restarts(prior))
            return []
          const now = status[list]?.find(({ name }) => name === prior.name)
          const why = 'may not be transitioned to non-terminated state'
          return now && !now.state?.terminated
            ? [forbiddenField(`status.${list}[${i}].state`, why)]
            : []
        })
  return [
    ...ofList('containerStatuses', restartPolicy),
    ...ofList('initContainerStatuses', restartPolicy, isSidecar),
    // Ephemeral containers never restart.
    ...ofList('ephemeralContainerStatuses', 'Never'),
  ]
}

function claimStatusErrors(
  { resourceClaimStatuses }: PodStatus,
  { resourceClaims }: PodSpec,
): FieldError[] {
  const seen = new Set<string>()
  return errorsOfItems(resourceClaimStatuses, ({ name = '', resourceClaimName: claim }, i) => {
    const field = `status.resourceClaimStatuses[${i}].name`
    const errors: FieldError[] = []
    if (!resourceClaims?.some((other) => other.name === name))
      errors.push(
        invalidValue(field, name, 'must match the name of an entry in `spec.resourceClaims`'),
      )
    if (seen.has(name)) errors.push(duplicate(field, name))
    seen.add(name)
    if (claim !== undefined)
      append(
        errors,
        dnsSubdomainProblems(claim).map((problem) => invalidValue(field, claim, problem)),
      )
    return errors
  })
}

const HEALTH = ['Healthy', 'Unhealthy', 'Unknown']

/** Only requested ones, each once. */
function allocatedResourceErrors(status: PodStatus, spec: PodSpec): FieldError[] {
  const ofList = (list: StatusList, containers: Container[]) =>
    errorsOfItems(status[list], ({ name, allocatedResourcesStatus }, i) => {
      const resources = containers.find((container) => container.name === name)?.resources
      const isRequested = (resource: string) =>
        entryOf(resources?.limits, resource) !== undefined ||
        entryOf(resources?.requests, resource) !== undefined
      const isKnown = containers.some((container) => container.name === name)
      return errorsOfItems(
        allocatedResourcesStatus,
        ({ name: resource = '', resources: parts }, j) => {
          const field = `status.${list}[${i}].allocatedResourcesStatus[${j}]`
          const isUnrequested = isKnown && !isRequested(resource)
          return [
            ...(isUnrequested ? [unrequestedResource(`${field}.name`, resource)] : []),
            ...resourceHealthErrors(parts, `${field}.resources`),
          ]
        },
      )
    })
  return [
    ...ofList('containerStatuses', spec.containers ?? []),
    ...ofList('initContainerStatuses', spec.initContainers ?? []),
    ...errorsOfItems(status.ephemeralContainerStatuses, ({ allocatedResourcesStatus }, i) => {
      const field = `status.ephemeralContainerStatuses[${i}].allocatedResourcesStatus`
      return allocatedResourcesStatus?.length
        ? [forbiddenField(field, 'must not be specified in container status')]
        : []
    }),
  ]
}

const unrequestedResource = (field: string, resource: string): FieldError =>
  invalidName(field, resource, "must match one of the container's resource requirements")

function resourceHealthErrors(
  parts: { resourceID?: string; health?: string }[] | null | undefined,
  path: string,
): FieldError[] {
  const seen = new Set<string>()
  return errorsOfItems(parts, ({ resourceID = '', health = '' }, k) => {
    const errors = HEALTH.includes(health)
      ? []
      : [notSupported(`${path}[${k}].health`, health, HEALTH)]
    if (seen.has(resourceID)) errors.push(duplicate(`${path}[${k}].resourceID`, resourceID))
    seen.add(resourceID)
    return errors
  })
}

const ONE_OF_EACH = 'may specify no more than one IP for each IP family'

type Address = { ip?: string }

const malformed = (addresses: readonly Address[], path: string): FieldError[] =>
  errorsOfItems(addresses, ({ ip = '' }, i) =>
    addressFamily(ip) ? [] : [invalidValue(`${path}[${i}]`, ip, NOT_AN_ADDRESS)],
  )

const repeated = (addresses: readonly Address[], path: string, type: string): FieldError[] =>
  errorsOfItems(addresses, ({ ip = '' }, i) =>
    addresses.findIndex((other) => (other.ip ?? '') === ip) === i
      ? []
      : [duplicatePrinted(`${path}[${i}]`, printedStructure(type, { ip }))],
  )

/** IP families must differ. */
function familyErrors(addresses: readonly Address[], path: string, type: string): FieldError[] {
  const texts = addresses.map(({ ip = '' }) => ip)
  const wrong = texts.findIndex((ip) => !addressFamily(ip))
  const errors: FieldError[] = []
  if (wrong >= 0)
    errors.push(
      internalField(
        path,
        `failed to check for dual stack with error:invalid IP[${wrong}]: ${texts[wrong]}`,
      ),
    )
  const isDual = wrong < 0 && new Set(texts.map(addressFamily)).size === 2
  if (!isDual || texts.length > 2)
    errors.push(invalidStructures(path, type, addresses, ONE_OF_EACH))
  return errors
}

function podAddressErrors({ podIPs }: PodStatus): FieldError[] {
  const [addresses, path] = [podIPs ?? [], 'status.podIPs']
  const errors = malformed(addresses, path)
  return addresses.length < 2
    ? errors
    : [...errors, ...familyErrors(addresses, path, 'PodIP'), ...repeated(addresses, path, 'PodIP')]
}

function hostAddressErrors({ hostIP = '', hostIPs }: PodStatus): FieldError[] {
  const [addresses, path] = [hostIPs ?? [], 'status.hostIPs']
  if (addresses.length === 0) return []
  const first = addresses[0]?.ip ?? ''
  const errors =
    first === hostIP ? [] : [invalidValue(`${path}[0].ip`, first, 'must be equal to `hostIP`')]
  append(errors, malformed(addresses, path))
  return addresses.length < 2
    ? errors
    : [
        ...errors,
        ...repeated(addresses, path, 'HostIP'),
        ...familyErrors(addresses, path, 'HostIP'),
      ]
}

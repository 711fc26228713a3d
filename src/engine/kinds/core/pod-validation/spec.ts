/** Validates the spec of a Pod. Recorded from kube-apiserver 1.31. */

import { append } from '../../../core/lists'
import type { FieldError } from '../../../http/status'
import { addressFieldErrors } from '../../../validation/address-problems'
import {
  duplicate,
  errorsOfItems,
  forbiddenField,
  invalidValue,
  overlong,
  required,
} from '../../../validation/field-errors'
import { invalidList } from '../../../validation/go-literal'
import { labelErrors } from '../../../validation/label-selectors'
import {
  dnsLabelProblems,
  dnsSubdomainProblems,
  qualifiedNameProblems,
  underscoreSubdomainProblems,
} from '../../../validation/names'
import { inRange } from '../../../validation/numbers'
import { tolerationErrors } from '../../../validation/tolerations'
import type { PodSpec } from '../pod-types'
import { affinityErrors, topologySpreadErrors } from './affinity'
import { choiceErrors } from './choices'
import { containerClaimErrors, podClaimErrors } from './claims'
import { allContainerErrors } from './containers'
import { fileVolumeErrors } from './env'
import type { PodValidationOptions } from './options'
import { podResourceErrors } from './pod-resources'
import { containerResourceRequirementErrors } from './resources'
import {
  hostProcessErrors,
  hostUserErrors,
  osErrors,
  podSecurityContextErrors,
} from './security-context'
import { volumeErrors } from './volumes'

const RESTART_POLICIES = ['Always', 'OnFailure', 'Never']
const DNS_POLICIES = ['ClusterFirstWithHostNet', 'ClusterFirst', 'Default', 'None']
const PREEMPTION_POLICIES = ['PreemptLowerPriority', 'Never']
const MAX_INT32 = 2147483647
const NONE: readonly FieldError[] = []

/** @param spec defaulted @param pod undefined in templates, which have fewer rules */
export function podSpecErrors(
  spec: PodSpec,
  path: string,
  pod: string | undefined,
  options: PodValidationOptions,
): FieldError[] {
  const { errors: ofVolumes, known } = volumeErrors(spec.volumes, `${path}.volumes`, pod)
  return [
    ...ofVolumes,
    ...(spec.resourceClaims ? podClaimErrors(spec.resourceClaims, `${path}.resourceClaims`) : NONE),
    ...allContainerErrors(spec, known, path, options),
    ...containerClaimErrors(spec, path),
    ...podResourceErrors(spec, path, options),
    ...hostNetworkErrors(spec, path, pod !== undefined),
    ...choiceErrors(spec.restartPolicy, RESTART_POLICIES, `${path}.restartPolicy`),
    ...choiceErrors(spec.dnsPolicy, DNS_POLICIES, `${path}.dnsPolicy`),
    ...(spec.nodeSelector ? labelErrors(spec.nodeSelector, `${path}.nodeSelector`) : NONE),
    ...podSecurityContextErrors(spec, `${path}.securityContext`, options),
    ...(spec.affinity ? affinityErrors(spec.affinity, `${path}.affinity`) : NONE),
    ...dnsConfigErrors(spec, `${path}.dnsConfig`, options),
    ...gateErrors(spec, path),
    ...(spec.topologySpreadConstraints
      ? topologySpreadErrors(
          spec.topologySpreadConstraints,
          `${path}.topologySpreadConstraints`,
          options,
        )
      : NONE),
    ...hostProcessErrors(spec, path),
    ...hostUserErrors(spec, path, options),
    ...hostNameErrors(spec, `${path}.hostnameOverride`),
    ...nameErrors(spec, path),
    ...tolerationErrors(spec.tolerations ?? [], `${path}.tolerations`),
    ...hostAliasErrors(spec, `${path}.hostAliases`),
    ...classErrors(spec, path),
    ...osErrors(spec, path, options),
    ...fileVolumeErrors(spec, path),
  ]
}

/** Ports must equal host ports, except in init and ephemeral containers. */
function hostNetworkErrors(spec: PodSpec, path: string, ofPod: boolean): FieldError[] {
  if (!spec.hostNetwork) return []
  return errorsOfItems(spec.containers, ({ ports }, i) =>
    errorsOfItems(ports, ({ hostPort = 0, containerPort = 0 }, j) =>
      hostPort === containerPort || (hostPort === 0 && !ofPod)
        ? NONE
        : [
            invalidValue(
              `${path}.containers[${i}].ports[${j}].hostPort`,
              hostPort,
              'must match `containerPort` when `hostNetwork` is true',
            ),
          ],
    ),
  )
}

const MAX_NAMESERVERS = 3
const MAX_SEARCHES = 32
const MAX_SEARCH_CHARACTERS = 2048

function dnsConfigErrors(
  { dnsPolicy, dnsConfig }: PodSpec,
  path: string,
  options: PodValidationOptions,
): FieldError[] {
  const servers = dnsConfig?.nameservers ?? []
  if (dnsPolicy === 'None') {
    if (!dnsConfig) return [required(path, 'must provide `dnsConfig` when `dnsPolicy` is None')]
    if (servers.length === 0)
      return [
        required(
          `${path}.nameservers`,
          'must provide at least one DNS nameserver when `dnsPolicy` is None',
        ),
      ]
  }
  if (!dnsConfig) return []
  const searches = dnsConfig.searches ?? []
  const errors: FieldError[] = []
  if (servers.length > MAX_NAMESERVERS)
    errors.push(
      invalidList(
        `${path}.nameservers`,
        servers,
        `must not have more than ${MAX_NAMESERVERS} nameservers`,
      ),
    )
  for (const [i, server] of servers.entries())
    append(errors, addressFieldErrors(`${path}.nameservers[${i}]`, server))
  if (searches.length > MAX_SEARCHES)
    errors.push(
      invalidList(
        `${path}.searches`,
        searches,
        `must not have more than ${MAX_SEARCHES} search paths`,
      ),
    )
  if (searches.join(' ').length > MAX_SEARCH_CHARACTERS) {
    const why = `must not have more than ${MAX_SEARCH_CHARACTERS} characters (including spaces) in the search list`
    errors.push(invalidList(`${path}.searches`, searches, why))
  }
  for (const [i, search] of searches.entries()) {
    if (search === '.' && options.allowsRelaxedSearches) continue
    const name = search.endsWith('.') ? search.slice(0, -1) : search
    append(
      errors,
      searchProblems(name, options).map((problem) =>
        invalidValue(`${path}.searches[${i}]`, name, problem),
      ),
    )
  }
  for (const [i, { name = '' }] of (dnsConfig.options ?? []).entries())
    if (name === '') errors.push(required(`${path}.options[${i}]`, 'must not be empty'))
  return errors
}

const searchProblems = (
  name: string,
  { allowsRelaxedSearches, changes }: PodValidationOptions,
): string[] =>
  allowsRelaxedSearches
    ? underscoreSubdomainProblems(name, changes.has('UnderscorePatternPrinted'))
    : dnsSubdomainProblems(name)

function gateErrors(spec: PodSpec, path: string): readonly FieldError[] {
  if (!spec.readinessGates && !spec.schedulingGates) return NONE
  const readiness = errorsOfItems(spec.readinessGates, ({ conditionType = '' }, i) =>
    qualifiedNameProblems(conditionType).map((problem) =>
      invalidValue(`${path}.readinessGates[${i}].conditionType`, conditionType, problem),
    ),
  )
  const seen = new Set<string>()
  const scheduling = errorsOfItems(spec.schedulingGates, ({ name = '' }, i) => {
    const field = `${path}.schedulingGates[${i}]`
    const errors = qualifiedNameProblems(name).map((problem) => invalidValue(field, name, problem))
    if (seen.has(name)) errors.push(duplicate(field, name))
    seen.add(name)
    return errors
  })
  return [...readiness, ...scheduling]
}

function nameErrors(spec: PodSpec, path: string): FieldError[] {
  const named = (
    member: string,
    name: string | undefined,
    problems: (name: string) => readonly string[],
  ) =>
    name ? problems(name).map((problem) => invalidValue(`${path}.${member}`, name, problem)) : NONE
  const deadline = spec.activeDeadlineSeconds
  return [
    ...named('serviceAccountName', spec.serviceAccountName, dnsSubdomainProblems),
    ...named('nodeName', spec.nodeName, dnsSubdomainProblems),
    ...(typeof deadline === 'number'
      ? inRange(`${path}.activeDeadlineSeconds`, deadline, 1, MAX_INT32)
      : []),
    ...named('hostname', spec.hostname, dnsLabelProblems),
    ...named('subdomain', spec.subdomain, dnsLabelProblems),
  ]
}

const MAX_HOST_NAME = 64

/** KEP-4762. */
function hostNameErrors(spec: PodSpec, field: string): FieldError[] {
  const { hostnameOverride: name, setHostnameAsFQDN, hostNetwork } = spec
  if (name === undefined || name === null) return []
  const errors: FieldError[] = []
  if (setHostnameAsFQDN === true)
    errors.push(forbiddenField(field, 'may not be specified when setHostnameAsFQDN is true'))
  if (hostNetwork === true)
    errors.push(forbiddenField(field, 'may not be specified when hostNetwork is true'))
  if (name.length > MAX_HOST_NAME) errors.push(overlong(field, MAX_HOST_NAME))
  for (const problem of dnsSubdomainProblems(name)) errors.push(invalidValue(field, name, problem))
  return errors
}

function hostAliasErrors(spec: PodSpec, path: string): FieldError[] {
  return errorsOfItems(spec.hostAliases, ({ ip = '', hostnames }, i) => [
    ...addressFieldErrors(`${path}[${i}].ip`, ip),
    ...(hostnames ?? []).flatMap((name, j) =>
      dnsSubdomainProblems(name).map((problem) =>
        invalidValue(`${path}[${i}].hostnames[${j}]`, name, problem),
      ),
    ),
  ])
}

function classErrors(spec: PodSpec, path: string): FieldError[] {
  const {
    priorityClassName: priority = '',
    runtimeClassName: runtime,
    preemptionPolicy: preemption,
    overhead,
  } = spec
  const errors =
    priority === ''
      ? []
      : dnsSubdomainProblems(priority).map((problem) =>
          invalidValue(`${path}.priorityClassName`, priority, problem),
        )
  if (runtime !== undefined)
    append(
      errors,
      dnsSubdomainProblems(runtime).map((problem) =>
        invalidValue(`${path}.runtimeClassName`, runtime, problem),
      ),
    )
  if (preemption !== undefined)
    append(errors, choiceErrors(preemption, PREEMPTION_POLICIES, `${path}.preemptionPolicy`))
  if (overhead)
    append(errors, containerResourceRequirementErrors({ limits: overhead }, `${path}.overhead`))
  return errors
}

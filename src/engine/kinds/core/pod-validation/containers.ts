/** Validates containers. Recorded from kube-apiserver 1.31. */

import { append } from '../../../core/lists'
import type { FieldError } from '../../../http/status'
import { isExplicitEmpty } from '../../../schema/explicit-empties'
import { goTrim } from '../../../schema/go-text'
import {
  duplicate,
  errorsOfItems,
  forbiddenField,
  invalidValue,
  notFoundField,
  notSupported,
  required,
} from '../../../validation/field-errors'
import { dnsLabelProblems } from '../../../validation/names'
import { portNameProblems, portNumberErrors } from '../../../validation/numbers'
import type { Container, ContainerPort, PodSpec } from '../pod-types'
import { choiceErrors, PULL_POLICIES } from './choices'
import { envErrors, envFromErrors } from './env'
import type { PodValidationOptions } from './options'
import {
  lifecycleErrors,
  livenessProbeErrors,
  readinessProbeErrors,
  startupProbeErrors,
} from './probes'
import { resizePolicyErrors } from './resize-policy'
import { containerResourceRequirementErrors } from './resources'
import { initRestartErrors, restartErrors } from './restart-rules'
import { securityContextErrors } from './security-context'
import { volumeDeviceErrors, volumeMountErrors } from './volume-mounts'
import type { KnownVolumes } from './volumes'

const PROTOCOLS = ['SCTP', 'TCP', 'UDP']
const MESSAGE_POLICIES = ['File', 'FallbackToLogsOnError']
const NONE: readonly FieldError[] = []

/** @param volumes valid ones; others count as missing */
export function allContainerErrors(
  spec: PodSpec,
  volumes: KnownVolumes,
  path: string,
  options: PodValidationOptions,
): FieldError[] {
  const pod: Surroundings = {
    options,
    volumes,
    hostUsers: spec.hostUsers !== false,
    grace: spec.terminationGracePeriodSeconds ?? 0,
    restartPolicy: spec.restartPolicy,
  }
  return [
    ...regularErrors(spec.containers ?? [], pod, `${path}.containers`),
    ...(spec.initContainers ? initErrors(spec, pod, `${path}.initContainers`) : NONE),
    ...(spec.ephemeralContainers
      ? ephemeralErrors(spec, pod, `${path}.ephemeralContainers`)
      : NONE),
  ]
}

interface Surroundings {
  options: PodValidationOptions
  volumes: KnownVolumes
  hostUsers: boolean
  /** Seconds. */
  grace: number
  restartPolicy: string | undefined
}

function regularErrors(containers: Container[], pod: Surroundings, path: string): FieldError[] {
  if (containers.length === 0) return [required(path)]
  const names = new Set<string>()
  const errors = errorsOfItems(containers, (container, i) => {
    const at = `${path}[${i}]`
    const found = commonErrors(container, pod, at)
    append(
      found,
      unique(names, container.name ?? '', `${at}.name`),
      probeErrors(container, pod, at),
    )
    append(found, restartErrors(container, pod.options, at))
    return found
  })
  append(errors, hostPortConflicts(containers, path))
  return errors
}

const NOT_FOR_INIT = 'may not be set for init containers without restartPolicy=Always'

function initErrors(spec: PodSpec, pod: Surroundings, path: string): FieldError[] {
  const names = new Set((spec.containers ?? []).map((container) => container.name ?? ''))
  return errorsOfItems(spec.initContainers, (container, i) => {
    const at = `${path}[${i}]`
    const errors = commonErrors(container, pod, at)
    const { restartPolicy } = container
    if (pod.options.allowsRestartRules)
      append(errors, initRestartErrors(container, pod.options, at))
    else if (restartPolicy !== undefined && restartPolicy !== 'Always')
      errors.push(notSupported(`${at}.restartPolicy`, restartPolicy, ['Always']))
    // Missing names are one error, unless a regular container has none.
    if (container.name || names.has(''))
      append(errors, unique(names, container.name ?? '', `${at}.name`))
    append(errors, hostPortConflicts([container], path))
    if (restartPolicy === 'Always') append(errors, probeErrors(container, pod, at))
    else {
      for (const member of [
        'lifecycle',
        'livenessProbe',
        'readinessProbe',
        'startupProbe',
      ] as const)
        if (container[member] !== undefined)
          errors.push(forbiddenField(`${at}.${member}`, NOT_FOR_INIT))
    }
    return errors
  })
}

const NOT_FOR_EPHEMERAL = [
  ...(['ports', 'resources', 'resizePolicy', 'restartPolicy'] as const),
  ...(['livenessProbe', 'readinessProbe', 'startupProbe', 'lifecycle'] as const),
]

function ephemeralErrors(spec: PodSpec, pod: Surroundings, path: string): FieldError[] {
  const others = new Set(
    [...(spec.containers ?? []), ...(spec.initContainers ?? [])].map(
      (container) => container.name ?? '',
    ),
  )
  const names = new Set(others)
  return errorsOfItems(spec.ephemeralContainers, (container, i) => {
    const at = `${path}[${i}]`
    const errors = [
      ...commonErrors(container, pod, at),
      ...imageSpaceErrors(container, at),
      ...unique(names, container.name ?? '', `${at}.name`),
    ]
    const { targetContainerName: target } = container
    if (target && !others.has(target))
      errors.push(notFoundField(`${at}.targetContainerName`, target))
    for (const member of NOT_FOR_EPHEMERAL)
      if (isGiven(container, member))
        errors.push(forbiddenField(`${at}.${member}`, 'cannot be set for an Ephemeral Container'))
    for (const [j, mount] of (container.volumeMounts ?? []).entries()) {
      for (const member of ['subPath', 'subPathExpr'] as const)
        if (mount[member])
          errors.push(
            forbiddenField(
              `${at}.volumeMounts[${j}].${member}`,
              'cannot be set for an Ephemeral Container',
            ),
          )
    }
    return errors
  })
}

/** Resources without members are unset, empty lists and maps are set. */
function isGiven(container: Container, member: (typeof NOT_FOR_EPHEMERAL)[number]): boolean {
  const value = container[member] ?? undefined
  if (member === 'resources') return isGivenResources(container)
  return value !== undefined || isExplicitEmpty(container, member)
}

function isGivenResources({ resources }: Container): boolean {
  if (!resources) return false
  return (
    Object.values(resources).some((part) => part !== undefined) ||
    AMOUNTS.some((member) => isExplicitEmpty(resources, member))
  )
}

const AMOUNTS = ['limits', 'requests']

function commonErrors(
  container: Container,
  { volumes, hostUsers, options, restartPolicy }: Surroundings,
  path: string,
): FieldError[] {
  const {
    name = '',
    image = '',
    terminationMessagePolicy: messages = '',
    imagePullPolicy: pull = '',
  } = container
  const errors =
    name === ''
      ? [required(`${path}.name`)]
      : dnsLabelProblems(name).map((problem) => invalidValue(`${path}.name`, name, problem))
  if (image === '') errors.push(required(`${path}.image`))
  append(errors, choiceErrors(messages, MESSAGE_POLICIES, `${path}.terminationMessagePolicy`))
  const { ports, env, envFrom, volumeMounts, volumeDevices } = container
  const { resources, resizePolicy, securityContext } = container
  if (ports) append(errors, containerPortErrors(ports, `${path}.ports`))
  if (env) append(errors, envErrors(env, `${path}.env`, options))
  if (envFrom) append(errors, envFromErrors(envFrom, `${path}.envFrom`, options))
  if (volumeMounts)
    append(errors, volumeMountErrors(container, volumes, `${path}.volumeMounts`, options.changes))
  if (volumeDevices) append(errors, volumeDeviceErrors(container, volumes, `${path}.volumeDevices`))
  append(errors, choiceErrors(pull, PULL_POLICIES, `${path}.imagePullPolicy`))
  if (resources) append(errors, containerResourceRequirementErrors(resources, `${path}.resources`))
  if (resizePolicy)
    append(errors, resizePolicyErrors(resizePolicy, restartPolicy, `${path}.resizePolicy`))
  if (securityContext)
    append(errors, securityContextErrors(securityContext, `${path}.securityContext`, hostUsers))
  return errors
}

function probeErrors(
  container: Container,
  { grace, options }: Surroundings,
  path: string,
): readonly FieldError[] {
  const { lifecycle, livenessProbe, readinessProbe, startupProbe } = container
  if (!lifecycle && !livenessProbe && !readinessProbe && !startupProbe) return NONE
  return [
    ...lifecycleErrors(lifecycle, { grace, ...options }, `${path}.lifecycle`),
    ...livenessProbeErrors(livenessProbe, { grace, ...options }, `${path}.livenessProbe`),
    ...readinessProbeErrors(readinessProbe, { grace, ...options }, `${path}.readinessProbe`),
    ...startupProbeErrors(startupProbe, { grace, ...options }, `${path}.startupProbe`),
  ]
}

function unique(seen: Set<string>, value: string, field: string): readonly FieldError[] {
  if (seen.has(value)) return [duplicate(field, value)]
  seen.add(value)
  return NONE
}

function containerPortErrors(ports: ContainerPort[], path: string): FieldError[] {
  const names = new Set<string>()
  return errorsOfItems(ports, (port, i) => {
    const at = `${path}[${i}]`
    const { name = '', containerPort = 0, hostPort = 0, protocol = '' } = port
    const errors: FieldError[] = []
    const problems = name === '' ? [] : portNameProblems(name)
    if (problems.length > 0)
      append(
        errors,
        problems.map((problem) => invalidValue(`${at}.name`, name, problem)),
      )
    else if (name !== '') append(errors, unique(names, name, `${at}.name`))
    if (containerPort === 0) errors.push(required(`${at}.containerPort`))
    else append(errors, portNumberErrors(`${at}.containerPort`, containerPort))
    if (hostPort !== 0) append(errors, portNumberErrors(`${at}.hostPort`, hostPort))
    append(errors, choiceErrors(protocol, PROTOCOLS, `${at}.protocol`))
    return errors
  })
}

/** Among containers that run together. */
function hostPortConflicts(containers: Container[], path: string): FieldError[] {
  const taken = new Set<string>()
  return errorsOfItems(containers, (container, i) =>
    errorsOfItems(container.ports, (port, j) => {
      if (!port.hostPort) return NONE
      return unique(
        taken,
        `${port.protocol ?? ''}/${port.hostIP ?? ''}/${port.hostPort}`,
        `${path}[${i}].ports[${j}].hostPort`,
      )
    }),
  )
}

/** Not in templates. */
export function imageSpaceErrors(container: Container, path: string): FieldError[] {
  const { image = '' } = container
  return image === goTrim(image)
    ? []
    : [invalidValue(`${path}.image`, image, 'must not have leading or trailing whitespace')]
}

/** On update. */
export function imageErrors(container: Container, path: string): FieldError[] {
  return container.image ? imageSpaceErrors(container, path) : [required(`${path}.image`)]
}

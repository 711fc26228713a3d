/** Validation of probes and lifecycle handlers. Recorded from kube-apiserver 1.31. */

import { append } from '../../../core/lists'
import type { FieldError } from '../../../http/status'
import {
  forbiddenField,
  invalidValue,
  notSupported,
  required,
} from '../../../validation/field-errors'
import { headerNameProblems } from '../../../validation/names'
import { notNegative, portErrors } from '../../../validation/numbers'
import type { Container, Handler, Probe } from '../pod-types'
import type { PodValidationOptions } from './options'

/** @property grace seconds */
type HandlerLimits = { grace: number } & Pick<PodValidationOptions, 'allowsZeroSleep'>

const SCHEMES = ['HTTP', 'HTTPS']
/** In order of validation; the first one set is used. */
const HANDLERS = ['exec', 'httpGet', 'tcpSocket', 'grpc', 'sleep'] as const

const CHECKS: {
  [name in (typeof HANDLERS)[number]]: (
    handler: Handler,
    limits: HandlerLimits,
    path: string,
  ) => FieldError[]
} = {
  exec: ({ exec }, _, path) => (exec?.command?.length ? [] : [required(`${path}.command`)]),
  httpGet({ httpGet = {} }, _, path) {
    const errors = httpGet.path ? [] : [required(`${path}.path`)]
    append(errors, portErrors(`${path}.port`, httpGet.port))
    if (!SCHEMES.includes(httpGet.scheme ?? ''))
      errors.push(notSupported(`${path}.scheme`, httpGet.scheme ?? '', SCHEMES))
    for (const { name = '' } of httpGet.httpHeaders ?? [])
      append(
        errors,
        headerNameProblems(name).map((problem) =>
          invalidValue(`${path}.httpHeaders`, name, problem),
        ),
      )
    return errors
  },
  tcpSocket: ({ tcpSocket }, _, path) => portErrors(`${path}.port`, tcpSocket?.port),
  grpc: ({ grpc }, _, path) => portErrors(`${path}.port`, grpc?.port),
  sleep({ sleep }, { grace, allowsZeroSleep }, path) {
    const seconds = sleep?.seconds ?? 0
    if (seconds >= (allowsZeroSleep ? 0 : 1) && seconds <= grace) return []
    const least = allowsZeroSleep ? 'non-negative' : 'greater than 0'
    const why = `must be ${least} and less than terminationGracePeriodSeconds (${grace})`
    return [invalidValue(path, seconds, why)]
  },
}

function handlerErrors(handler: Handler, limits: HandlerLimits, path: string): FieldError[] {
  const given = HANDLERS.filter((name) => handler[name] !== undefined && handler[name] !== null)
  if (given.length === 0) return [required(path, 'must specify a handler type')]
  return given.flatMap((name, i) =>
    i > 0
      ? [forbiddenField(`${path}.${name}`, 'may not specify more than 1 handler type')]
      : CHECKS[name](handler, limits, `${path}.${name}`),
  )
}

function probeErrors(probe: Probe, limits: HandlerLimits, path: string): FieldError[] {
  const errors = handlerErrors(probe, limits, path)
  for (const name of [
    'initialDelaySeconds',
    'timeoutSeconds',
    'periodSeconds',
    'successThreshold',
    'failureThreshold',
  ] as const)
    append(errors, notNegative(`${path}.${name}`, probe[name]))
  const own = probe.terminationGracePeriodSeconds
  if (typeof own === 'number' && own <= 0)
    errors.push(
      invalidValue(`${path}.terminationGracePeriodSeconds`, own, 'must be greater than 0'),
    )
  return errors
}

/** The success threshold must be 1. */
function onceIsEnough(probe: Probe | undefined, limits: HandlerLimits, path: string): FieldError[] {
  if (!probe) return []
  const errors = probeErrors(probe, limits, path)
  if (probe.successThreshold !== 1)
    errors.push(invalidValue(`${path}.successThreshold`, probe.successThreshold ?? 0, 'must be 1'))
  return errors
}

export const livenessProbeErrors = onceIsEnough
export const startupProbeErrors = onceIsEnough

export function readinessProbeErrors(
  probe: Probe | undefined,
  limits: HandlerLimits,
  path: string,
): FieldError[] {
  if (!probe) return []
  const errors = probeErrors(probe, limits, path)
  const own = probe.terminationGracePeriodSeconds
  if (typeof own === 'number')
    errors.push(
      invalidValue(
        `${path}.terminationGracePeriodSeconds`,
        own,
        'must not be set for readinessProbes',
      ),
    )
  return errors
}

export function lifecycleErrors(
  lifecycle: Container['lifecycle'],
  limits: HandlerLimits,
  path: string,
): FieldError[] {
  const hooks = ['postStart', 'preStop'] as const
  return hooks.flatMap((hook) =>
    lifecycle?.[hook] ? handlerErrors(lifecycle[hook], limits, `${path}.${hook}`) : [],
  )
}

/** Recorded from kube-apiserver 1.31; others from k8s.io/kubernetes, pkg/apis/core/validation. */

import { append } from '../../../core/lists'
import { entryOf } from '../../../core/object'
import type { FieldError } from '../../../http/status'
import { goQuote } from '../../../schema/go-text'
import { forbiddenField, invalidValue } from '../../../validation/field-errors'
import { jsonAnnotation } from '../../../validation/json-annotations'
import { descendingPathErrors } from '../../../validation/paths'
import { MIRROR_ANNOTATION } from '../../../validation/pods'
import { tolerationErrors } from '../../../validation/tolerations'
import {
  type Container,
  containersOf,
  type PodSpec,
  type SeccompProfile,
  type Toleration,
} from '../pod-types'

export const APPARMOR_PREFIX = 'container.apparmor.security.beta.kubernetes.io/'
export const SECCOMP_OF_POD = 'seccomp.security.alpha.kubernetes.io/pod'
export const SECCOMP_PREFIX = 'container.seccomp.security.alpha.kubernetes.io/'
const TOLERATIONS = 'scheduler.alpha.kubernetes.io/tolerations'
const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost'

type Annotations = Record<string, string>

/** @param path `metadata.annotations` @param allowsInvalidCost any deletion cost */
export function podAnnotationErrors(
  annotations: Annotations,
  spec: PodSpec,
  path: string,
  allowsInvalidCost: boolean,
): FieldError[] {
  const errors: FieldError[] = []
  const mirror = annotations[MIRROR_ANNOTATION]
  if (mirror !== undefined && !spec.nodeName)
    errors.push(
      invalidValue(
        `${path}[${MIRROR_ANNOTATION}]`,
        mirror,
        'must set spec.nodeName if mirror pod annotation is set',
      ),
    )
  if (annotations[TOLERATIONS])
    append(errors, statedTolerationErrors(annotations[TOLERATIONS], path))
  if (!allowsInvalidCost && hasInvalidCost(annotations)) {
    const cost = annotations[DELETION_COST]
    errors.push(invalidValue(`${path}[${DELETION_COST}]`, cost, 'must be a 32bit integer'))
  }
  return [
    ...errors,
    ...seccompErrors(annotations, path),
    ...appArmorErrors(annotations, spec, path),
  ]
}

function statedTolerationErrors(text: string, path: string): FieldError[] {
  const { value, problem } = jsonAnnotation(text, 'list', '[]core.Toleration')
  if (problem !== undefined) return [invalidValue(path, TOLERATIONS, problem)]
  return tolerationErrors(value as unknown as Toleration[], `${path}.${TOLERATIONS}`)
}

export function hasInvalidCost(annotations: Annotations | undefined): boolean {
  const cost = annotations?.[DELETION_COST]
  return cost !== undefined && !isDeletionCost(cost)
}

/** int32 without plus sign and leading zeros. */
const isDeletionCost = (cost: string): boolean =>
  /^(?:0|[1-9]\d*|-\d+)$/.test(cost) && Number(cost) === (Number(cost) | 0)

const LOCALHOST = 'localhost/'

function seccompErrors(annotations: Annotations, path: string): FieldError[] {
  const stated = Object.keys(annotations).filter((key) => key.startsWith(SECCOMP_PREFIX))
  const keys = [
    ...(annotations[SECCOMP_OF_POD] === undefined ? [] : [SECCOMP_OF_POD]),
    ...stated.sort(),
  ]
  return keys.flatMap((key) => {
    const [field, profile] = [`${path}.${key}`, entryOf(annotations, key) ?? '']
    if (['runtime/default', 'docker/default', 'unconfined'].includes(profile)) return []
    if (profile.startsWith(LOCALHOST))
      return descendingPathErrors(field, profile.slice(LOCALHOST.length))
    return [invalidValue(field, profile, 'must be a valid seccomp profile')]
  })
}

function appArmorErrors(annotations: Annotations, spec: PodSpec, path: string): FieldError[] {
  const names = containersOf(spec, '').map(({ container }) => container.name)
  const errors: FieldError[] = []
  for (const key of Object.keys(annotations).sort()) {
    if (!key.startsWith(APPARMOR_PREFIX)) continue
    const [name, profile] = [key.slice(APPARMOR_PREFIX.length), entryOf(annotations, key) ?? '']
    if (!names.includes(name))
      errors.push(invalidValue(`${path}[${key}]`, name, 'container not found'))
    if (!isAppArmorProfile(profile))
      errors.push(
        invalidValue(
          `${path}[${key}]`,
          profile,
          `invalid AppArmor profile name: ${goQuote(profile)}`,
        ),
      )
  }
  return errors
}

const isAppArmorProfile = (profile: string): boolean =>
  profile === '' ||
  profile === 'runtime/default' ||
  profile === 'unconfined' ||
  profile.startsWith(LOCALHOST)

const RUNTIME_DEFAULTS = {
  seccomp: ['runtime/default', 'docker/default'],
  apparmor: ['runtime/default'],
}

/** Annotation and field must agree. */
export function profileAgreementErrors(
  annotations: Annotations | undefined,
  spec: PodSpec,
  path: string,
): FieldError[] {
  if (!annotations) return []
  const containers = containersOf(spec, path)
  const { seccompProfile, appArmorProfile } = spec.securityContext ?? {}
  const errors = disagreements(
    'seccomp',
    annotations[SECCOMP_OF_POD],
    seccompProfile,
    `${path}.securityContext.seccompProfile`,
  )
  const ofContainers = (
    prefix: string,
    sort: keyof typeof RUNTIME_DEFAULTS,
    of: (container: Container) => SeccompProfile | undefined,
  ) => {
    for (const { container, path: at } of containers) {
      const field = `${at}.securityContext.${sort === 'seccomp' ? 'seccompProfile' : 'appArmorProfile'}`
      append(
        errors,
        disagreements(sort, entryOf(annotations, prefix + container.name), of(container), field),
      )
    }
  }
  ofContainers(SECCOMP_PREFIX, 'seccomp', ({ securityContext }) => securityContext?.seccompProfile)
  if (spec.os?.name !== 'windows')
    ofContainers(
      APPARMOR_PREFIX,
      'apparmor',
      ({ securityContext }) => securityContext?.appArmorProfile ?? appArmorProfile,
    )
  return errors
}

function disagreements(
  sort: keyof typeof RUNTIME_DEFAULTS,
  annotation: string | undefined,
  profile: SeccompProfile | undefined,
  path: string,
): FieldError[] {
  if (annotation === undefined || !profile) return []
  const otherType = [
    forbiddenField(`${path}.type`, `${sort} type in annotation and field must match`),
  ]
  if (profile.type === 'Unconfined') return annotation === 'unconfined' ? [] : otherType
  if (profile.type === 'RuntimeDefault')
    return RUNTIME_DEFAULTS[sort].includes(annotation) ? [] : otherType
  if (profile.type !== 'Localhost') return []
  if (!annotation.startsWith(LOCALHOST)) return otherType
  if (annotation.slice(LOCALHOST.length) === profile.localhostProfile) return []
  return [
    forbiddenField(
      `${path}.localhostProfile`,
      `${sort} profile in annotation and field must match`,
    ),
  ]
}

/** Annotations that mean something to pods (rules and texts recorded). */
import type { FieldError } from '../../../http/status'
import { goQuote } from '../../../schema/go-text'
import { invalidValue } from '../../field-errors'
import { MIRROR_ANNOTATION } from '../../rules/pods'
import { containersOf, type PodSpec } from '../pod-types'

export const APPARMOR_PREFIX = 'container.apparmor.security.beta.kubernetes.io/'
const DELETION_COST = 'controller.kubernetes.io/pod-deletion-cost'

/** @param path of the annotations: `metadata.annotations` */
export function podAnnotationErrors(annotations: Record<string, string>, spec: PodSpec, path: string): FieldError[] {
  const errors: FieldError[] = []
  const mirror = annotations[MIRROR_ANNOTATION]
  if (mirror !== undefined && !spec.nodeName)
    errors.push(invalidValue(`${path}[${MIRROR_ANNOTATION}]`, mirror, 'must set spec.nodeName if mirror pod annotation is set'))
  const names = containersOf(spec, '').map(({ container }) => container.name)
  for (const key of Object.keys(annotations).sort()) {
    if (!key.startsWith(APPARMOR_PREFIX)) continue
    const [name, profile] = [key.slice(APPARMOR_PREFIX.length), annotations[key] ?? '']
    if (!names.includes(name)) errors.push(invalidValue(`${path}[${key}]`, name, 'container not found'))
    if (!isAppArmorProfile(profile))
      errors.push(invalidValue(`${path}[${key}]`, profile, `invalid AppArmor profile name: ${goQuote(profile)}`))
  }
  const cost = annotations[DELETION_COST]
  if (cost !== undefined && !/^(?:0|-?[1-9]\d*)$/.test(cost))
    errors.push(invalidValue(`${path}[${DELETION_COST}]`, cost, 'must be a 32bit integer'))
  return errors
}

const isAppArmorProfile = (profile: string): boolean =>
  profile === '' || profile === 'runtime/default' || profile === 'unconfined' || profile.startsWith('localhost/')

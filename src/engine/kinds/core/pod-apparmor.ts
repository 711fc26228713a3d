/**
 * Copies annotations and fields, so that all kubelets find profiles. Recorded from kube-apiserver
 * 1.31.
 */
import { entryOf } from '../../core/object'
import { containersOf, type Pod, type SeccompProfile } from './pod-types'
import { APPARMOR_PREFIX } from './pod-validation/annotations'
import { oldAppArmor } from './pod-warnings'

/**
 * Mutates the draft.
 * @param annotatesProfiles also copies fields to annotations, for old kubelets
 */
export function settleAppArmor(
  pod: Pod,
  warn: (text: string) => void,
  annotatesProfiles: boolean,
): void {
  const spec = pod.spec ?? {}
  if (spec.os?.name === 'windows') return
  for (const { container } of containersOf(spec, 'spec')) {
    const key = APPARMOR_PREFIX + container.name
    const annotation = entryOf(pod.metadata.annotations, key)
    const profile =
      container.securityContext?.appArmorProfile ?? spec.securityContext?.appArmorProfile
    if (annotation === undefined) {
      const text = profile && annotatesProfiles ? annotationOf(profile) : ''
      if (text !== '') pod.metadata.annotations = { ...pod.metadata.annotations, [key]: text }
      continue
    }
    if (container.securityContext?.appArmorProfile !== undefined) continue
    const stated = profileOf(annotation)
    if (
      profile &&
      profile.type === stated?.type &&
      profile.localhostProfile === stated?.localhostProfile
    )
      continue
    warn(oldAppArmor(`metadata.annotations[${key}]`))
    if (stated)
      container.securityContext = { ...container.securityContext, appArmorProfile: stated }
  }
}

const LOCALHOST = 'localhost/'

function annotationOf({ type, localhostProfile }: SeccompProfile): string {
  if (type === 'RuntimeDefault') return 'runtime/default'
  if (type === 'Unconfined') return 'unconfined'
  return type === 'Localhost' && localhostProfile ? LOCALHOST + localhostProfile : ''
}

function profileOf(annotation: string): SeccompProfile | undefined {
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' }
  if (annotation === 'unconfined') return { type: 'Unconfined' }
  return annotation.startsWith(LOCALHOST)
    ? { type: 'Localhost', localhostProfile: annotation.slice(LOCALHOST.length) }
    : undefined
}

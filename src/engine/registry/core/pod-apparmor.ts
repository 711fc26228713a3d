/**
 * AppArmor profiles of a new pod: once annotations, now fields. Whichever a pod states, it gets the other too, so that old and new
 * nodes understand it (recorded).
 */
import { type Container, containersOf, type Pod, type PodSpec, type SeccompProfile } from './pod-types'
import { APPARMOR_PREFIX } from './pod-validation/annotations'
import { appArmorWarnings } from './pod-warnings'

/** Changes the draft in place; warns of profiles that only an annotation states. */
export function settleAppArmor(pod: Pod, warn: (text: string) => void): void {
  const spec = pod.spec ?? {}
  if (spec.os?.name === 'windows') return
  for (const { container } of containersOf(spec, 'spec')) {
    const key = APPARMOR_PREFIX + container.name
    const annotation = pod.metadata.annotations?.[key]
    const profile = container.securityContext?.appArmorProfile ?? spec.securityContext?.appArmorProfile
    if (annotation === undefined) {
      const text = profile === undefined ? '' : annotationOf(profile)
      if (text !== '') pod.metadata.annotations = { ...pod.metadata.annotations, [key]: text }
      continue
    }
    for (const text of appArmorWarnings(container, spec, pod.metadata.annotations ?? {}, 'metadata.annotations')) warn(text)
    if (container.securityContext?.appArmorProfile === undefined) takeAnnotation(container, annotation, spec)
  }
}

function takeAnnotation(container: Container, annotation: string, spec: PodSpec): void {
  const stated = profileOf(annotation)
  const ofPod = spec.securityContext?.appArmorProfile
  if (stated === undefined) return
  if (ofPod && ofPod.type === stated.type && ofPod.localhostProfile === stated.localhostProfile) return
  container.securityContext = { ...container.securityContext, appArmorProfile: stated }
}

const LOCALHOST = 'localhost/'

export function annotationOf({ type, localhostProfile }: SeccompProfile): string {
  if (type === 'RuntimeDefault') return 'runtime/default'
  if (type === 'Unconfined') return 'unconfined'
  return type === 'Localhost' && localhostProfile ? LOCALHOST + localhostProfile : ''
}

function profileOf(annotation: string): SeccompProfile | undefined {
  if (annotation === 'runtime/default') return { type: 'RuntimeDefault' }
  if (annotation === 'unconfined') return { type: 'Unconfined' }
  return annotation.startsWith(LOCALHOST) ? { type: 'Localhost', localhostProfile: annotation.slice(LOCALHOST.length) } : undefined
}

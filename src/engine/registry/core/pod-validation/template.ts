/** Pods and templates of pods as wholes (rules and texts recorded). */
import type { FieldError } from '../../../http/status'
import { forbiddenField } from '../../field-errors'
import { validateAnnotations } from '../../object-meta'
import { labelErrors } from '../../rules/label-selectors'
import type { Pod, PodTemplate } from '../pod-types'
import { podAnnotationErrors } from './annotations'
import { imageSpaceErrors } from './containers'
import { podSpecErrors } from './spec'

/** @param path of the template: `spec.template`; problems of its labels are told of `spec.template.labels` */
export function podTemplateErrors(template: PodTemplate | undefined, path: string): FieldError[] {
  const { spec = {} } = template ?? {}
  const errors = [...templateMetaErrors(template, path), ...podSpecErrors(spec, `${path}.spec`, false)]
  if (spec.ephemeralContainers?.length)
    errors.push(forbiddenField(`${path}.spec.ephemeralContainers`, 'ephemeral containers not allowed in pod template'))
  return errors
}

/** Labels and annotations alone. */
export function templateMetaErrors(template: PodTemplate | undefined, path: string): FieldError[] {
  const { metadata, spec = {} } = template ?? {}
  const annotations = metadata?.annotations ?? {}
  return [
    ...labelErrors(metadata?.labels, `${path}.labels`),
    ...validateAnnotations(annotations, `${path}.annotations`),
    ...podAnnotationErrors(annotations, spec, `${path}.annotations`),
  ]
}

/** A pod on create and on update, besides its metadata. */
export function podErrors(pod: Pod): FieldError[] {
  const spec = pod.spec ?? {}
  const images = (list: 'containers' | 'initContainers') =>
    (spec[list] ?? []).flatMap((container, i) => imageSpaceErrors(container, `spec.${list}[${i}]`))
  return [
    ...podAnnotationErrors(pod.metadata.annotations ?? {}, spec, 'metadata.annotations'),
    ...podSpecErrors(spec, 'spec', true),
    ...images('containers'),
    ...images('initContainers'),
  ]
}

/** Validates Pod templates. Recorded from kube-apiserver 1.31. */

import { append } from '../../../core/lists'
import type { FieldError } from '../../../http/status'
import { errorsOfItems, forbiddenField } from '../../../validation/field-errors'
import { labelErrors } from '../../../validation/label-selectors'
import { validateAnnotations } from '../../../validation/object-meta'
import type { Pod, PodSpec, PodTemplate } from '../pod-types'
import { podAnnotationErrors, profileAgreementErrors } from './annotations'
import { imageSpaceErrors } from './containers'
import type { PodValidationOptions } from './options'
import { podSpecErrors } from './spec'

/** @param path `spec.template`; of labels: `spec.template.labels` */
export function podTemplateErrors(
  template: PodTemplate | undefined,
  path: string,
  options: PodValidationOptions,
): FieldError[] {
  const { metadata, spec = {} } = template ?? {}
  const errors = [
    ...templateMetaErrors(template, path, options),
    ...podSpecErrors(spec, `${path}.spec`, undefined, options),
    ...profileAgreementErrors(metadata?.annotations, spec, `${path}.spec`),
  ]
  if (spec.ephemeralContainers?.length)
    errors.push(
      forbiddenField(
        `${path}.spec.ephemeralContainers`,
        'ephemeral containers not allowed in pod template',
      ),
    )
  return errors
}

/** Labels and annotations. */
export function templateMetaErrors(
  template: PodTemplate | undefined,
  path: string,
  { allowsInvalidDeletionCost }: PodValidationOptions,
): FieldError[] {
  const { metadata, spec = {} } = template ?? {}
  const annotations = metadata?.annotations
  const errors = labelErrors(metadata?.labels, `${path}.labels`)
  if (annotations) {
    append(errors, validateAnnotations(annotations, `${path}.annotations`))
    append(
      errors,
      podAnnotationErrors(annotations, spec, `${path}.annotations`, allowsInvalidDeletionCost),
    )
  }
  return errors
}

/** All but metadata. */
export function podErrors(pod: Pod, options: PodValidationOptions): FieldError[] {
  const spec = pod.spec ?? {}
  const images = (list: 'containers' | 'initContainers') =>
    errorsOfItems(spec[list], (container, i) => imageSpaceErrors(container, `spec.${list}[${i}]`))
  return [
    ...(pod.metadata.annotations
      ? podAnnotationErrors(
          pod.metadata.annotations,
          spec,
          'metadata.annotations',
          options.allowsInvalidDeletionCost,
        )
      : []),
    ...podSpecErrors(spec, 'spec', pod.metadata.name ?? '', options),
    ...accountlessTokenErrors(spec),
    ...images('containers'),
    ...images('initContainers'),
  ]
}

/** If no admission plugin sets the account, the spec must. */
function accountlessTokenErrors({ serviceAccountName, volumes }: PodSpec): FieldError[] {
  if (serviceAccountName) return []
  return errorsOfItems(volumes, ({ projected }, i) =>
    errorsOfItems(
      (projected as { sources?: { serviceAccountToken?: unknown }[] } | undefined)?.sources,
      ({ serviceAccountToken }, j) => {
        const field = `spec.volumes[${i}].projected.sources[${j}].serviceAccountToken`
        return serviceAccountToken
          ? [forbiddenField(field, 'must not be specified when serviceAccountName is not set')]
          : []
      },
    ),
  )
}

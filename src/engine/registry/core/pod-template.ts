/** Pod templates as objects. */
import type { KubeObject } from '../../object'
import type { Strategy } from '../strategy'
import { defaultTemplate } from './pod-defaults'
import { dropGatedPodMembers } from './pod-gates'
import type { PodTemplate as Template } from './pod-types'
import { podTemplateErrors } from './pod-validation/template'
import { templateWarnings } from './pod-warnings'

interface PodTemplate extends KubeObject {
  template?: Template
}

const templateOf = (object: KubeObject): Template => (object as PodTemplate).template ?? {}

export const podTemplateStrategy: Strategy = {
  generationFields: ['template'],
  defaults(object) {
    const holder = object as PodTemplate
    holder.template ??= {}
    defaultTemplate(holder.template)
  },
  prepareForCreate: (object, { engine }) => dropGatedPodMembers(engine, templateOf(object).spec),
  prepareForUpdate: (object, old, { engine }) =>
    dropGatedPodMembers(engine, templateOf(object).spec, templateOf(old).spec),
  validate: (object) => podTemplateErrors(templateOf(object), 'template'),
  warningsOnCreate: (object) => templateWarnings(templateOf(object), 'template'),
  warningsOnUpdate: (object, old) =>
    object.metadata.generation === old.metadata.generation
      ? []
      : templateWarnings(templateOf(object), 'template'),
}

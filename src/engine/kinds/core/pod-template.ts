import type { KubeObject } from '../../core/object'
import type { Strategy } from '../../registry/strategy'
import { defaultTemplate } from './pod-defaults'
import { dropGatedPodMembers } from './pod-gates'
import type { PodTemplate as Template } from './pod-types'
import { podValidationOptions } from './pod-validation/options'
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
  validate: (object, { engine }, old) =>
    podTemplateErrors(
      templateOf(object),
      'template',
      podValidationOptions(engine, old && templateOf(old)),
    ),
  warningsOnCreate: (object, { engine }) =>
    templateWarnings(templateOf(object), 'template', engine.tables.changes),
  warningsOnUpdate: (object, old, { engine }) =>
    object.metadata.generation === old.metadata.generation
      ? []
      : templateWarnings(templateOf(object), 'template', engine.tables.changes),
}

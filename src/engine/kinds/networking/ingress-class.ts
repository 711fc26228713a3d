/** Rules of IngressClasses. Recorded from kube-apiserver 1.31. */

import { append } from '../../core/lists'
import type { KubeObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import type { Strategy } from '../../registry/strategy'
import {
  forbiddenField,
  invalidValue,
  notSupported,
  required,
  tooLong,
} from '../../validation/field-errors'
import { domainPathErrors } from '../../validation/hosts'
import { dnsLabelProblems } from '../../validation/names'
import { type TypedReference, typedReferenceErrors } from './typed-reference'

interface Parameters extends TypedReference {
  scope?: string
  namespace?: string | null
}

interface IngressClass extends KubeObject {
  spec?: { controller?: string; parameters?: Parameters | null }
}

const SCOPES = ['Cluster', 'Namespace']
const MAX_CONTROLLER = 250

const classSpec = (object: KubeObject) => (object as IngressClass).spec ?? {}

export const ingressClassStrategy: Strategy = {
  generationFields: ['spec'],
  defaults(object) {
    const { parameters } = classSpec(object)
    if (parameters) parameters.scope ??= 'Cluster'
  },
  validate: specErrors,
  validateUpdate(object, old) {
    const [{ controller = '' }, before] = [classSpec(object), classSpec(old)]
    return controller === before.controller
      ? []
      : [invalidValue('spec.controller', controller, 'field is immutable')]
  },
}

function specErrors(object: KubeObject): FieldError[] {
  const { controller = '', parameters } = classSpec(object)
  const long =
    controller.length > MAX_CONTROLLER ? [tooLong('spec.controller', MAX_CONTROLLER)] : []
  const errors = [...long, ...domainPathErrors('spec.controller', controller)]
  return parameters ? [...errors, ...parameterErrors(parameters, 'spec.parameters')] : errors
}

function parameterErrors(parameters: Parameters, path: string): FieldError[] {
  const { scope, namespace } = parameters
  const errors = typedReferenceErrors(parameters, path)
  const field = `${path}.namespace`
  const why = `\`parameters.scope\` is set to '${scope}'`
  if (scope === undefined) errors.push(required(`${path}.scope`))
  else if (!SCOPES.includes(scope)) errors.push(notSupported(`${path}.scope`, scope, SCOPES))
  else if (scope === 'Cluster') {
    if (typeof namespace === 'string') errors.push(forbiddenField(field, why))
  } else if (typeof namespace !== 'string') errors.push(required(field, why))
  else
    append(
      errors,
      dnsLabelProblems(namespace).map((problem) => invalidValue(field, namespace, problem)),
    )
  return errors
}

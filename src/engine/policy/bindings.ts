import type { AdmissionAttributes } from '../admission/admission'
import { authorizerValue, requestResourceValue } from '../cel/library/authorizer'
import { valueOfJson } from '../cel/values/json'
import type { Value } from '../cel/values/value'
import type { Json, JsonObject, KubeObject } from '../core/object'
import type { AccessDecisions } from './access-decisions'
import type { ServedForm } from './environment'
import { NAMESPACE_METADATA } from './types'
import { admissionRequest } from './webhooks/review'

export interface Bindings {
  value(name: string): Value | undefined
}

export interface BindingInput {
  attributes: AdmissionAttributes
  form: ServedForm
  requested: ServedForm
  /** Read on demand; undefined for cluster-scoped resources. */
  namespace(): KubeObject | undefined
  /** Absent: expressions have no authorizer. */
  decisions: AccessDecisions | undefined
}

/** Converts objects to CEL values lazily, and once. */
export function bindingsOf(input: BindingInput): Bindings {
  const known = new Map<string, Value>()
  return {
    value(name) {
      const found = known.get(name)
      if (found !== undefined) return found
      const value = bindingOf(name, input)
      if (value !== undefined) known.set(name, value)
      return value
    },
  }
}

function bindingOf(name: string, input: BindingInput): Value | undefined {
  const { attributes, form, requested, decisions } = input
  const shown = (state: KubeObject | undefined): Value =>
    state === undefined ? null : valueOfJson(form.show(state) as unknown as Json)
  switch (name) {
    case 'object':
      return shown(attributes.object)
    case 'oldObject':
      return shown(attributes.oldObject)
    case 'request':
      return valueOfJson(requestOf(attributes, form, requested))
    case 'namespaceObject': {
      const namespace = input.namespace()
      return namespace === undefined ? null : valueOfJson(namespaceOf(namespace))
    }
    case 'authorizer':
      return decisions && authorizerValue(decisions.decide)
    case 'authorizer.requestResource':
      return decisions && requestResource(attributes, decisions)
    default:
      return undefined
  }
}

/** Objects have variables of their own. */
function requestOf(
  attributes: AdmissionAttributes,
  form: ServedForm,
  requested: ServedForm,
): JsonObject {
  const { object: _object, oldObject: _oldObject, ...rest } = attributes
  return { ...admissionRequest('', rest, form, requested), object: null, oldObject: null }
}

/** Without type, owners and managed fields. */
function namespaceOf({
  metadata,
  apiVersion: _version,
  kind: _kind,
  ...members
}: KubeObject): JsonObject {
  const shown = Object.entries(metadata).filter(
    ([name]) => name === 'uid' || Object.hasOwn(NAMESPACE_METADATA, name),
  )
  return { ...members, metadata: Object.fromEntries(shown) } as unknown as JsonObject
}

function requestResource(
  { group, resource, subresource, namespace, name }: AdmissionAttributes,
  { decide }: AccessDecisions,
): Value {
  return requestResourceValue(decide, { group, resource, subresource, namespace, name })
}

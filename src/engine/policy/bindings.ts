import type { AdmissionAttributes } from '../admission/admission'
import { authorizerValue, requestResourceValue } from '../cel/library/authorizer'
import { valueOfJson } from '../cel/values/json'
import type { Value } from '../cel/values/value'
import type { Json, JsonObject, KubeObject } from '../core/object'
import { changesOf } from '../release-tables/changes'
import type { TypeNode } from '../schema/model'
import type { AccessDecisions } from './access-decisions'
import type { ParamForm, ServedForm } from './environment'
import { NAMESPACE_GO_TYPE, REQUEST_GO_TYPE } from './go-types'
import { NAMESPACE_METADATA } from './types'
import { admissionRequest } from './webhooks/review'

export interface Bindings {
  value(name: string): Value | undefined
  /** Values of Go types; absent: native maps and lists. */
  typed?: boolean
}

/** Whether expressions see values of Go types. */
const seesGoTypes = (release: string): boolean => changesOf(release).has('PoliciesSeeGoTypes')

export interface BindingInput {
  attributes: AdmissionAttributes
  form: ServedForm
  requested: ServedForm
  release: string
  /** Mutations see unstructured objects. */
  unstructured?: boolean
  /** Read on demand; undefined for cluster-scoped resources. */
  namespace(): KubeObject | undefined
  /** Absent: expressions have no authorizer. */
  decisions: AccessDecisions | undefined
}

/** Converts objects to CEL values lazily, and once. */
export function bindingsOf(input: BindingInput): Bindings {
  const known = new Map<string, Value>()
  const typed = seesGoTypes(input.release)
  return {
    typed,
    value(name) {
      const found = known.get(name)
      if (found !== undefined) return found
      const value = bindingOf(name, input, typed)
      if (value !== undefined) known.set(name, value)
      return value
    },
  }
}

function bindingOf(name: string, input: BindingInput, typed: boolean): Value | undefined {
  const { attributes, form, requested, decisions, unstructured } = input
  const goValue = (json: unknown, type: TypeNode): Value =>
    valueOfJson(json as Json, undefined, typed ? type : undefined)
  const shown = (state: KubeObject | undefined): Value => {
    if (state === undefined) return null
    const object = form.show(state)
    return form.typed && unstructured !== true
      ? goValue(object, form.type)
      : valueOfJson(object as unknown as Json)
  }
  switch (name) {
    case 'object':
      return shown(attributes.object)
    case 'oldObject':
      return shown(attributes.oldObject)
    case 'request':
      return goValue(requestOf(attributes, form, requested), REQUEST_GO_TYPE)
    case 'namespaceObject': {
      const namespace = input.namespace()
      return namespace === undefined ? null : goValue(namespaceOf(namespace), NAMESPACE_GO_TYPE)
    }
    case 'authorizer':
      return decisions && authorizerValue(decisions.decide)
    case 'authorizer.requestResource':
      return decisions && requestResource(attributes, decisions)
    default:
      return undefined
  }
}

export function paramValue(
  param: KubeObject | undefined,
  form: ParamForm | undefined,
  release: string,
): Value {
  if (param === undefined) return null
  return valueOfJson(
    param as unknown as Json,
    undefined,
    seesGoTypes(release) ? form?.type : undefined,
  )
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

/** x-kubernetes-embedded-resource. */

import {
  entryOf,
  isJsonObject,
  type Json,
  type JsonObject,
  type KubeObject,
} from '../../core/object'
import type { FieldError } from '../../http/status'
import { invalidValue, requiredOnly } from '../field-errors'
import { dns1035LabelProblems, dnsLabelProblems, pathSegment } from '../names'
import { validateObjectMeta } from '../object-meta'

export function embeddedObjectErrors(schema: JsonObject, value: Json, path = ''): FieldError[] {
  return visit(schema, value, path)
}

function visit(schema: JsonObject, value: Json, path: string): FieldError[] {
  if (Array.isArray(value)) {
    const { items } = schema
    return isJsonObject(items)
      ? value.flatMap((item, index) => visit(items, item, `${path}[${index}]`))
      : []
  }
  if (!isJsonObject(value)) return []
  const own = schema['x-kubernetes-embedded-resource'] === true ? embeddedErrors(value, path) : []
  const properties = isJsonObject(schema.properties) ? schema.properties : {}
  const { additionalProperties } = schema
  const members = Object.keys(value).flatMap((name) => {
    const member = value[name] as Json
    const property = entryOf(properties, name)
    if (isJsonObject(property)) return visit(property, member, memberPath(path, name))
    return isJsonObject(additionalProperties)
      ? visit(additionalProperties, member, `${path}[${name}]`)
      : []
  })
  return [...own, ...members]
}

const memberPath = (path: string, name: string): string => (path === '' ? name : `${path}.${name}`)

function embeddedErrors(object: JsonObject, path: string): FieldError[] {
  const at = (name: string) => memberPath(path, name)
  const missing = ['apiVersion', 'kind'].filter((name) => object[name] === undefined)
  return [
    ...missing.map((name) => requiredOnly(at(name), 'must not be empty')),
    ...versionErrors(object.apiVersion, at('apiVersion')),
    ...kindErrors(object.kind, at('kind')),
    ...metadataErrors(object.metadata, at('metadata')),
  ]
}

function versionErrors(value: Json | undefined, path: string): FieldError[] {
  if (value === undefined) return []
  if (typeof value !== 'string') return [invalidValue(path, value, 'must be a string')]
  if (value === '') return [invalidValue(path, value, 'must not be empty')]
  return value.split('/').length > 2
    ? [invalidValue(path, value, `unexpected GroupVersion string: ${value}`)]
    : []
}

function kindErrors(value: Json | undefined, path: string): FieldError[] {
  if (value === undefined) return []
  if (typeof value !== 'string') return [invalidValue(path, value, 'must be a string')]
  if (value === '') return [invalidValue(path, value, 'must not be empty')]
  const problems = dns1035LabelProblems(value.toLowerCase())
  if (problems.length === 0) return []
  return [
    invalidValue(
      path,
      value,
      `may have mixed case, but should otherwise match: ${problems.join(',')}`,
    ),
  ]
}

/** The name is optional. */
function metadataErrors(value: Json | undefined, path: string): FieldError[] {
  if (!isJsonObject(value)) return []
  const metadata = { ...value, name: value.name || 'fakename' } as KubeObject['metadata']
  const rules = {
    namespaced: Boolean(value.namespace),
    nameRule: pathSegment,
    checksFinalizerNames: false,
  }
  const namespace = typeof value.namespace === 'string' ? value.namespace : ''
  const problems = namespace === '' ? [] : dnsLabelProblems(namespace)
  return [
    ...problems.map((problem) => invalidValue(`${path}.namespace`, namespace, problem)),
    ...validateObjectMeta({ kind: '', apiVersion: '', metadata }, rules).map((error) => ({
      ...error,
      field: error.field.replace(/^metadata/, path),
    })),
  ]
}

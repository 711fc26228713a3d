/**
 * Recorded from kube-apiserver 1.31 (recording `apply-custom`), or from
 * k8s.io/apiextensions-apiserver, pkg/registry/customresource.
 */

import { isJsonObject, type Json, type JsonObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import { goFormat } from '../../schema/go-text'
import { isWhole, numberLiteral } from '../../schema/number-literals'
import { invalidValue } from '../field-errors'

/** `.spec.replicas` */
export interface ScalePaths {
  specReplicasPath: string
  statusReplicasPath: string
  labelSelectorPath?: string
}

const MAX_REPLICAS = 2_147_483_647

export function valueAt(object: JsonObject, path: string): Json | undefined {
  let value: Json | undefined = object
  for (const member of membersOf(path))
    value = isJsonObject(value) && Object.hasOwn(value, member) ? value[member] : undefined
  return value
}

export function membersOf(path: string): string[] {
  return path.split('.').filter((member) => member !== '')
}

export function wantedScaleErrors(object: JsonObject, paths: ScalePaths | undefined): FieldError[] {
  return paths === undefined ? [] : replicasErrors(object, paths.specReplicasPath)
}

export function actualScaleErrors(object: JsonObject, paths: ScalePaths | undefined): FieldError[] {
  if (paths === undefined) return []
  const { statusReplicasPath, labelSelectorPath } = paths
  return [
    ...replicasErrors(object, statusReplicasPath),
    ...(labelSelectorPath === undefined ? [] : selectorErrors(object, labelSelectorPath)),
  ]
}

function replicasErrors(object: JsonObject, path: string): FieldError[] {
  const wrongWay = wayErrors(object, path, 0)
  const value = valueAt(object, path)
  if (wrongWay.length > 0 || value === undefined) return wrongWay
  if (typeof value !== 'number' || !Number.isInteger(value))
    return [invalidValue(path, 0, accessError(path, value))]
  if (value < 0) return [invalidValue(path, value, 'should be a non-negative integer')]
  return value > MAX_REPLICAS ? [tooMany(object, path, value)] : []
}

function selectorErrors(object: JsonObject, path: string): FieldError[] {
  const wrongWay = wayErrors(object, path, '')
  const value = valueAt(object, path)
  if (wrongWay.length > 0 || value === undefined) return wrongWay
  return typeof value === 'string'
    ? []
    : [invalidValue(path, '', accessError(path, value, 'string'))]
}

/** Paths lead through objects, up to absent or null values. @param shown by the error */
function wayErrors(object: JsonObject, path: string, shown: Json): FieldError[] {
  const way: string[] = []
  let value: Json | undefined = object
  for (const member of membersOf(path)) {
    way.push(member)
    if (value === undefined || value === null) return []
    if (!isJsonObject(value))
      return [
        invalidValue(
          path,
          shown,
          accessError(`.${way.join('.')}`, value, 'map[string]interface{}'),
        ),
      ]
    value = Object.hasOwn(value, member) ? value[member] : undefined
  }
  return []
}

function tooMany(object: JsonObject, path: string, value: number): FieldError {
  const [last = '', ...holding] = membersOf(path).reverse()
  const holder = valueAt(object, holding.reverse().join('.'))
  const shown = (isJsonObject(holder) ? numberLiteral(holder, last) : undefined) ?? String(value)
  const why = `should be less than or equal to ${MAX_REPLICAS}`
  return { field: path, reason: 'FieldValueInvalid', detail: `Invalid value: ${shown}: ${why}` }
}

function accessError(path: string, value: Json, wanted = 'int64'): string {
  return `${path} accessor error: ${goFormat(value)} is of the type ${goTypeOf(value)}, expected ${wanted}`
}

/** `%T` */
export function goTypeOf(value: Json): string {
  if (value === null) return '<nil>'
  if (Array.isArray(value)) return '[]interface {}'
  if (typeof value === 'object') return 'map[string]interface {}'
  if (typeof value === 'boolean') return 'bool'
  return typeof value === 'number' ? (isWhole(value, undefined) ? 'int64' : 'float64') : 'string'
}

/**
 * All Go fields, set or not, as controllers hash them: so ReplicaSets have the names of a real
 * cluster. Times are formatted as unset.
 *
 *   (v1.PodTemplateSpec){ObjectMeta:(v1.ObjectMeta){Name:(string) …
 *   Labels:(map[string]string)map[app:web]} Spec:(v1.PodSpec){…}}
 */
import type { Json, JsonObject } from '../../core/object'
import { builtinModel } from '../../schema/builtin'
import { goFieldName } from '../../schema/go-names'
import type { Field, ScalarType, StructType, TypeNode } from '../../schema/model'
import { embeddedIn } from './go-fields'
import { dumpedQuantity } from './quantity-dump'

/** Deprecated alias of `serviceAccountName`. */
const ALIAS = 'serviceAccount'

export function templateDump(template: JsonObject): string {
  const type = builtinModel().byName('io.k8s.api.core.v1.PodTemplateSpec')
  if (type?.type !== 'struct') throw new Error('the type model has no pod templates')
  return `(${type.goType})${dumpedStruct(template, type)}`
}

function dumpedStruct(object: JsonObject | undefined, type: StructType): string {
  const structure = type.goType?.split('.').at(-1) ?? ''
  const embedded = embeddedIn(structure)
  const written: string[] = []
  let inner: string[] | undefined
  for (const field of type.fields) {
    const text = `${field.name === ALIAS ? 'DeprecatedServiceAccount' : goFieldName(structure, field.name)}:${dumpedField(object?.[field.name], field)}`
    if (!embedded?.members.includes(field.name)) {
      written.push(text)
      continue
    }
    if (inner === undefined) {
      inner = []
      // Placeholder for the embedded struct; its fields follow.
      written.push('')
    }
    inner.push(text)
  }
  if (embedded !== undefined)
    written[written.indexOf('')] =
      `${embedded.name}:(v1.${embedded.name}){${(inner ?? []).join(' ')}}`
  return `{${written.join(' ')}}`
}

function dumpedField(value: Json | undefined, { type, pointer }: Field): string {
  const typeName = `(${pointer ? '*' : ''}${type.goType})`
  return pointer && (value === undefined || value === null)
    ? `${typeName}<nil>`
    : `${typeName}${dumpedValue(value ?? undefined, type)}`
}

function dumpedValue(value: Json | undefined, type: TypeNode): string {
  switch (type.type) {
    case 'struct':
      return dumpedStruct(value as JsonObject | undefined, type)
    case 'list':
      return isEmpty(value)
        ? '<nil>'
        : `[${(value as Json[]).map((item) => dumpedValue(item, type.items)).join(' ')}]`
    case 'map':
      return isEmpty(value) ? '<nil>' : `map[${sorted(value as JsonObject, type.values).join(' ')}]`
    case 'scalar':
      return dumpedScalar(value, type)
    case 'any':
      return '<nil>'
  }
}

/** Encoding omits empty lists and maps, so controllers decode them as nil. */
const isEmpty = (value: Json | undefined): boolean =>
  value === undefined || Object.keys(value as JsonObject).length === 0

const sorted = (members: JsonObject, type: TypeNode): string[] =>
  Object.keys(members)
    .sort()
    .map((name) => `${name}:${dumpedValue(members[name], type)}`)

function dumpedScalar(value: Json | undefined, { format }: ScalarType): string {
  switch (format) {
    case 'quantity':
      return dumpedQuantity(String(value ?? '0'))
    case 'intOrString': {
      const isText = typeof value === 'string'
      return `{Type:(intstr.Type)${isText ? 1 : 0} IntVal:(int32)${isText ? 0 : (value ?? 0)} StrVal:(string)${isText ? value : ''}}`
    }
    case 'time':
    case 'microTime':
      return '{Time:(time.Time){wall:(uint64)0 ext:(int64)0 loc:(*time.Location)<nil>}}'
    case 'boolean':
      return String(value ?? false)
    case 'int32':
    case 'int64':
    case 'double':
      return String(value ?? 0)
    default:
      return String(value ?? '')
  }
}

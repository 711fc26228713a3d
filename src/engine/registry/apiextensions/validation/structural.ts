/**
 * Structural schemas: every value has a type, said once, outside of combinations; and what this API does not take of OpenAPI
 * (messages recorded: crd-def-structural, crd-def-schema-forbidden, crd-def-extensions, crd-def-defaults).
 */
import type { FieldError } from '../../../http/status'
import { equalJson, isJsonObject, type Json, type JsonObject } from '../../../object'
import { typeOfCustomValue } from '../../../schema/custom'
import { pruneCustomValue } from '../../../schema/custom-decode'
import { goValue } from '../../../schema/go-text'
import { readPattern } from '../../../schema/patterns/known'
import { PatternError } from '../../../schema/patterns/syntax'
import { forbiddenField, invalidValue, notSupported, required } from '../../field-errors'
import { embeddedObjectErrors } from '../../rules/custom-objects/embedded'
import { schemaErrors } from '../../rules/custom-objects/schema'
import { goStringList } from '../../rules/go-literal'
import { SchemaRules } from '../rules/evaluate'

const TYPES = ['array', 'boolean', 'integer', 'number', 'object', 'string']
const SCALARS = ['boolean', 'integer', 'number', 'string']
/** Words of JSON Schema that are not taken. */
const UNSUPPORTED = ['$ref', 'definitions', 'dependencies', 'patternProperties', 'additionalItems', 'id']

/** Words with which a schema cannot even be looked at as a structural one, in the order in which they are found. */
const INCONVERTIBLE = ['id', '$schema', '$ref', 'additionalItems', 'patternProperties', 'definitions', 'dependencies']

export function structuralErrors(schema: JsonObject, path: string): FieldError[] {
  const word = inconvertibleWord(schema)
  if (word === undefined) {
    const whole = new Schema(schema, path, 'root')
    const errors = whole.errors()
    // Values are compared with a schema only once it is right itself.
    return errors.length > 0 ? errors : whole.defaultErrors()
  }
  const errors = new Schema(schema, path, 'root', false).errors()
  return errors.length > 0 ? errors : [invalidValue(path, '', `OpenAPIV3Schema '${word.replace('$', '')}' is not supported`)]
}

function inconvertibleWord(schema: JsonObject): string | undefined {
  const own =
    INCONVERTIBLE.find((word) => schema[word] !== undefined && schema[word] !== '') ?? (Array.isArray(schema.items) ? 'items' : undefined)
  if (own !== undefined) return own
  if (schema['x-kubernetes-preserve-unknown-fields'] === false) return 'x-kubernetes-preserve-unknown-fields'
  const { properties, additionalProperties, items, not } = schema
  const inner: (Json | undefined)[] = [items, additionalProperties, not, ...(isJsonObject(properties) ? Object.values(properties) : [])]
  for (const word of ['allOf', 'anyOf', 'oneOf']) if (Array.isArray(schema[word])) inner.push(...(schema[word] as Json[]))
  for (const part of inner) {
    const found = isJsonObject(part) ? inconvertibleWord(part) : undefined
    if (found !== undefined) return found
  }
  return undefined
}

type Place = 'root' | 'field' | 'item'

class Schema {
  constructor(
    private readonly schema: JsonObject,
    private readonly path: string,
    private readonly place: Place,
    /** false: the schema cannot be structural, and nothing more is said of that. */
    private readonly structural = true,
  ) {}

  errors(): FieldError[] {
    return [
      ...this.unsupported(),
      ...this.extensions(),
      ...this.nested(),
      ...(this.structural ? [...this.combinations(), ...this.type(), ...(this.place === 'root' ? this.rootMembers() : [])] : []),
    ]
  }

  /** What is wrong with the defaults in it and within, asked of a schema that is right otherwise. */
  defaultErrors(): FieldError[] {
    return [...[...this.members(), ...this.others()].flatMap((schema) => schema.defaultErrors()), ...this.defaults()]
  }

  /** The schemas of named members. The server itself sees to the object's own metadata. */
  private members(): Schema[] {
    const { properties } = this.schema
    const members = isJsonObject(properties) ? properties : {}
    return Object.keys(members)
      .sort()
      .filter((name) => this.place !== 'root' || !['apiVersion', 'kind', 'metadata'].includes(name))
      .flatMap((name) => this.within(members[name], `properties[${name}]`, 'field'))
  }

  /** The schemas of members that are not named, and of items. */
  private others(): Schema[] {
    const { additionalProperties, items } = this.schema
    return [...this.within(additionalProperties, 'additionalProperties', 'field'), ...this.within(items, 'items', 'item')]
  }

  private within(schema: Json | undefined, member: string, place: Place): Schema[] {
    return isJsonObject(schema) ? [new Schema(schema, this.at(member), place, this.structural)] : []
  }

  private at(member: string): string {
    return `${this.path}.${member}`
  }

  private unsupported(): FieldError[] {
    const { schema } = this
    const errors = UNSUPPORTED.filter((word) => schema[word] !== undefined).map((word) =>
      forbiddenField(this.at(word), `${word} is not supported`),
    )
    if (schema.uniqueItems === true) {
      errors.push(
        forbiddenField(this.at('uniqueItems'), 'uniqueItems cannot be set to true since the runtime complexity becomes quadratic'),
      )
    }
    if (Array.isArray(schema.items)) errors.push(forbiddenField(this.at('items'), 'items must be a schema object and not an array'))
    const { pattern } = schema
    const read = typeof pattern === 'string' && pattern !== '' ? readPattern(pattern) : undefined
    if (read instanceof PatternError) {
      errors.push(invalidValue(this.at('pattern'), pattern, `must be a valid regular expression, but isn't: ${read.message}`))
    }
    return errors
  }

  private extensions(): FieldError[] {
    const { schema } = this
    const preserves = schema['x-kubernetes-preserve-unknown-fields']
    const errors: FieldError[] = []
    if (preserves === false) errors.push(invalidValue(this.at('x-kubernetes-preserve-unknown-fields'), false, 'must be true or undefined'))
    if (schema['x-kubernetes-int-or-string'] === true && preserves === true) {
      const why = 'must be false if x-kubernetes-int-or-string is true'
      errors.push(invalidValue(this.at('x-kubernetes-preserve-unknown-fields'), true, why))
    }
    if (schema['x-kubernetes-embedded-resource'] === true) {
      if (preserves !== true && !hasMembers(schema.properties)) {
        const why = 'must not be empty if x-kubernetes-embedded-resource is true without x-kubernetes-preserve-unknown-fields'
        errors.push(required(this.at('properties'), why))
      }
      if (schema.type !== undefined && schema.type !== 'object') {
        errors.push(invalidValue(this.at('type'), schema.type, 'must be object if x-kubernetes-embedded-resource is true'))
      }
    }
    return [...errors, ...this.listType(), ...this.mapType()]
  }

  private mapType(): FieldError[] {
    const mapType = this.schema['x-kubernetes-map-type']
    if (mapType === undefined) return []
    const { type } = this.schema
    return [
      ...(type === 'object' ? [] : [invalidValue(this.at('type'), type ?? '', 'must be object if x-kubernetes-map-type is specified')]),
      ...(mapType === 'atomic' || mapType === 'granular'
        ? []
        : [notSupported(this.at('x-kubernetes-map-type'), mapType, ['atomic', 'granular'])]),
    ]
  }

  private listType(): FieldError[] {
    const { schema } = this
    const listType = schema['x-kubernetes-list-type']
    const keys = (schema['x-kubernetes-list-map-keys'] ?? []) as string[]
    const items = isJsonObject(schema.items) ? schema.items : {}
    const at = this.at('x-kubernetes-list-type')
    const errors: FieldError[] = []
    if (listType === undefined) {
      return keys.length > 0 ? [required(at, 'must be map if x-kubernetes-list-map-keys is non-empty')] : []
    }
    if (schema.type !== 'array') {
      const why = 'must be array if x-kubernetes-list-type is specified'
      errors.push(schema.type ? invalidValue(this.at('type'), schema.type, why) : required(this.at('type'), why))
    }
    if (listType !== 'atomic' && listType !== 'set' && listType !== 'map') errors.push(notSupported(at, listType, ['atomic', 'set', 'map']))
    if (keys.length > 0 && listType !== 'map')
      errors.push(invalidValue(at, listType, 'must be map if x-kubernetes-list-map-keys is non-empty'))
    if (listType === 'set') errors.push(...setErrors(items, this.at('items')))
    if (listType === 'map') errors.push(...this.mapListErrors(items, keys))
    return errors
  }

  private mapListErrors(items: JsonObject, keys: string[]): FieldError[] {
    const at = this.at('x-kubernetes-list-map-keys')
    if (keys.length === 0) return [required(at, 'must not be empty if x-kubernetes-list-type is map')]
    const wrong = (why: string): FieldError => ({
      field: at,
      reason: 'FieldValueInvalid',
      detail: `Invalid value: ${goStringList(keys)}: ${why}`,
    })
    const errors: FieldError[] = []
    if (items.nullable === true)
      errors.push(forbiddenField(this.at('items.nullable'), 'cannot be nullable when x-kubernetes-list-type is map'))
    if (items.type !== undefined && items.type !== 'object') {
      errors.push(invalidValue(this.at('items.type'), items.type, "must be object if parent array's x-kubernetes-list-type is map"))
      return errors
    }
    const properties = isJsonObject(items.properties) ? items.properties : {}
    for (const key of keys) {
      const property = properties[key]
      if (!isJsonObject(property)) {
        errors.push(wrong('entries must all be names of item properties'))
        continue
      }
      const path = this.at(`items.properties[${key}]`)
      if (!SCALARS.includes(String(property.type))) {
        errors.push(
          invalidValue(`${path}.type`, property.type ?? '', "must be a scalar type if parent array's x-kubernetes-list-type is map"),
        )
      } else if (property.default === undefined && !(Array.isArray(items.required) && items.required.includes(key))) {
        const why = 'this property is in x-kubernetes-list-map-keys, so it must have a default or be a required property'
        errors.push(required(`${path}.default`, why))
      }
    }
    if (new Set(keys).size < keys.length) errors.push(wrong('must not contain duplicate entries'))
    return errors
  }

  private nested(): FieldError[] {
    const { properties, additionalProperties, items, type } = this.schema
    const errors = this.members().flatMap((schema) => schema.errors())
    if (isJsonObject(additionalProperties) && hasMembers(properties))
      errors.push(forbiddenField(this.at('additionalProperties'), 'additionalProperties and properties are mutual exclusive'))
    errors.push(...this.others().flatMap((schema) => schema.errors()))
    if (type === 'array' && items === undefined) errors.push(required(this.at('items'), 'must be specified'))
    return errors
  }

  private combinations(): FieldError[] {
    const { schema } = this
    const intOrString = schema['x-kubernetes-int-or-string'] === true
    return [
      ...['allOf', 'anyOf', 'oneOf'].flatMap((word) => {
        const list = Array.isArray(schema[word]) ? (schema[word] as Json[]) : []
        // The two types of such a value may be spelled out, in this order.
        if (intOrString && word === 'anyOf' && equalJson(list, [{ type: 'integer' }, { type: 'string' }])) return []
        return list.flatMap((part, index) => {
          const spelled = intOrString && word === 'allOf' && index === 0 && isJsonObject(part)
          if (spelled && equalJson(part.anyOf, [{ type: 'integer' }, { type: 'string' }])) return []
          return isJsonObject(part) ? valueRuleErrors(part, this.at(`${word}[${index}]`)) : []
        })
      }),
      ...(isJsonObject(schema.not) ? valueRuleErrors(schema.not, this.at('not')) : []),
    ]
  }

  private type(): FieldError[] {
    const { type, nullable } = this.schema
    const free = this.schema['x-kubernetes-int-or-string'] === true || this.schema['x-kubernetes-preserve-unknown-fields'] === true
    if (this.place === 'root') {
      if (type === undefined || type === '') return free ? [] : [required(this.at('type'), 'must not be empty at the root')]
      if (type !== 'object') return [invalidValue(this.at('type'), type, 'must be object at the root'), ...this.knownType(type)]
      return nullable === true ? [forbiddenField(this.at('nullable'), 'nullable cannot be true at the root')] : []
    }
    if (type === undefined || type === '') {
      return free
        ? []
        : [required(this.at('type'), `must not be empty for specified ${this.place === 'item' ? 'array items' : 'object fields'}`)]
    }
    return this.knownType(type)
  }

  private knownType(type: Json): FieldError[] {
    if (TYPES.includes(String(type))) return []
    return [
      notSupported(this.at('type'), type, TYPES),
      ...(type === 'null' ? [forbiddenField(this.at('type'), 'type cannot be set to null, use nullable as an alternative')] : []),
    ]
  }

  /** Of the object's own metadata a schema may say something about names alone. */
  private rootMembers(): FieldError[] {
    const properties = isJsonObject(this.schema.properties) ? this.schema.properties : {}
    const errors: FieldError[] = []
    for (const name of ['apiVersion', 'kind']) {
      const property = properties[name]
      if (isJsonObject(property) && property.type !== 'string')
        errors.push(invalidValue(this.at(`properties[${name}].type`), property.type ?? '', 'must be string'))
    }
    const { metadata } = properties
    if (!isJsonObject(metadata)) return errors
    const path = this.at('properties[metadata]')
    if (metadata.type !== 'object') return [...errors, invalidValue(`${path}.type`, metadata.type ?? '', 'must be object')]
    const { type: _type, properties: named, description: _description, ...others } = metadata
    const names = isJsonObject(named) ? named : {}
    if (Object.keys(others).length > 0 || Object.keys(names).some((name) => name !== 'name' && name !== 'generateName')) {
      const why = 'must not specify anything other than name and generateName, but metadata is implicitly specified'
      errors.push(forbiddenField(path, why))
    }
    for (const [name, property] of Object.entries(names)) {
      if (isJsonObject(property) && property.default !== undefined) {
        errors.push(forbiddenField(`${path}.properties[${name}].default`, 'must not be set in top-level metadata'))
      }
    }
    return errors
  }

  /** A default is a value of the schema itself, with nothing that would be dropped. */
  private defaults(): FieldError[] {
    const { schema } = this
    if (schema.default === undefined) return []
    const at = this.at('default')
    if (!equalJson(pruneCustomValue(typeOfCustomValue(schema), schema.default), schema.default)) {
      return [{ field: at, reason: 'FieldValueInvalid', detail: `Invalid value: ${goValue(schema.default)}: must not have unknown fields` }]
    }
    // Of the two types of such a value a default is not asked.
    const own = schema['x-kubernetes-int-or-string'] === true ? [] : schemaErrors(schema, schema.default, { below: at })
    // The whole is an object of the API itself.
    const whole = this.place === 'root' ? { ...schema, 'x-kubernetes-embedded-resource': true } : schema
    if (own.length > 0) return own
    return [...embeddedObjectErrors(whole, schema.default, at), ...(SchemaRules.of(schema, false)?.judgeDefault(schema.default, at) ?? [])]
  }
}

function setErrors(items: JsonObject, path: string): FieldError[] {
  const errors: FieldError[] = []
  if (items.nullable === true) errors.push(forbiddenField(`${path}.nullable`, 'cannot be nullable when x-kubernetes-list-type is set'))
  const atomic = 'must be atomic as item of a list with x-kubernetes-list-type=set'
  const mapType = items['x-kubernetes-map-type']
  const listType = items['x-kubernetes-list-type']
  if (items.type === 'object' && mapType !== 'atomic') errors.push(invalidValue(`${path}.x-kubernetes-map-type`, mapType ?? 'null', atomic))
  if (items.type === 'array' && listType !== undefined && listType !== 'atomic') {
    errors.push(invalidValue(`${path}.x-kubernetes-list-type`, listType, atomic))
  }
  return errors
}

/** Words that only describe a value, and are none of a combination's business, with what they must be there. */
const NO_RULES: Record<string, string> = {
  type: 'empty',
  description: 'empty',
  title: 'empty',
  default: 'undefined',
  additionalProperties: 'undefined',
  nullable: 'false',
  'x-kubernetes-preserve-unknown-fields': 'false',
  'x-kubernetes-embedded-resource': 'false',
  'x-kubernetes-int-or-string': 'false',
  'x-kubernetes-validations': 'empty',
}

/** Schemas inside a combination hold rules for values and nothing else. */
function valueRuleErrors(schema: JsonObject, path: string): FieldError[] {
  const own = Object.entries(NO_RULES)
    .filter(([word]) => schema[word] !== undefined && schema[word] !== '' && schema[word] !== false)
    .map(([word, empty]) => forbiddenField(`${path}.${word}`, `must be ${empty} to be structural`))
  const properties = isJsonObject(schema.properties) ? schema.properties : {}
  const nested = [
    ...Object.keys(properties)
      .sort()
      .map((name) => [properties[name], `${path}.properties[${name}]`] as const),
    ...(isJsonObject(schema.items) ? [[schema.items, `${path}.items`] as const] : []),
    ...(isJsonObject(schema.not) ? [[schema.not, `${path}.not`] as const] : []),
    ...['allOf', 'anyOf', 'oneOf'].flatMap((word) =>
      (Array.isArray(schema[word]) ? (schema[word] as Json[]) : []).map((part, index) => [part, `${path}.${word}[${index}]`] as const),
    ),
  ]
  return [...own, ...nested.flatMap(([part, at]) => (isJsonObject(part) ? valueRuleErrors(part, at) : []))]
}

const hasMembers = (value: Json | undefined): boolean => isJsonObject(value) && Object.keys(value).length > 0

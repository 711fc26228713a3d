/** An OpenAPI v3 schema as text: type, values, description, fields. */
import { isJsonObject, type Json, type JsonObject } from '../../engine/core/object'
import { indented, wrapped } from './wrap'

const WIDTH = 78
/** Maximum number of values in a list of fields. */
const MOST_VALUES = 4

export class SchemaText {
  constructor(
    private readonly document: JsonObject,
    private readonly recursive: boolean,
  ) {}

  /** @returns undefined if there is no such field */
  of(
    schema: JsonObject,
    fields: readonly string[],
    seen: ReadonlySet<string> = new Set(),
  ): string | undefined {
    const { ref, resolved } = this.resolve(schema)
    const [field, ...rest] = fields
    if (field === undefined) return this.whole(resolved)
    if (ref !== undefined && seen.has(ref)) return undefined
    const next = ref === undefined ? seen : new Set([...seen, ref])
    const property = isJsonObject(resolved.properties) ? resolved.properties[field] : undefined
    if (isJsonObject(property)) {
      const below = this.of(property, rest)
      if (below === undefined) return undefined
      return rest.length === 0
        ? `FIELD: ${field} <${this.type(property)}>\n${this.values(property)}\n\n${below}`
        : below
    }
    for (const part of this.partsOf(resolved)) {
      const found = this.of(part, fields, next)
      if (found !== undefined) return found
    }
    return undefined
  }

  /** Empty without fields. */
  names(schema: JsonObject, path: readonly string[]): string[] {
    const { resolved } = this.resolve(schema)
    const [field, ...rest] = path
    const property =
      field === undefined || !isJsonObject(resolved.properties)
        ? undefined
        : resolved.properties[field]
    if (isJsonObject(property)) return this.names(property, rest)
    if (field === undefined && isJsonObject(resolved.properties))
      return Object.keys(resolved.properties)
    return this.partsOf(resolved).flatMap((part) => this.names(part, path))
  }

  private whole(schema: JsonObject): string {
    const description = this.description(schema) || '<empty>'
    const fields = this.fieldList(schema, 1, new Set())
    return `DESCRIPTION:\n${indented(wrapped(description, 76), 4)}\n${fields === '' ? '' : `FIELDS:\n${fields}`}`
  }

  private description(schema: JsonObject, depth = 0): string {
    const { resolved } = this.resolve(schema)
    const own =
      typeof resolved.description === 'string' && resolved.description !== ''
        ? `${resolved.description}\n`
        : ''
    // Ends recursive types.
    if (depth > 8) return own
    return (
      own +
      this.partsOf(resolved, true)
        .map((part) => this.description(part, depth + 1))
        .join('')
    )
  }

  private fieldList(schema: JsonObject, level: number, seen: ReadonlySet<string>): string {
    const { ref, resolved } = this.resolve(schema)
    if (ref !== undefined && seen.has(ref)) return ''
    const next = ref === undefined ? seen : new Set([...seen, ref])
    const properties = isJsonObject(resolved.properties) ? resolved.properties : {}
    const own = Object.keys(properties)
      .sort()
      .map((name) => {
        const property = properties[name] as JsonObject
        return (
          this.field(resolved, name, property, level) +
          (this.recursive ? this.fieldList(property, level + 1, next) : '')
        )
      })
    return [
      ...own,
      ...this.partsOf(resolved, true).map((part) => this.fieldList(part, level, next)),
    ].join('')
  }

  private field(owner: JsonObject, name: string, schema: JsonObject, level: number): string {
    const indent = level * 2
    const required =
      Array.isArray(owner.required) && owner.required.includes(name) ? ' -required-' : ''
    const line = `${indented(name, indent)}\t<${this.type(schema)}>${required}${this.shortValues(schema, indent)}\n`
    if (this.recursive) return line
    const description =
      typeof schema.description === 'string' && schema.description !== ''
        ? schema.description
        : '<no description>'
    return `${line}${indented(wrapped(description, WIDTH - indent), indent + 2)}\n\n`
  }

  /** `string`, `[]Container`, `map[string]Quantity` */
  private type(schema: JsonObject): string {
    const { items, additionalProperties, allOf, $ref, type } = schema
    if (isJsonObject(items)) return `[]${this.type(items)}`
    if (isJsonObject(additionalProperties)) return `map[string]${this.type(additionalProperties)}`
    if (Array.isArray(allOf) && allOf.length === 1 && isJsonObject(allOf[0]) && !schema.properties)
      return this.type(allOf[0])
    if (typeof $ref !== 'string') return type === 'object' || !type ? 'Object' : String(type)
    const target = this.resolve(schema).resolved
    if (target !== schema && target.type && target.type !== 'object') return String(target.type)
    return $ref.split('/').at(-1)?.split('.').at(-1) || 'Object'
  }

  private values({ enum: values }: JsonObject): string {
    return Array.isArray(values)
      ? `ENUM:${values.map((value) => `\n    ${shownValue(value)}`).join('')}`
      : ''
  }

  private shortValues({ enum: values }: JsonObject, indent: number): string {
    if (!Array.isArray(values)) return ''
    const more = values.length > MOST_VALUES ? ', ....' : ''
    return `\n${' '.repeat(indent)}enum: ${values.slice(0, MOST_VALUES).map(shownValue).join(', ')}${more}`
  }

  /** The schemas that a schema combines. @param allFirst printing order; false: search order */
  private partsOf(
    { items, additionalProperties, allOf }: JsonObject,
    allFirst = false,
  ): JsonObject[] {
    const all = Array.isArray(allOf) ? allOf.filter(isJsonObject) : []
    const inner = [items, additionalProperties].filter(isJsonObject)
    if (allFirst) return [...all, ...inner]
    return inner.length > 0 ? inner.slice(0, 1) : all
  }

  private resolve(schema: JsonObject): { ref: string | undefined; resolved: JsonObject } {
    const { $ref: ref } = schema
    if (typeof ref !== 'string' || !ref.startsWith('#/'))
      return { ref: undefined, resolved: schema }
    const target = ref
      .slice(2)
      .split('/')
      .reduce<Json | undefined>(
        (value, name) => (isJsonObject(value) ? value[name] : undefined),
        this.document,
      )
    return { ref, resolved: isJsonObject(target) ? target : schema }
  }
}

const shownValue = (value: Json): string => (value === '' ? '""' : String(value))

/**
 * Order: type, combinations, rules of the value's type, `enum`, members. A wrong type does not skip
 * the others. Recorded from kube-apiserver 1.31.
 */

import { append } from '../../core/lists'
import { isJsonObject, type Json, type JsonObject } from '../../core/object'
import type { FieldError } from '../../http/status'
import { goQuote } from '../../schema/go-text'
import { numberLiteral } from '../../schema/number-literals'
import { fitsPattern } from '../../schema/patterns/pattern-cache'
import {
  invalidValue,
  overlong,
  printedUntyped,
  required,
  tooMany,
  typeInvalid,
  withValue,
} from '../field-errors'
import { Enumeration } from './enumeration'
import { isFormat, isKnownFormat } from './formats'
import { HeldNumber, isInRange, isNumberFormat, numberProblems } from './numbers'
import {
  type Former,
  formerItems,
  formerOf,
  isUnchanged,
  NEVER_UNCHANGED,
  schemaOfMember,
} from './unchanged'
import { furthest, isValid, nothing, type Verdict } from './verdict'

export interface SchemaOptions {
  old?: Json | undefined
  /** Messages omit this field before member names. */
  below?: string
  /**
   * Defaults are checked against a type only if the schema has one, and against every format, even
   * unknown ones.
   */
  isDefault?: boolean
  nameFormats?: boolean
  checksRanges?: boolean
}

export function schemaErrors(
  schema: JsonObject,
  value: Json,
  {
    old,
    below = '',
    isDefault = false,
    checksRanges = false,
    nameFormats = false,
  }: SchemaOptions = {},
): FieldError[] {
  const { errors } = new SchemaValidator(below, isDefault, checksRanges, nameFormats).validate(
    schema,
    value,
    '',
    formerOf(old, schema),
  )
  // Combined schemas may report equal errors.
  return errors.length < 2
    ? errors
    : [...new Map(errors.map((error) => [`${error.field} ${error.detail}`, error])).values()]
}

type Rule = (schema: JsonObject, value: Json, name: string, old: Former | undefined) => Verdict

class SchemaValidator {
  /** As written, if that differs from how it prints. */
  private literal: string | undefined

  constructor(
    private readonly below: string,
    private readonly isDefault: boolean,
    private readonly checksRanges: boolean,
    private readonly nameFormats: boolean,
  ) {}

  validate(schema: JsonObject, value: Json, name: string, old: Former | undefined): Verdict {
    if (old !== undefined && isUnchanged(old.schema, value, old.value)) return nothing()
    const verdict = nothing(1)
    for (const rule of this.rulesFor(schema, value)) {
      const { errors, checked } = rule(schema, value, name, old)
      append(verdict.errors, errors)
      verdict.checked += checked + 1
    }
    return verdict
  }

  private rulesFor(schema: JsonObject, value: Json): Rule[] {
    const type = this.typesOf(schema).length > 0 || this.formatOf(schema) !== '' ? [this.type] : []
    if (value === null) return [...type, this.enumeration]
    if (isJsonObject(value)) return [...type, this.combinations, this.enumeration, this.object]
    return [
      ...type,
      this.combinations,
      ...this.rulesOfScalarOrList(schema, value),
      this.enumeration,
    ]
  }

  private typesOf(schema: JsonObject): string[] {
    if (schema['x-kubernetes-int-or-string'] === true && !this.isDefault)
      return ['integer', 'string']
    return typeof schema.type === 'string' && schema.type !== '' ? [schema.type] : []
  }

  private formatOf({ format }: JsonObject): string {
    if (typeof format !== 'string') return ''
    const isKnown =
      this.isDefault ||
      isKnownFormat(format, this.nameFormats) ||
      (this.checksRanges && isNumberFormat(format))
    return isKnown ? format : ''
  }

  private rulesOfScalarOrList(schema: JsonObject, value: Json): Rule[] {
    if (Array.isArray(value)) return [this.list]
    switch (typeof value) {
      case 'string':
        return typeof schema.format === 'string' && isKnownFormat(schema.format, this.nameFormats)
          ? [this.text, this.format]
          : [this.text]
      case 'number':
        return [this.number]
      default:
        return []
    }
  }

  private field(name: string): string {
    if (this.below === '') return name === '' ? '<nil>' : name
    return name === '' ? this.below : `${this.below}${name.startsWith('.') ? '' : '.'}${name}`
  }

  private invalid(name: string, value: unknown, why: string): FieldError {
    return invalidValue(this.field(name), value, `${name} in body ${why}`)
  }

  private mistyped(name: string, wanted: string, shown: string): FieldError {
    return typeInvalid(
      this.field(name),
      shown,
      `${name} in body must be of type ${wanted}: ${goQuote(shown)}`,
    )
  }

  private readonly type: Rule = (schema, value, name) => {
    const types = this.typesOf(schema)
    const mistyped = (wanted: string, shown: string): Verdict => ({
      errors: [this.mistyped(name, wanted, shown)],
      checked: 0,
    })
    if (value === null)
      return types.length === 0 || schema.nullable === true
        ? nothing()
        : mistyped(types.join(','), 'null')
    const format = this.formatOf(schema)
    const isText = typeof value === 'string' || Array.isArray(value)
    const isNumeric = types.includes('number') || types.includes('integer')
    // A format replaces the type check; string formats are checked separately.
    if (isText && !isNumeric && format !== '') return nothing()
    const found = typeof value === 'number' ? HeldNumber.of(value, this.literal) : undefined
    const type = found?.type ?? (Array.isArray(value) ? 'array' : typeof value)
    const fits =
      types.includes(type) ||
      (found !== undefined && types.includes(found.isIntegral ? 'integer' : '')) ||
      (type === 'integer' && types.includes('number'))
    if (fits) return nothing()
    if (!isText && format !== '' && found?.format !== format)
      return mistyped(format, found?.format ?? '')
    return mistyped(types.join(','), type)
  }

  private readonly combinations: Rule = (schema, value, name) => {
    const errors: FieldError[] = []
    let checked = 1
    const combined = (member: string): Verdict[] =>
      schemasIn(schema[member]).map((alternative) =>
        this.validate(alternative, value, name, undefined),
      )
    const whole = (why: string): FieldError =>
      invalidValue(this.below === '' ? '<nil>' : this.below, '', `${goQuote(name)} must ${why}`)
    const any = combined('anyOf')
    if (any.length > 0 && !any.some(isValid)) {
      const best = furthest(any)
      append(errors, [whole('validate at least one schema (anyOf)')], best.errors)
      checked += best.checked
    }
    const one = combined('oneOf')
    const valid = one.filter(isValid).length
    if (one.length > 0 && valid !== 1) {
      const found = valid === 0 ? 'Found none valid' : `Found ${valid} valid alternatives`
      errors.push(whole(`validate one and only one schema (oneOf). ${found}`))
      if (valid === 0) {
        const best = furthest(one)
        append(errors, best.errors)
        checked += best.checked
      }
    }
    const all = combined('allOf')
    for (const verdict of all) append(errors, verdict.errors)
    if (!all.every(isValid)) {
      errors.push(
        whole(`validate all the schemas (allOf)${all.some(isValid) ? '' : '. None validated'}`),
      )
    }
    if (isJsonObject(schema.not) && isValid(this.validate(schema.not, value, name, undefined))) {
      errors.push(whole('not validate the schema (not)'))
    }
    return { errors, checked }
  }

  private readonly text: Rule = (schema, value, name) => {
    const text = value as string
    const { maxLength, minLength, pattern } = schema
    const length = [...text].length
    const one = (error: FieldError): Verdict => ({ errors: [error], checked: 0 })
    if (typeof maxLength === 'number' && length > maxLength)
      return one(overlong(this.field(name), maxLength))
    if (typeof minLength === 'number' && length < minLength)
      return one(this.invalid(name, text, `should be at least ${minLength} chars long`))
    if (typeof pattern === 'string' && pattern !== '' && !fitsPattern(pattern, text)) {
      return one(this.invalid(name, text, `should match '${pattern}'`))
    }
    return nothing()
  }

  private readonly format: Rule = (schema, value, name) => {
    const format = schema.format as string
    return isFormat(format, value as string, this.nameFormats)
      ? nothing()
      : { errors: [this.mistyped(name, format, value as string)], checked: 0 }
  }

  private readonly number: Rule = (schema, value, name) => {
    const held = HeldNumber.of(value as number, this.literal)
    const error = (shown: string, why: string): FieldError => ({
      field: this.field(name),
      reason: 'FieldValueInvalid',
      detail: `Invalid value: ${shown}: ${why}`,
    })
    const errors = numberProblems(schema, held).map((problem) =>
      error(held.shown, `${name} in body ${problem}`),
    )
    const ranges = this.checksRanges ? this.rangeErrors(schema, held, name) : []
    const { multipleOf } = schema
    if (typeof multipleOf === 'number') {
      const factor = held.shownLimit(multipleOf)
      const isMultiple = held.isMultipleOf(multipleOf)
      if (isMultiple === undefined)
        errors.unshift(
          error(factor, `factor MultipleOf declared for ${name} must be positive: ${factor}`),
        )
      else if (!isMultiple)
        errors.unshift(error(held.shown, `${name} in body should be a multiple of ${factor}`))
    }
    return { errors: [...ranges, ...errors], checked: 1 }
  }

  /** Checks the value and its limits. */
  private rangeErrors(schema: JsonObject, held: HeldNumber, name: string): FieldError[] {
    const type = typeof schema.type === 'string' ? schema.type : ''
    const format = this.formatOf(schema)
    const words = format === '' ? '(default format)' : `with format ${format}`
    const checked: [string, unknown][] = [
      ['Checked', held.exact],
      ['MultipleOf', schema.multipleOf],
      ['Minimum boundary', schema.minimum],
      ['Maximum boundary', schema.maximum],
    ]
    return checked.flatMap(([what, value]) =>
      (typeof value !== 'number' && typeof value !== 'string') || isInRange(value, type, format)
        ? []
        : [
            invalidValue(
              this.below === '' ? '<nil>' : this.below,
              '',
              `${what} value must be of type ${type} ${words} in ${name}`,
            ),
          ],
    )
  }

  private readonly list: Rule = (schema, value, name, old) => {
    const list = value as Json[]
    const { items, minItems, maxItems } = schema
    const verdict = nothing(1)
    const before = Array.isArray(old?.value) ? formerItems(old.schema, old.value) : undefined
    if (isJsonObject(items)) {
      list.forEach((item, index) => {
        this.literal = numberLiteral(list, index)
        const { errors, checked } = this.validate(
          items,
          item,
          `${name}[${index}]`,
          formerOf(before?.(item), old?.schema.items),
        )
        append(verdict.errors, errors)
        verdict.checked += checked
      })
    }
    if (typeof minItems === 'number' && list.length < minItems) {
      verdict.errors.push(this.invalid(name, list.length, `should have at least ${minItems} items`))
    }
    if (typeof maxItems === 'number' && list.length > maxItems)
      verdict.errors.push(tooMany(this.field(name), list.length, maxItems))
    return verdict
  }

  private readonly object: Rule = (schema, value, name, old) => {
    const object = value as JsonObject
    const { minProperties, maxProperties } = schema
    const isGiven = (member: string) =>
      Object.hasOwn(object, member) && object[member] !== undefined
    const names = Object.keys(object).filter(isGiven)
    const verdict = nothing()
    if (typeof minProperties === 'number' && names.length < minProperties)
      verdict.errors.push(
        this.invalid(name, names.length, `should have at least ${minProperties} properties`),
      )
    if (typeof maxProperties === 'number' && names.length > maxProperties)
      verdict.errors.push(tooMany(this.field(name), names.length, maxProperties))
    const before = isJsonObject(old?.value) ? old.value : {}
    const isWhole = name === '' && this.below === ''
    const formerMember = (member: string) =>
      Object.hasOwn(before, member) && !(isWhole && NEVER_UNCHANGED.includes(member))
        ? before[member]
        : undefined
    const properties = isJsonObject(schema.properties) ? schema.properties : {}
    const validateMember = (member: string, memberSchema: Json | undefined, path: string) => {
      if (!isJsonObject(memberSchema) || !isGiven(member)) return
      this.literal = numberLiteral(object, member)
      const { errors, checked } = this.validate(
        memberSchema,
        object[member] as Json,
        path,
        formerOf(formerMember(member), old && schemaOfMember(old.schema, member)),
      )
      append(verdict.errors, errors)
      verdict.checked += checked
    }
    const pathOf = (member: string) => (name === '' ? member : `${name}.${member}`)
    // Additional properties have a leading dot, even at the root.
    for (const member of names.sort()) {
      if (Object.hasOwn(properties, member)) continue
      if (schema.additionalProperties === false)
        verdict.errors.push(
          invalidValue(
            this.field(name),
            member,
            `${name}.${member} in body is a forbidden property`,
          ),
        )
      validateMember(member, schema.additionalProperties, `${name}.${member}`)
    }
    for (const member of Object.keys(properties).sort())
      validateMember(member, properties[member], pathOf(member))
    for (const member of Array.isArray(schema.required) ? (schema.required as string[]) : []) {
      if (!isGiven(member)) verdict.errors.push(required(this.field(pathOf(member))))
    }
    return verdict
  }

  /** So that a long enum costs one look-up for each value. */
  private readonly enumerations = new Map<Json[], Enumeration>()

  private readonly enumeration: Rule = (schema, value, name) => {
    const allowed = Array.isArray(schema.enum) ? schema.enum : []
    if (allowed.length === 0) return nothing()
    let known = this.enumerations.get(allowed)
    if (known === undefined) this.enumerations.set(allowed, (known = new Enumeration(allowed)))
    if (known.has(value)) return nothing()
    const why = `supported values: ${known.text()}`
    const error = withValue(
      this.field(name),
      'FieldValueNotSupported',
      'Unsupported value',
      printedUntyped(value),
      why,
    )
    return { errors: [error], checked: 0 }
  }
}

function schemasIn(value: Json | undefined): JsonObject[] {
  return Array.isArray(value) ? value.filter(isJsonObject) : []
}

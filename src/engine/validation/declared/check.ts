import { addToGroup } from '../../core/lists'
import {
  entryOf,
  isJsonObject,
  type Json,
  type JsonObject,
  type KubeObject,
} from '../../core/object'
import { currentError, type FieldError, MAX_ERROR_CHARACTERS } from '../../http/status'
import type { RequestContext } from '../../registry/request-context'
import type { Changes, ReleaseTypes } from '../../release-tables/changes'
import type { StructType, TypeNode } from '../../schema/model'
import { semanticallyEqual } from '../../schema/semantic-equality'
import type { Checked, Declared } from './rules'

interface TagError {
  error: FieldError
  replaces?: RegExp
}

/** Own errors first. Unchanged values have none. */
function errorsOf(declared: Declared, type: TypeNode | undefined, checked: Checked): TagError[] {
  const { value, old, isUpdate, path } = checked
  const { first = [], all = [], replaces } = declared
  if (isUpdate && semanticallyEqual(type, value, old)) return []
  const marked = (errors: FieldError[]): TagError[] =>
    replaces ? errors.map((error) => ({ error, replaces })) : errors.map((error) => ({ error }))
  for (const rule of first) {
    const errors = rule(checked)
    if (errors.length > 0) return marked(errors)
  }
  const errors = marked(all.flatMap((rule) => rule(checked)))
  if (value === undefined || value === null) return errors
  return [
    ...errors,
    ...Object.entries(declared.members ?? {}).flatMap(([name, member]) => {
      const field = type?.type === 'struct' ? type.byName.get(name) : undefined
      // A structure without a pointer always exists.
      const unset = field?.type.type === 'struct' && !field.pointer ? {} : undefined
      return errorsOf(member, field?.type, {
        path: path === '' ? name : `${path}.${name}`,
        value: (isJsonObject(value as Json) ? entryOf(value as JsonObject, name) : null) ?? unset,
        old: (isJsonObject(old as Json) ? entryOf(old as JsonObject, name) : null) ?? unset,
        isUpdate: isUpdate && isJsonObject(old as Json),
      })
    }),
    ...errorsOfItems(declared, type, checked),
  ]
}

function errorsOfItems(
  { items, key }: Declared,
  type: TypeNode | undefined,
  { path, value, old, isUpdate }: Checked,
): TagError[] {
  if (items === undefined || !Array.isArray(value)) return []
  const before = new Map<unknown, unknown>()
  if (isUpdate && key !== undefined && Array.isArray(old))
    for (const item of old) if (isJsonObject(item)) before.set(entryOf(item, key), item)
  const ofItems = type?.type === 'list' ? type.items : undefined
  return value.flatMap((item, i) => {
    const id = key !== undefined && isJsonObject(item) ? entryOf(item, key) : undefined
    return errorsOf(items, ofItems, {
      path: `${path}[${i}]`,
      value: item,
      old: before.get(id),
      isUpdate: before.has(id),
    })
  })
}

/** kube-apiserver imports these groups, whose types declare no rules. */
const OF_OTHER_SERVERS = ['apiextensions.k8s.io', 'apiregistration.k8s.io']

/** @param old undefined on create */
export function withDeclared(
  { engine, resource, subresource }: RequestContext,
  object: KubeObject,
  old: KubeObject | undefined,
  ofAllReleases: FieldError[],
): FieldError[] {
  const ofStrategy = ofRelease(ofAllReleases, engine.tables.changes)
  if (!engine.tables.changes.has('EqualErrorsListedOnce')) return ofStrategy
  if (resource.custom || OF_OTHER_SERVERS.includes(resource.group)) return ofStrategy
  const rules =
    subresource === '' && engine.featureGates.DeclarativeValidationBeta
      ? resource.rules.declared
      : undefined
  const declared =
    typeof rules === 'function' ? rules({ featureGates: engine.featureGates, object, old }) : rules
  const ofTags = declared ? declaredErrors(declared, resource.storedType, object, old) : []
  return ofStrategy.length + ofTags.length === 0
    ? ofStrategy
    : joined(ofStrategy, ofTags, engine.tables)
}

function ofRelease(errors: FieldError[], changes: Changes): FieldError[] {
  const isOther = ({ since, until }: FieldError) =>
    (until !== undefined && changes.has(until)) || (since !== undefined && !changes.has(since))
  return errors.some(isOther) ? errors.filter((error) => !isOther(error)) : errors
}

function declaredErrors(
  declared: Declared,
  type: StructType,
  object: KubeObject,
  old: KubeObject | undefined,
): TagError[] {
  return errorsOf(declared, type, { path: '', value: object, old, isUpdate: old !== undefined })
}

/** `must be …` */
const reasonOf = ({ detail }: FieldError): string => detail.slice(detail.indexOf(': ') + 2)

/**
 * A declared error replaces the strategy's about the same rule; equal errors of a strategy are
 * listed once. See k8s.io/apiserver, pkg/registry/rest/validate.go,
 * `ValidateDeclarativelyWithMigrationChecks`.
 */
export function joined(
  ofStrategy: readonly FieldError[],
  ofTags: readonly TagError[],
  tables: ReleaseTypes,
): FieldError[] {
  const tagsByField = new Map<string, TagError[]>()
  for (const tag of ofTags) addToGroup(tagsByField, tag.error.field, tag)
  const known = new Set<string>()
  let characters = 0
  const own: FieldError[] = []
  for (const { times: _, ...error } of ofStrategy) {
    // A response only counts what is beyond the bound. JavaScript engines hash long strings by
    // their length, so a set of many would take quadratic time.
    if (characters <= MAX_ERROR_CHARACTERS) {
      const { field, detail } = currentError(error, tables)
      const text = `${field}: ${detail}`
      characters += text.length
      if (known.has(text)) continue
      known.add(text)
      if (tagsByField.get(error.field)?.some((tag) => isSameRule(error, tag))) continue
    }
    own.push(error)
  }
  return own.concat(ofTags.map(({ error }) => error))
}

function isSameRule(error: FieldError, { error: tag, replaces }: TagError): boolean {
  if (replaces?.test(error.detail)) return true
  if (error.reason !== tag.reason) return false
  if (error.reason !== 'FieldValueInvalid') return true
  return reasonOf(tag).endsWith(lastPart(reasonOf(error)))
}

/** Values may contain colons. */
const lastPart = (text: string): string => text.slice(text.lastIndexOf(': ') + 2)

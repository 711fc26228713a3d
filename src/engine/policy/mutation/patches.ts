/**
 * Applies the mutations of a MutatingAdmissionPolicy. k8s.io/apiserver,
 * pkg/admission/plugin/policy/mutating/patch.
 */
import { merge } from '../../apply/merge'
import { isUntyped } from '../../apply/typed-value'
import { listed, problemsOf } from '../../apply/validate'
import { ObjectValue, PatchOperation, typeNameProblems } from '../../cel/library/patch-types'
import { ListValue, type Value } from '../../cel/values/value'
import { isJsonObject, type Json, type JsonObject, type KubeObject } from '../../core/object'
import { internalError } from '../../http/status'
import { applyOperations, FailedTest, JsonPatchFailure } from '../../patch/json-patch'
import type { TypeNode } from '../../schema/model'
import { type ServedForm, UnreadableDocument } from '../environment'
import { jsonOfValue, UnconvertibleValue } from './json-of-values'

/** The failure policy decides the request. */
export class MutationFailure extends Error {}

/**
 * @param before in the version of the form
 * @throws MutationFailure; ApiError 500 if the result cannot be decoded
 */
export function patchedBy(
  patchType: string | undefined,
  result: Value,
  before: JsonObject,
  form: ServedForm,
): KubeObject {
  try {
    return patchType === 'JSONPatch'
      ? withOperations(result, before, form)
      : withConfiguration(result, before, form)
  } catch (error) {
    if (error instanceof UnconvertibleValue) throw new MutationFailure(error.message)
    throw error
  }
}

function checkNames(value: ObjectValue, path?: string): void {
  const problems = typeNameProblems(value, path)
  if (problems.length > 0) throw new MutationFailure(`type mismatch: ${problems.join('\n')}`)
}

function withConfiguration(result: Value, before: JsonObject, form: ServedForm): KubeObject {
  if (!(result instanceof ObjectValue))
    throw new MutationFailure(
      'unsupported return type from ApplyConfiguration expression: the result is not an Object',
    )
  checkNames(result)
  const { apiVersion, kind } = before as { apiVersion: string; kind: string }
  const applied = {
    ...(jsonOfValue(result, { lenient: false }) as JsonObject),
    apiVersion,
    kind,
  }
  const problems = problemsOf(applied, form.type)
  if (problems.length > 0)
    throw new MutationFailure(
      `error applying patch: failed to convert patch object to typed object: ${listed(problems)}`,
    )
  const atomics = atomicPaths(applied, form.type)
  if (atomics.length > 0)
    throw new MutationFailure(
      `error applying patch: invalid ApplyConfiguration: may not mutate atomic arrays, maps or structs: ${atomics.join(', ')}`,
    )
  try {
    return form.read(merge(before, applied, form.type) as JsonObject)
  } catch (error) {
    if (error instanceof UnreadableDocument) throw new MutationFailure(error.message)
    throw error
  }
}

/** An apply configuration would replace these. */
function atomicPaths(value: Json, type: TypeNode | undefined, path = ''): string[] {
  if (Array.isArray(value)) {
    const isAtomic =
      type?.type === 'list' ? type.listType === 'atomic' : isUntyped(type) || type?.type === 'any'
    const items = type?.type === 'list' ? type.items : undefined
    return [
      ...(isAtomic ? [path] : []),
      ...(type?.type === 'list'
        ? value.flatMap((item, index) => atomicPaths(item, items, `${path}[${index}]`))
        : []),
    ]
  }
  if (!isJsonObject(value) || type === undefined) return []
  if (type.type !== 'struct')
    return (type.type === 'map' && type.atomic) || (type.type === 'any' && !isUntyped(type))
      ? [path]
      : []
  return [
    ...(type.atomic ? [path] : []),
    ...Object.entries(value).flatMap(([name, member]) => {
      const field = type.byName.get(name)
      return field === undefined ? [] : atomicPaths(member, field.type, `${path}.${name}`)
    }),
  ]
}

function withOperations(result: Value, before: JsonObject, form: ServedForm): KubeObject {
  if (!(result instanceof ListValue))
    throw new MutationFailure('type mismatch: JSONPatchType.expression should evaluate to array')
  const operations = [...result].map(operationOf)
  let patched: Json
  try {
    patched = applyOperations(before, operations)
  } catch (error) {
    // A patch with a test that fails is not applied.
    if (error instanceof FailedTest) patched = before
    else if (error instanceof JsonPatchFailure)
      throw new MutationFailure(`JSON Patch: ${error.message}`)
    else throw error
  }
  try {
    return form.read(patched as JsonObject, 'strict')
  } catch (error) {
    if (error instanceof UnreadableDocument) throw internalError(error.message)
    throw error
  }
}

function operationOf(item: Value): JsonObject {
  if (!(item instanceof PatchOperation))
    throw new MutationFailure(
      'type mismatch: JSONPatchType.expression should evaluate to array of JSONPatch',
    )
  const { op, path, from, value } = item
  if (value instanceof ObjectValue) checkNames(value, value.typeName)
  return {
    op,
    path,
    ...(from === '' ? {} : { from }),
    ...(value === undefined ? {} : { value: jsonOfValue(value, { lenient: true }) }),
  }
}

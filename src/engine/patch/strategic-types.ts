import { serverError } from '../http/status'
import type { Field, TypeNode } from '../schema/model'

export function fieldOf(type: TypeNode | undefined, name: string): Field | undefined {
  return type?.type === 'struct' ? type.byName.get(name) : undefined
}

/** @param field the result of `fieldOf` */
export function typeOfMember(
  type: TypeNode | undefined,
  field: Field | undefined,
): TypeNode | undefined {
  return type?.type === 'map' ? type.values : field?.type
}

/** No strategy's name is part of another's. */
export const hasStrategy = (field: Field | undefined, strategy: 'merge' | 'replace'): boolean =>
  field?.patchStrategy?.includes(strategy) === true

/** @throws ApiError 500 for an unknown member */
export function lookUp(type: TypeNode | undefined, name: string): Field {
  const field = fieldOf(type, name)
  if (field !== undefined) return field
  if (type?.type === 'map')
    throw serverError('merging an object in json but data type is not struct, instead is: map')
  const struct = (type?.goType ?? (type && 'name' in type ? type.name : '')).split('.').at(-1)
  throw serverError(
    `unable to find api field in struct ${struct} for the json field ${JSON.stringify(name)}`,
  )
}

/** Without a type, an earlier patch may have added it. @throws ApiError 500 if it is not a list */
export function lookUpList(type: TypeNode | undefined, name: string): Field {
  const field = lookUp(type, name)
  const isList =
    field.type.type === 'list' || (field.type.type === 'scalar' && field.type.format === 'bytes')
  if (isList || field.pointer) return field
  throw serverError('expected slice or array type, but got: struct')
}

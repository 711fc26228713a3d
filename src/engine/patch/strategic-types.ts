/** What types say to strategic merge patches of their members. */
import type { Field, TypeNode } from '../schema/model'

export function fieldOf(type: TypeNode | undefined, name: string): Field | undefined {
  return type?.type === 'struct' ? type.byName.get(name) : undefined
}

/** The type of a member: maps have one for all. @param field what `fieldOf` found */
export function typeOfMember(type: TypeNode | undefined, field: Field | undefined): TypeNode | undefined {
  return type?.type === 'map' ? type.values : field?.type
}

/** None of the strategies' names is a part of another's. */
export const hasStrategy = (field: Field | undefined, strategy: 'merge' | 'replace'): boolean =>
  field?.patchStrategy?.includes(strategy) === true

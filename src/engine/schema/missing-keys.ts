/**
 * Associative lists whose items may lack some of their keys. See structured-merge-diff v6,
 * typed/helpers.go, `keyedAssociativeListItemToPathElement`.
 */
import type { TypeNode } from './model'

/** The type of a member of a built-in kind, with the permission on its list. */
export const withMissingKeys = (type: TypeNode): TypeNode =>
  type.type === 'list' && type.listType === 'map' ? { ...type, allowsMissingKeys: true } : type

/** Permits it in all lists of a type that nothing else refers to, except in named types. */
export function allowMissingKeys(type: TypeNode): void {
  switch (type.type) {
    case 'list':
      if (type.listType === 'map') type.allowsMissingKeys = true
      allowMissingKeys(type.items)
      break
    case 'map':
      allowMissingKeys(type.values)
      break
    case 'struct':
      if (type.name !== '') break
      for (const field of type.fields) allowMissingKeys(field.type)
      if (type.additional) allowMissingKeys(type.additional)
      break
    default:
  }
}

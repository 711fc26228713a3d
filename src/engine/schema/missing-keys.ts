/**
 * Associative lists whose items may lack keys. See structured-merge-diff v6, typed/helpers.go,
 * `keyedAssociativeListItemToPathElement`.
 */
import type { TypeNode } from './model'

export const withMissingKeys = (type: TypeNode): TypeNode =>
  type.type === 'list' && type.listType === 'map' ? { ...type, allowsMissingKeys: true } : type

/** In place, except in named types. */
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

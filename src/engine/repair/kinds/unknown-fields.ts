/** kubernetes.io, "Kubernetes API Concepts", "Field validation". */
import { nearest } from '../nearest'
import { placeOfField, valueAt } from '../place'
import type { Edit, Place, Rejection, RepairKind } from '../repair'

function unknownFields({ status: { message = '' }, object }: Rejection): Place[] {
  const strict = [...message.matchAll(/unknown field "([^"]+)"/g)]
  const applied = [...message.matchAll(/(?:^|[\s:])(\.\S+): field not declared in schema/g)]
  return [...strict, ...applied]
    .map(([, field = '']) => placeOfField(field))
    .filter((place) => valueAt(object, place) !== undefined)
}

const nameOf = (place: Place): string => String(place.at(-1) ?? '')

export const renameUnknownFields: RepairKind = {
  name: 'RenameUnknownFields',
  candidates(rejection) {
    const titles: string[] = []
    const edits: Edit[] = []
    for (const place of unknownFields(rejection)) {
      const parent = place.slice(0, -1)
      const known = rejection.fieldNames(parent)
      const meant = nearest(nameOf(place), known)
      const value = valueAt(rejection.object, place)
      if (meant === undefined || value === undefined) return []
      if (valueAt(rejection.object, [...parent, meant]) !== undefined) return []
      titles.push(`${nameOf(place)} to ${meant}`)
      edits.push({ place: [...parent, meant], value }, { place })
    }
    return edits.length === 0 ? [] : [{ title: `Rename ${titles.join(', ')}`, edits }]
  },
}

export const removeUnknownFields: RepairKind = {
  name: 'RemoveUnknownFields',
  candidates(rejection) {
    const places = unknownFields(rejection)
    if (places.length === 0) return []
    const names = places.map(nameOf).join(', ')
    return [{ title: `Remove ${names}`, edits: places.map((place) => ({ place })) }]
  },
}

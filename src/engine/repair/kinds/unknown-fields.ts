/** Repairs of unknown fields. kubernetes.io, "Kubernetes API Concepts", "Field validation". */
import { nearest } from '../nearest'
import { placeOfField, valueAt } from '../place'
import type { Edit, Place, Rejection, RepairKind } from '../repair'

const NOT_DECLARED = ': field not declared in schema'

const lastWord = (text: string): string =>
  text.slice(Math.max(text.lastIndexOf(' '), text.lastIndexOf('\n')) + 1)

function unknownFields({ status: { message = '' }, object }: Rejection): Place[] {
  const strict = [...message.matchAll(/unknown field "([^"]+)"/g)]
  const applied = message.split(NOT_DECLARED).slice(0, -1).map(lastWord)
  return [...strict.map(([, field = '']) => field), ...applied]
    .map(placeOfField)
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

/** The nearest enclosing object that has such a field, as after a wrong indentation. */
function ownerOf(place: Place, { object, fieldNames }: Rejection): Place | undefined {
  const name = nameOf(place)
  for (let length = place.length - 2; length >= 0; length--) {
    const parent = place.slice(0, length)
    const isFree = valueAt(object, [...parent, name]) === undefined
    if (isFree && fieldNames(parent).includes(name)) return parent
  }
  return undefined
}

export const moveUnknownFields: RepairKind = {
  name: 'MoveUnknownFields',
  candidates(rejection) {
    const titles: string[] = []
    const edits: Edit[] = []
    for (const place of unknownFields(rejection)) {
      const owner = ownerOf(place, rejection)
      const value = valueAt(rejection.object, place)
      if (owner === undefined || value === undefined) return []
      titles.push(`${nameOf(place)} to ${owner.length === 0 ? 'the top level' : owner.join('.')}`)
      edits.push({ place: [...owner, nameOf(place)], value }, { place })
    }
    return edits.length === 0 ? [] : [{ title: `Move ${titles.join(', ')}`, edits }]
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

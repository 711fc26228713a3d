/** Every field of a kind that holds an amount or a time, and how one comes to it. */
import type { ListType, ScalarFormat, StructType, TypeNode } from '../../src/engine/schema/model'

export type Step = { field: string } | { item: ListType } | { key: true }

export interface AmountField {
  /** `spec.containers[].resources.limits{}` */
  path: string
  steps: Step[]
  format: ScalarFormat
  /** Whether its owner is decided on the value as Go holds it: it is in a list that has one owner. */
  inAtomicList: boolean
}

const FORMATS: readonly ScalarFormat[] = ['quantity', 'time', 'microTime', 'intOrString']
/** Metadata is set by the server, or has its own rules. */
const NOT_WRITTEN = ['kind', 'apiVersion', 'metadata']

export function amountFields(type: StructType): AmountField[] {
  const found: AmountField[] = []
  collect(type, { path: '', steps: [], within: [], isAtomic: false, inAtomicList: false }, found)
  return found
}

interface Place {
  path: string
  steps: Step[]
  /** Types that may not contain themselves. */
  within: string[]
  isAtomic: boolean
  inAtomicList: boolean
}

const below = (place: Place, path: string, step: Step): Place => ({
  ...place,
  path,
  steps: [...place.steps, step],
})

function collect(type: TypeNode, place: Place, found: AmountField[]): void {
  const { path, steps, within, inAtomicList } = place
  switch (type.type) {
    case 'scalar':
      if (FORMATS.includes(type.format))
        found.push({ path, steps, format: type.format, inAtomicList })
      return
    case 'list': {
      const isAtomic = place.isAtomic || type.listType === 'atomic'
      collect(
        type.items,
        {
          ...below(place, `${path}[]`, { item: type }),
          isAtomic,
          inAtomicList: inAtomicList || isAtomic,
        },
        found,
      )
      return
    }
    case 'map':
      collect(
        type.values,
        { ...below(place, `${path}{}`, { key: true }), isAtomic: place.isAtomic || type.atomic },
        found,
      )
      return
    case 'struct': {
      if (within.includes(type.name)) return
      const inside = {
        ...place,
        within: [...within, type.name],
        isAtomic: place.isAtomic || type.atomic,
      }
      for (const { name, type: member } of type.fields)
        if (!NOT_WRITTEN.includes(name))
          collect(
            member,
            below(inside, path === '' ? name : `${path}.${name}`, { field: name }),
            found,
          )
    }
  }
}

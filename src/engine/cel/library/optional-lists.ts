/** Lists and optional values (cel-go, cel, "OptionalTypes", version 2). */
import { ArrayList, type ListValue, OptionalValue, type Value } from '../values/value'
import type { Library } from './library'

const itemAt = (list: ListValue, index: number): OptionalValue =>
  list.size === 0 ? OptionalValue.none : new OptionalValue(list.at(index))

function unwrap(list: ListValue): Value {
  return new ArrayList(
    [...list].flatMap((item) => {
      if (!(item instanceof OptionalValue)) return [item]
      return item.value === undefined ? [] : [item.value]
    }),
  )
}

export const OPTIONAL_LISTS: Library = {
  functions: [
    {
      signature: 'list(V).first() -> optional_type(V)',
      call: (list: ListValue) => itemAt(list, 0),
    },
    {
      signature: 'list(V).last() -> optional_type(V)',
      call: (list: ListValue) => itemAt(list, list.size - 1),
    },
    { signature: 'optional.unwrap(list(optional_type(V))) -> list(V)', call: unwrap },
    { signature: 'list(optional_type(V)).unwrapOpt() -> list(V)', call: unwrap },
  ],
}

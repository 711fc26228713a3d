import type { Json } from '../../../engine/core/object'
import { VALUES } from './texts'

const LONGEST = 60
/** Characters shown before the first difference. */
const BEFORE = 16

export function valueText(value: Json | undefined): string {
  return shown(whole(value), 0)
}

export function valueTexts(one: Json | undefined, other: Json | undefined): [string, string] {
  const texts = [whole(one), whole(other)] as const
  const same = commonLength(...texts)
  const isLong = texts.some((text) => text.length > LONGEST)
  const from = isLong && same > LONGEST / 2 ? same - BEFORE : 0
  return [shown(texts[0], from), shown(texts[1], from)]
}

const whole = (value: Json | undefined): string =>
  value === undefined ? VALUES.unset : JSON.stringify(value)

function shown(text: string, from: number): string {
  const end = from + LONGEST
  return `${from > 0 ? '… ' : ''}${text.slice(from, end)}${text.length > end ? ' …' : ''}`
}

function commonLength(one: string, other: string): number {
  let length = 0
  while (length < one.length && one[length] === other[length]) length++
  return length
}

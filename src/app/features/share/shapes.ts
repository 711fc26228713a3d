import { setMember } from '../../../engine/core/object'
import { DAMAGED } from './texts'
/** Validates untrusted input: links, files, messages of other pages. */

export class ShapeError extends Error {}

/** @throws ShapeError */
export type Shape<Value> = (value: unknown, at: string) => Value

export type ValueOf<Of> = Of extends Shape<infer Value> ? Value : never

function fail(at: string, should: string): never {
  throw new ShapeError(DAMAGED.shape(at || DAMAGED.it, should))
}

/** @param longest in UTF-16 code units */
export const text =
  (longest = 1 << 20): Shape<string> =>
  (value, at) =>
    typeof value === 'string' && value.length <= longest ? value : fail(at, DAMAGED.string(longest))

export const number =
  (least: number, most: number): Shape<number> =>
  (value, at) =>
    typeof value === 'number' && value >= least && value <= most
      ? value
      : fail(at, DAMAGED.number(least, most))

export const whole =
  (least: number, most: number): Shape<number> =>
  (value, at) =>
    Number.isSafeInteger(value) ? number(least, most)(value, at) : fail(at, DAMAGED.integer)

export const truth: Shape<boolean> = (value, at) =>
  typeof value === 'boolean' ? value : fail(at, DAMAGED.boolean)

export const oneOf =
  <const Choice extends string>(choices: readonly Choice[]): Shape<Choice> =>
  (value, at) =>
    choices.find((choice) => choice === value) ?? fail(at, DAMAGED.oneOf(choices.join(', ')))

export const list =
  <Item>(item: Shape<Item>, longest = 10_000): Shape<Item[]> =>
  (value, at) => {
    if (!Array.isArray(value) || value.length > longest) return fail(at, DAMAGED.list(longest))
    return value.map((one, index) => item(one, `${at}[${index}]`))
  }

export const maybe =
  <Value>(shape: Shape<Value>): Shape<Value | undefined> =>
  (value, at) =>
    value === undefined ? undefined : shape(value, at)

type OptionalNames<Members> = {
  [Name in keyof Members]: undefined extends ValueOf<Members[Name]> ? Name : never
}[keyof Members]
type Recorded<Members> = {
  [Name in Exclude<keyof Members, OptionalNames<Members>>]: ValueOf<Members[Name]>
} & {
  [Name in OptionalNames<Members>]?: Exclude<ValueOf<Members[Name]>, undefined>
}

/** Drops members that are not listed. */
export const record =
  <Members extends Record<string, Shape<unknown>>>(members: Members): Shape<Recorded<Members>> =>
  (value, at) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value))
      return fail(at, DAMAGED.object)
    const taken: Record<string, unknown> = {}
    for (const [name, shape] of Object.entries(members)) {
      const given = Object.hasOwn(value, name)
        ? (value as Record<string, unknown>)[name]
        : undefined
      const part = shape(given, at === '' ? name : `${at}.${name}`)
      if (part !== undefined) setMember(taken, name, part)
    }
    return taken as Recorded<Members>
  }

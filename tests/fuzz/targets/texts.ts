/** Texts in the notation of a language: characters put together at random, and sound texts with something mutated. */
import fc from 'fast-check'
import { NAMES, nested } from './target'

/** Pieces of a language one behind the other, some of them many times. */
export function pieces(characters: readonly string[], most: number): fc.Arbitrary<string> {
  const piece = fc.oneof(
    { weight: 20, arbitrary: fc.constantFrom(...characters) },
    { weight: 2, arbitrary: fc.string({ maxLength: 5 }) },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fc.constantFrom(...characters), fc.constantFrom(3, 60, 700))
        .map(([sign, times]) => sign.repeat(times)),
    },
  )
  return fc.array(piece, { maxLength: most }).map((parts) => parts.join(''))
}

/** A text with pieces of it taken out, doubled or replaced. */
export function mutated(
  text: fc.Arbitrary<string>,
  characters: readonly string[],
): fc.Arbitrary<string> {
  const change = fc.record({
    at: fc.nat(),
    length: fc.nat(8),
    instead: fc.oneof(fc.constantFrom('', ...characters), fc.string({ maxLength: 4 })),
  })
  return fc.tuple(text, fc.array(change, { maxLength: 3 })).map(([whole, changes]) =>
    changes.reduce((changed, { at, length, instead }) => {
      const place = changed.length === 0 ? 0 : at % changed.length
      return changed.slice(0, place) + instead + changed.slice(place + length)
    }, whole),
  )
}

const scalar = fc.oneof(
  fc.constantFrom<unknown>(
    null,
    true,
    0,
    -1,
    1.5,
    1e21,
    2 ** 53,
    '',
    'x',
    '\u0000',
    '\ud800',
    '💥',
    'null',
    '1e999',
    '{{',
    '$patch',
  ),
  fc.string({ maxLength: 8 }),
  fc.integer(),
)

/** JSON with names that mean something to JavaScript: `__proto__` is a member like any other. */
export const jsonText: fc.Arbitrary<string> = fc.letrec<{
  value: string
  object: string
  list: string
}>((tie) => ({
  value: fc.oneof(
    { maxDepth: 4, depthSize: 'small' },
    scalar.map((value) => JSON.stringify(value)),
    tie('object'),
    tie('list'),
  ),
  object: fc
    .array(fc.tuple(fc.constantFrom(...NAMES), tie('value')), { maxLength: 5 })
    .map(
      (members) =>
        `{${members.map(([name, value]) => `${JSON.stringify(name)}:${value}`).join(',')}}`,
    ),
  list: fc.array(tie('value'), { maxLength: 5 }).map((items) => `[${items.join(',')}]`),
})).value

export const deepJsonText: fc.Arbitrary<string> = fc
  .record({
    levels: fc.constantFrom(1, 199, 201, 499, 501, 1500, 9_999, 10_001),
    object: fc.boolean(),
    closed: fc.boolean(),
  })
  .map(({ levels, object, closed }) =>
    nested(object ? '{"a":' : '[', closed ? (object ? '}' : ']') : '', levels, '1'),
  )

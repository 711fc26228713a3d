/** Errors for values of dynamic type. Recorded from kube-apiserver 1.31. */
import { describe, expect, it } from 'vitest'
import { compile } from '../../src/engine/cel/compile'
import { activationOf } from '../../src/engine/cel/evaluation/frame'
import { serverEnvironment } from '../../src/engine/cel/server-environment'

const environment = serverEnvironment({}, { use: 'stored', strictCost: true })

function errorOf(text: string): string | undefined {
  const { program, issues } = compile(text, environment)
  if (program === undefined) throw new Error(issues)
  return program.evaluate(activationOf({}), { limit: 1_000_000 }).error
}

const VALUES: Readonly<Record<string, { go: string; receiver?: true }>> = {
  'dyn(1)': { go: 'types.Int' },
  'dyn(1u)': { go: 'types.Uint' },
  'dyn(1.5)': { go: 'types.Double' },
  'dyn(true)': { go: 'types.Bool' },
  'dyn(null)': { go: 'types.Null' },
  'dyn(timestamp(0))': { go: 'types.Timestamp', receiver: true },
  'dyn(duration("1s"))': { go: 'types.Duration', receiver: true },
  'dyn(optional.of(1))': { go: '*types.Optional' },
  'dyn(quantity("1"))': { go: 'cel.Quantity' },
  'dyn(ip("1.2.3.4"))': { go: 'cel.IP' },
  'dyn(cidr("1.2.3.0/24"))': { go: 'cel.CIDR' },
  'dyn(url("https://a/"))': { go: 'cel.URL' },
}

describe.each(Object.entries(VALUES))('%s', (value, { go, receiver }) => {
  it.each(['all(x, true)', 'exists(x, true)', 'map(x, x)', 'filter(x, true)'])(
    'is not iterable: %s',
    (macro) => {
      expect(errorOf(`${value}.${macro}`)).toBe(`got '${go}', expected iterable type`)
    },
  )

  it('has no size', () => {
    const message = receiver ? 'no such overload' : 'no such overload: size'
    expect([errorOf(`size(${value})`), errorOf(`${value}.size()`)]).toEqual([message, message])
  })

  it.each(['startsWith', 'endsWith', 'contains', 'matches', 'find', 'findAll'])(
    'is not a string: %s',
    (name) => {
      expect(errorOf(`${value}.${name}("a")`)).toBe('no such overload')
    },
  )
})

it.each(['1u', 'b"a"', '[1]', '{}', 'null'])('%s cannot be negated', (value) => {
  expect(errorOf(`!dyn(${value})`)).toBe('no such overload')
})

it.each([
  ['1.5', 'double'],
  ['[1]', 'list'],
  ['null', 'null_type'],
  ['duration("1s")', 'google.protobuf.Duration'],
])('format rejects a map with the key %s', (key, type) => {
  expect(errorOf(`"%s".format([{dyn(${key}): 1}])`)).toBe(
    `error during formatting: no formatting function for map key of type ${type}`,
  )
})

/** cel-go, ext/strings.go: an item that is not a string is printed with Go's `%v`. */
it.each([
  ['1', '1'],
  ['true', 'true'],
  ['null', '0'],
  ['[1]', '[1]'],
  ['b"a"', '[97]'],
  ['{"a": 1}', '{a: 1}'],
  ['int', 'int'],
])('join reports the item %s', (item, text) => {
  expect(errorOf(`[dyn("a"), dyn(${item})].join(",")`)).toBe(`join: invalid input: ${text}`)
})

it.each([
  'type(ip("1.2.3.4")) == net.IP',
  'type(cidr("1.2.3.0/24")) == net.CIDR',
  'net.IP != net.CIDR',
])('has names for the types of addresses: %s', (text) => {
  const { program } = compile(text, environment)
  expect(program?.evaluate(activationOf({}), { limit: 1000 }).value).toBe(true)
})

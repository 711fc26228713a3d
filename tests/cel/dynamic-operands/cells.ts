/**
 * The table of operations by operands of dynamic type. Rows are the overloads of the environment,
 * columns are values of every type.
 */
import type { Environment } from '../../../src/engine/cel/environment'
import type { Overload } from '../../../src/engine/cel/library/function'
import { formatType } from '../../../src/engine/cel/types/type'

/** By name: an expression of the type. */
export const OPERANDS: Readonly<Record<string, string>> = {
  null: 'null',
  bool: 'true',
  int: '1',
  uint: '1u',
  double: '1.5',
  string: '"a"',
  bytes: 'b"a"',
  duration: 'duration("1s")',
  timestamp: 'timestamp(0)',
  list: '[1]',
  strings: '["a"]',
  'empty list': '[]',
  map: '{"a": 1}',
  'empty map': '{}',
  type: 'int',
  optional: 'optional.of(1)',
  none: 'optional.none()',
  quantity: 'quantity("1")',
  url: 'url("https://a/")',
  ip: 'ip("1.2.3.4")',
  cidr: 'cidr("1.2.3.0/24")',
  format: 'format.named("uuid").value()',
  authorizer: 'authorizer',
  path: 'authorizer.path("/a")',
  group: 'authorizer.group("")',
  resource: 'authorizer.group("").resource("a")',
  decision: 'authorizer.path("/a").check("get")',
  object: 'object',
  'list of an object': 'object.l',
}

/** The object that expressions see. */
export const OBJECT = { a: 1, l: ['x', 2], n: null, f: 1.5, s: 't', b: true, m: { k: 'v' } }

/** An operation with holes for one or two operands. */
export interface Row {
  write(...operands: string[]): string
  holes: 1 | 2
}

/** An operand is a constant or a computed value: the API server plans these differently. */
export const KINDS: Readonly<Record<string, (value: string) => string>> = {
  constant: (value) => `dyn(${value})`,
  computed: (value) => `dyn([${value}])[0]`,
}

/** Outcomes of one open operand: the names of the operands that have it, or all others. */
export type Outcomes = Readonly<Record<string, readonly string[] | 'others'>>
/** Recorded outcomes of a row by kind, for two open operands by the name of the first. */
export type RecordedRow = Readonly<Record<string, Outcomes | Readonly<Record<string, Outcomes>>>>

/** Returns the outcome that an operand has. */
export function outcomeFor(outcomes: Outcomes, operand: string): string | undefined {
  const entries = Object.entries(outcomes)
  const own = entries.find(([, operands]) => operands !== 'others' && operands.includes(operand))
  return (own ?? entries.find(([, operands]) => operands === 'others'))?.[0]
}

/** Names of types inside a message depend on the operand, which the table does not repeat. */
const TYPE = '{type}'

/** Returns a message with placeholders in place of the operand's type. */
export function withoutType(message: string, type: string): string {
  if (message === `= ${type}`) return `= ${TYPE}`
  const inner = /^(no such overload: [^(]+\()(.*)\)$/.exec(message)
  if (inner === null) return message
  const types = inner[2]?.split(', ').map((one) => (one === type ? TYPE : one)) ?? []
  return `${inner[1]}${types.join(', ')})`
}

/** Messages that contain addresses of memory, or members in a random order. */
export const isRandom = (message: string): boolean =>
  /0x[0-9a-f]{6}|^join: invalid input: \{/.test(message)

/** An operand that fits the type of a parameter. */
const FITTING: readonly [type: RegExp, value: string][] = [
  [/^list\((.*)\)$/, '[$]'],
  [/^map/, '{"a": 1}'],
  [/^optional_type\((.*)\)$/, 'optional.of($)'],
  [/^bool$/, 'true'],
  [/^uint$/, '1u'],
  [/^double$/, '1.5'],
  [/^string$/, '"a"'],
  [/^bytes$/, 'b"a"'],
  [/duration$/i, 'duration("1s")'],
  [/timestamp$/i, 'timestamp(0)'],
  [/Quantity$/, 'quantity("1")'],
  [/URL$/, 'url("https://a/")'],
  [/IP$/, 'ip("1.2.3.4")'],
  [/CIDR$/, 'cidr("1.2.3.0/24")'],
  [/NamedFormat$/, 'format.named("uuid").value()'],
  [/Authorizer$/, 'authorizer'],
  [/PathCheck$/, 'authorizer.path("/a")'],
  [/GroupCheck$/, 'authorizer.group("")'],
  [/ResourceCheck$/, 'authorizer.group("").resource("a")'],
  [/Decision$/, 'authorizer.path("/a").check("get")'],
]

function fitting(type: string): string {
  for (const [pattern, value] of FITTING) {
    const match = pattern.exec(type)
    if (match !== null) return value.replace('$', () => fitting(match[1] ?? ''))
  }
  return '1'
}

/** Notations of operators; every other function is called by its name. */
const NOTATIONS: Readonly<Record<string, (...operands: string[]) => string>> = {
  '@in': (a, b) => `${a} in ${b}`,
  '_[_]': (a, b) => `${a}[${b}]`,
  '_[?_]': (a, b) => `${a}[?${b}]`,
  '!_': (a) => `!${a}`,
  '-_': (a) => `-${a}`,
  '_?_:_': (a, b, c) => `${a} ? ${b} : ${c}`,
}

function call({ function: name, member }: Overload, operands: readonly string[]): string {
  const [first = '', ...others] = operands
  const notation = NOTATIONS[name]
  if (notation !== undefined) return notation(...operands)
  const operator = /^_(\S+)_$/.exec(name)?.[1]
  if (operator !== undefined) return `${first} ${operator} ${others[0]}`
  return member ? `${first}.${name}(${others.join(', ')})` : `${name}(${operands.join(', ')})`
}

/** Every overload with each of its operands open, and every binary operator with both. */
function overloadRows(environment: Environment): Row[] {
  const rows: Row[] = []
  const overloads = environment
    .functionNames()
    .filter((name) => name !== '@not_strictly_false')
    .flatMap((name) => environment.overloads(name))
  for (const overload of overloads) {
    const others = overload.parameters.map((type) => fitting(formatType(type)))
    for (const index of others.keys()) {
      for (const wrap of [(value: string) => value, (value: string) => `dyn(${value})`]) {
        const operands = others.map(wrap)
        rows.push({
          write: (operand) => call(overload, operands.with(index, operand)),
          holes: 1,
        })
      }
    }
    if (/^[_@]/.test(overload.function) && others.length === 2)
      rows.push({ write: (...operands) => call(overload, operands), holes: 2 })
  }
  return rows
}

/** Macros, fields, keys, literals and formats: `$` is the hole. */
const NOTED: readonly string[] = [
  ...['all', 'exists', 'exists_one', 'map', 'filter'].flatMap((macro) => [
    `$.${macro}(x, true)`,
    `[1].${macro}(x, $)`,
  ]),
  '$.map(x, true, x)',
  '[1].map(x, $, x)',
  ...['$.a', '$.?a', 'has($.a)', '$.a.b', '$.?a.b', 'has($.?a.b)', '$.?a[?"b"]'],
  ...['dyn(optional.of($)).a', 'dyn(optional.of($))[0]', 'has(dyn(optional.of($)).a)'],
  ...['object[$]', 'object[?$]', 'object.l[$]', 'object.l[?$]', 'object.?m[$]', 'object.?z[$]'],
  ...['[$].map(k, object[k])', '[$].map(k, object.l[k])', '[$].map(k, k.a)'],
  ...['[?$]', '{?"a": $}', '[$] == [1]', '[1] == [$]', '[$] + [$] == [1, 1]', '$ in object'],
  ...['{"a": $} == {"a": 1}', 'optional.of($) == optional.of(1)', '{"a": $}.a.b'],
  ...[...'sdfebxXo'].flatMap((verb) => [
    `"%${verb}".format([$])`,
    `"%${verb}".format([[$]])`,
    `"%${verb}".format([{"a": $}])`,
  ]),
  ...['sum', 'min', 'max', 'isSorted'].flatMap((name) => [
    `[$, $].${name}()`,
    `[dyn(1), $].${name}()`,
    `[$, dyn("a")].${name}()`,
  ]),
  '[dyn("a"), $].join(",")',
  '[$].indexOf(dyn(1))',
  ...['$ && true', 'false || $', '$ ? 1 : 2', 'true ? $ : $', 'type($) == int', '$.or(dyn(1))'],
]

const notedRows = (): Row[] =>
  NOTED.map((text) => ({ write: (operand) => text.replaceAll('$', () => operand), holes: 1 }))

/** Every row of the table, each once. */
export function rowsOf(environment: Environment): ReadonlyMap<string, Row> {
  const rows = [...overloadRows(environment), ...notedRows()]
  return new Map(rows.map((row) => [row.write('$', '$'), row]))
}

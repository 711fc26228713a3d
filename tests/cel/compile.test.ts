import { describe, expect, it } from 'vitest'
import { compile } from '../../src/engine/cel/compile'
import { activationOf } from '../../src/engine/cel/evaluation/frame'
import { serverEnvironment } from '../../src/engine/cel/server-environment'
import { DYN, formatType } from '../../src/engine/cel/types/type'
import { valueOfJson } from '../../src/engine/cel/values/json'

const environment = serverEnvironment({ object: DYN }, { use: 'stored', strictCost: false })

function evaluate(text: string, object: Parameters<typeof valueOfJson>[0] = null, limit = 1000) {
  const { program, issues } = compile(text, environment)
  if (program === undefined) throw new Error(issues)
  return program.evaluate(activationOf({ object: valueOfJson(object) }), { limit })
}

describe('an expression', () => {
  it('reports each error and its place', () => {
    expect(compile('object.a == foo', environment).issues).toBe(
      "ERROR: <input>:1:13: undeclared reference to 'foo' (in container '')\n | object.a == foo\n | ............^",
    )
    expect(compile('(1 == 1', environment).issues).toBe(
      "ERROR: <input>:1:8: Syntax error: missing ')' at '<EOF>'\n | (1 == 1\n | .......^",
    )
  })

  it.each([
    ['((1]', "1:4: Syntax error: mismatched input ']' expecting ')'"],
    ['[(1]', "1:4: Syntax error: missing ')' at ']'"],
    ['1[2, 3]', "1:4: Syntax error: mismatched input ',' expecting ']'"],
    ["'5%", "1:1: Syntax error: token recognition error at: ''5%!'(MISSING)"],
    ['!!', "1:3: Syntax error: extraneous input '<EOF>' expecting {"],
    ['!-', "1:3: Syntax error: no viable alternative at input '-'"],
    ['-', "1:2: Syntax error: no viable alternative at input '-'"],
    ['object. (', "1:9: Syntax error: no viable alternative at input '. ('"],
    ['.missing', "1:2: undeclared reference to '.missing' (in container '')"],
    ['true &&\nmissing', "1:9: undeclared reference to 'missing' (in container '')"],
    ['true &&\n missing', "2:2: undeclared reference to 'missing' (in container '')"],
    ['[1].map(a.b, true, 1)', '1:10: argument is not an identifier'],
    ['[1].all(a.b, true)', '1:10: argument must be a simple name'],
    ['[?[]]', "1:3: expected type 'optional_type(list(_var0))' but found 'list(_var0)'"],
    ['map && true', "1:1: expected type 'bool' but found 'type(map(A, B))'"],
    ["'a'.?b == 1", "1:4: type 'string' does not support field selection"],
    [
      'optional.none().optMap(x, x)',
      '1:14: incompatible type already exists for expression: &{0 0xc000000000}(0) old:optional_type(_var0), new:optional_type(_var3)',
    ],
    [
      "'%s'.format([[optional.of(1)]])",
      'error during formatting: string clause can only be used on strings, bools, bytes, ints, doubles, maps, lists, types, durations, and timestamps, was given optional_type',
    ],
    [
      "'%d'.format([duration('1s')])",
      'decimal clause can only be used on integers, was given google.protobuf.Duration',
    ],
    ["''.format([timestamp('x')])", 'invalid timestamp argument'],
    ["'%é'.format([1])", 'could not parse formatting clause: unrecognized formatting clause "Ã"'],
    ["'%y'.format([1])", 'could not parse formatting clause: unrecognized formatting clause "y"'],
    ['object{a: b}', "1:7: 'dyn' is not a type"],
    [
      "object.?a[?'b'].all(x, true)",
      "1:10: expression of type 'optional_type(_var4)' cannot be range of a comprehension",
    ],
    ["b'\\u0041'", '1:1: unable to unescape string'],
    ["'\\U00110000'", '1:1: unable to unescape string'],
    ['99999999999999999999', '1:1: invalid int literal'],
  ])('rejects %s', (text, issue) => expect(compile(text, environment).issues).toContain(issue))

  it.each([
    ['has(object.a.)', ["1:14: Syntax error: no viable alternative at input '.)'"]],
    [
      'has(object..a)',
      [
        '1:5: invalid argument to has() macro',
        "1:12: Syntax error: no viable alternative at input '..'",
      ],
    ],
    [
      'has(object}.a)',
      [
        '1:5: invalid argument to has() macro',
        "1:11: Syntax error: mismatched input '}' expecting ')'",
        "1:14: Syntax error: extraneous input ')' expecting <EOF>",
      ],
    ],
    [
      'has(.)',
      [
        '1:0: invalid argument to has() macro',
        "1:6: Syntax error: no viable alternative at input '.)'",
      ],
    ],
    [
      'has({',
      [
        '1:5: invalid argument to has() macro',
        "1:6: Syntax error: mismatched input '<EOF>' expecting {",
      ],
    ],
    [
      '[1].=>(x)',
      [
        "1:5: Syntax error: token recognition error at: '=>'",
        "1:7: Syntax error: no viable alternative at input '.('",
      ],
    ],
    [
      "object.'a b",
      [
        "1:8: Syntax error: token recognition error at: ''a b'",
        "1:12: Syntax error: no viable alternative at input '.'",
      ],
    ],
    ['object.null', ["1:8: Syntax error: mismatched input 'null' expecting IDENTIFIER"]],
    ['object. null', ["1:9: Syntax error: no viable alternative at input '. null'"]],
    [
      'has((object',
      [
        '1:6: invalid argument to has() macro',
        "1:12: Syntax error: mismatched input '<EOF>' expecting ')'",
      ],
    ],
    ['(.true)', ["1:3: Syntax error: mismatched input 'true' expecting IDENTIFIER"]],
    ['[object..a]', ["1:9: Syntax error: no viable alternative at input '..'"]],
    ['[1, ..a]', ["1:6: Syntax error: no viable alternative at input '..'"]],
    [
      'size([object..a]) == 1',
      [
        "1:14: Syntax error: no viable alternative at input '..'",
        "1:16: Syntax error: mismatched input ']' expecting <EOF>",
      ],
    ],
    [
      '{a..b: 1}',
      [
        "1:4: Syntax error: no viable alternative at input '..'",
        "1:6: Syntax error: mismatched input ':' expecting <EOF>",
      ],
    ],
    ['duration == 1', ["1:10: found no matching overload for '_==_' applied to '(duration, int)'"]],
    [
      "{'a': 1, 'b': 'x', 3: 2.0}",
      [
        "1:15: expected type 'int' but found 'string'",
        "1:20: expected type 'string' but found 'int'",
        "1:23: expected type 'int' but found 'double'",
      ],
    ],
    ["[1, 'x', 2.0]", ["1:5: expected type 'int' but found 'string'"]],
    [
      'object.data.all(namespace, namespace != 1)',
      [
        '1:17: reserved identifier: namespace',
        '1:17: argument must be a simple name',
        '1:28: reserved identifier: namespace',
      ],
    ],
    [
      '[1].map(if, true, 1)',
      ['1:9: reserved identifier: if', '1:9: argument is not an identifier'],
    ],
    [
      '[1].optMap(let, 1)',
      [
        '1:12: reserved identifier: let',
        '1:12: optMap() variable name must be a simple identifier',
      ],
    ],
    ['package(if, has(object))', ['1:1: reserved identifier: package']],
    ['has(package)', ['1:5: reserved identifier: package', '1:5: invalid argument to has() macro']],
    [
      '[1].all([1].map(if, 1), true)',
      [
        '1:17: reserved identifier: if',
        '1:17: argument is not an identifier',
        '1:17: argument must be a simple name',
      ],
    ],
    [
      '{has(1), 2: 3}',
      [
        "1:8: Syntax error: mismatched input ',' expecting ':'",
        "1:10: Syntax error: mismatched input '2' expecting '}'",
      ],
    ],
    [
      '{has(1): 1, 2}',
      [
        '1:6: invalid argument to has() macro',
        "1:14: Syntax error: mismatched input '}' expecting ':'",
      ],
    ],
    ['Foo{a: Bar{}, c: d}', ["1:4: undeclared reference to 'Foo' (in container '')"]],
    ['int{}', ["1:4: 'int' is not a message type"]],
    [
      'list{a: b}',
      [
        "1:5: 'list' is not a message type",
        "1:7: unexpected failed resolution of 'list'",
        "1:9: undeclared reference to 'b'",
      ],
    ],
    [
      'google.protobuf.Duration{}',
      ["1:25: undeclared reference to 'google.protobuf.Duration' (in container '')"],
    ],
  ])('is parsed as far as possible if it is invalid: %s', (text, expected) => {
    const reported = (compile(text, environment).issues ?? '')
      .split('\n')
      .filter((line) => line.startsWith('ERROR'))
    expect(
      reported.map((line, place) =>
        line.replace('ERROR: <input>:', '').slice(0, expected[place]?.length),
      ),
    ).toEqual(expected)
  })

  it.each([
    ['terms', `${'1 + '.repeat(251)}1`],
    ['fields', `object${'.a'.repeat(251)}`],
    ['fields of very many', `object${'.a'.repeat(40_000)}`],
    ['fields and an operator', `object${'.a'.repeat(250)} == 1`],
    ['indices', `object${'[0]'.repeat(251)}`],
    [
      'calls of members',
      `${'[1].all(x, '.repeat(251 - 10)}object${'.a'.repeat(10)}${')'.repeat(241)}`,
    ],
    ['branches', `${'true ? 1 : '.repeat(200)}object${'.a'.repeat(51)}`],
  ])('rejects too many nested operators: %s', (_, text) => {
    expect(compile(text, environment).issues).toMatch(
      /^ERROR: <input>:-1:0: max recursion depth exceeded/,
    )
  })

  it.each([
    ['brackets', `${'['.repeat(250)}1${']'.repeat(250)}`],
    ['parentheses', `${'('.repeat(250)}1${')'.repeat(250)}`],
    ['calculations', `${'1 + ('.repeat(125)}1${')'.repeat(125)}`],
    ['branches', `${'true ? 1 : '.repeat(250)}1`],
  ])('rejects too deep nesting: %s', (_, text) => {
    expect(compile(text, environment).issues).toBe(
      'ERROR: <input>:-1:0: expression recursion limit exceeded: 250',
    )
  })

  it.each([
    ['terms', `${'1 + '.repeat(249)}1 > 0`],
    ['conditions', `${'true && '.repeat(2000)}true`],
    ['fields', `object${'.a'.repeat(250)}`],
    ['loops', `${'[1].all(x, '.repeat(240)}true${')'.repeat(240)}`],
    ['lists', `${'['.repeat(249)}1${']'.repeat(249)} == []`],
  ])('accepts nesting of this depth: %s', (_, text) =>
    expect(compile(text, environment).issues).toBeUndefined(),
  )

  it('reports a hundred errors, and the number of the others', () => {
    const lines = (compile(`[${'if, '.repeat(102)}1]`, environment).issues ?? '').split('\n')
    expect(lines).toHaveLength(301)
    expect(lines.at(-4)).toBe('ERROR: <input>:1:398: reserved identifier: if')
    expect(lines.at(-1)).toBe('2 more errors were truncated')
  })

  it('decodes escapes of invalid characters as Go does', () => {
    expect(evaluate("'\\udead' == '\ufffd'").value).toBe(true)
    expect(evaluate("'\\U80000041' == 'A' && '\\UFFFFFFFF' == '\ufffd'").value).toBe(true)
    expect(evaluate("b'\\x41\\101\\xff' == b'AA\\377'").value).toBe(true)
  })

  it('resolves a loop variable after a leading dot, and no value for a type name', () => {
    expect(evaluate('[1, 2].all(x, .x > 0)').value).toBe(true)
    expect(evaluate("duration == duration('1s')").error).toBe('no such attribute(s): duration')
  })

  it('has a type', () => {
    const { program } = compile("{'a': [1]}", environment)
    expect(program && formatType(program.type)).toBe('map(string, list(int))')
  })

  it('reads the fields of its variables', () => {
    expect(evaluate('object.spec.replicas <= 5', { spec: { replicas: 3 } }).value).toBe(true)
    expect(evaluate("object.list.exists(x, x.startsWith('b'))", { list: ['a', 'bc'] }).value).toBe(
      true,
    )
    expect(evaluate('object.missing', {}).error).toBe('no such key: missing')
    expect(evaluate('has(object.missing) || object.there', { there: true }).value).toBe(true)
  })

  it('ignores an error if the other side of || or && decides', () => {
    expect(evaluate('object.a == 1 || true', {}).value).toBe(true)
    expect(evaluate('object.a == 1 && true', {}).error).toBe('no such key: a')
  })

  it('counts its cost, and stops at the limit', () => {
    expect(evaluate('[1, 2, 3].all(x, x > 0)')).toMatchObject({ value: true, cost: 3 * 5 + 1 })
    expect(evaluate('[1, 2, 3].all(x, x > 0) || true', null, 10)).toMatchObject({
      value: undefined,
      error: 'operation cancelled: actual cost limit exceeded',
      exceeded: true,
    })
  })
})

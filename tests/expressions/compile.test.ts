import { describe, expect, it } from 'vitest'
import { compile } from '../../src/engine/expressions/compile'
import { activationOf } from '../../src/engine/expressions/evaluation/frame'
import { serverEnvironment } from '../../src/engine/expressions/server-environment'
import { DYN, formatType } from '../../src/engine/expressions/types/type'
import { valueOfJson } from '../../src/engine/expressions/values/json'

const environment = serverEnvironment({ object: DYN }, { use: 'stored', strictCost: false })

function evaluate(text: string, object: Parameters<typeof valueOfJson>[0] = null, limit = 1000) {
  const { program, issues } = compile(text, environment)
  if (program === undefined) throw new Error(issues)
  return program.evaluate(activationOf({ object: valueOfJson(object) }), { limit })
}

describe('an expression', () => {
  it('is told what is wrong with it, and where', () => {
    expect(compile('object.a == foo', environment).issues).toBe(
      "ERROR: <input>:1:13: undeclared reference to 'foo' (in container '')\n | object.a == foo\n | ............^",
    )
    expect(compile('(1 == 1', environment).issues).toBe("ERROR: <input>:1:8: Syntax error: missing ')' at '<EOF>'\n | (1 == 1\n | .......^")
  })

  it('has a type', () => {
    const { program } = compile("{'a': [1]}", environment)
    expect(program && formatType(program.type)).toBe('map(string, list(int))')
  })

  it('reads the fields of what it is given', () => {
    expect(evaluate('object.spec.replicas <= 5', { spec: { replicas: 3 } }).value).toBe(true)
    expect(evaluate("object.list.exists(x, x.startsWith('b'))", { list: ['a', 'bc'] }).value).toBe(true)
    expect(evaluate('object.missing', {}).error).toBe('no such key: missing')
    expect(evaluate('has(object.missing) || object.there', { there: true }).value).toBe(true)
  })

  it('absorbs an error where the other side decides', () => {
    expect(evaluate('object.a == 1 || true', {}).value).toBe(true)
    expect(evaluate('object.a == 1 && true', {}).error).toBe('no such key: a')
  })

  it('counts its steps, and ends when there are no more', () => {
    expect(evaluate('[1, 2, 3].all(x, x > 0)')).toMatchObject({ value: true, cost: 3 * 5 + 1 })
    expect(evaluate('[1, 2, 3].all(x, x > 0) || true', null, 10)).toMatchObject({
      value: undefined,
      error: 'operation cancelled: actual cost limit exceeded',
      exceeded: true,
    })
  })
})

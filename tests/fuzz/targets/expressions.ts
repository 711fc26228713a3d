import fc from 'fast-check'
import { expect } from 'vitest'
import { compile } from '../../../src/engine/cel/compile'
import { activationOf } from '../../../src/engine/cel/evaluation/frame'
import { serverEnvironment } from '../../../src/engine/cel/server-environment'
import { DYN } from '../../../src/engine/cel/types/type'
import { valueOfJson } from '../../../src/engine/cel/values/json'
import type { Json } from '../../../src/engine/core/object'
import { checkPrototypes, type FuzzTarget } from './target'
import { jsonText, pieces } from './texts'

const CHARACTERS = [
  'object', 'object.a', 'object.__proto__', 'object["constructor"]', 'x', '1', '-9223372036854775808', '2u', '1e308', "'a'", "b'\\xff'", 'true', 'null', '[', ']', '{', '}', '(', ')', '.',
  '?', ':', ',', '+', '-', '*', '/', '%', '==', '<', '&&', '||', '!', ' in ', '.size()', '.all(x, x)', '.map(x, [x, x])', 'has(object.a)', ".matches('(a*)*b')", "'%s%d'.format([1])",
  'quantity("1")', "duration('1h')", "timestamp('2026-01-01T00:00:00Z')", ".replace('', 'xx')", '.split("")', 'sets.contains([1],[1])', "cidr('::/0')", "url('http://a')", "'\\U0010ffff'",
] // biome-ignore format: one table
const environment = serverEnvironment({ object: DYN }, { use: 'stored', strictCost: true })
const LIMIT = 20_000

export const expressions: FuzzTarget = {
  name: 'expressions',
  what: 'expressions of policies and rules, and what they are evaluated on',
  short: 500,
  property: fc.property(pieces(CHARACTERS, 14), jsonText, (text, object) => {
    const { program, issues } = compile(text, environment)
    if (program === undefined) expect(issues).not.toBe('')
    else {
      const { cost, exceeded } = program.evaluate(
        activationOf({ object: valueOfJson(JSON.parse(object) as Json) }),
        { limit: LIMIT },
      )
      if (!exceeded) expect(cost).toBeLessThanOrEqual(LIMIT)
    }
    checkPrototypes()
  }),
}

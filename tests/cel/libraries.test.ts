import { describe, expect, it } from 'vitest'
import { compile } from '../../src/engine/cel/compile'
import { activationOf } from '../../src/engine/cel/evaluation/frame'
import { AUTHORIZER, authorizerValue } from '../../src/engine/cel/library/authorizer'
import { serverEnvironment } from '../../src/engine/cel/server-environment'
import { object, STRING } from '../../src/engine/cel/types/type'

const environmentAt = (release: string, use: 'new' | 'stored') =>
  serverEnvironment({}, { use, release, strictCost: true })

function problemAt(release: string, use: 'new' | 'stored', expression: string) {
  return compile(expression, environmentAt(release, use)).issues?.split('\n')[0]
}

function programAt(release: string, expression: string) {
  const { program, issues } = compile(expression, environmentAt(release, 'stored'))
  if (program === undefined) throw new Error(issues)
  return program
}

function resultOf(expression: string, limit = 1_000_000) {
  const { program, issues } = compile(expression, environmentAt('1.37', 'new'))
  if (program === undefined) return issues.split('\n')[0]
  const { value, error, cost } = program.evaluate(activationOf({}), { limit })
  return { value: error ?? value, cost }
}

describe('libraries by release', () => {
  it.each([
    ['[1].all(i, v, i < v)', '1.32', '1.33'],
    ["isSemver('1.2.3')", '1.33', '1.34'],
    ["isSemver('v1.0', true)", '1.33', '1.34'],
    ['[2, 1].sort() == [1, 2]', '1.34', '1.35'],
    ['lists.range(2) == [0, 1]', '1.34', '1.35'],
  ])('%s: stored expressions have it at %s, new ones at %s', (expression, stored, isNew) => {
    const previous = (release: string) => `1.${Number(release.slice(2)) - 1}`
    expect(problemAt(previous(stored), 'stored', expression)).toBeDefined()
    expect(problemAt(stored, 'stored', expression)).toBeUndefined()
    expect(problemAt(previous(isNew), 'new', expression)).toBeDefined()
    expect(problemAt(isNew, 'new', expression)).toBeUndefined()
  })

  it('has first and last of lists for all expressions of 1.33', () => {
    expect(problemAt('1.32', 'stored', '[1].first().hasValue()')).toBeDefined()
    expect(problemAt('1.33', 'new', '[1].first().hasValue()')).toBeUndefined()
  })
})

describe('functions that differ by server', () => {
  it.each([
    ["'hello'.indexOf('l', 10)", '1.32', 'index out of range: 10', -1n],
    ["'hello'.lastIndexOf('l', 5)", '1.32', 'index out of range: 5', -1n],
    ["''.indexOf('l')", '1.32', 'index out of range: 0', -1n],
    ["'hello'.indexOf('l', -1)", '1.32', 'index out of range: -1', 'index out of range: -1'],
  ])('%s', (expression, release, before, after) => {
    const valueAt = (at: string) => {
      const { value, error } = programAt(at, expression).evaluate(activationOf({}), {
        limit: 1_000_000,
      })
      return error ?? value
    }
    expect(valueAt(release)).toBe(before)
    expect(valueAt('1.33')).toBe(after)
  })

  it('converts no numbers to durations since 1.37', () => {
    expect(problemAt('1.36', 'stored', "duration(1) == duration('1s')")).toContain(
      'invalid duration argument',
    )
    expect(problemAt('1.37', 'stored', "duration(1) == duration('1s')")).toContain(
      "found no matching overload for 'duration' applied to '(int)'",
    )
  })

  it.each([
    [
      '`a` == 1',
      "token recognition error at: '`'",
      "mismatched input '`a`' expecting {'[', '{', '(', '.', '-', '!', 'true', 'false', 'null', NUM_FLOAT, NUM_INT, NUM_UINT, STRING, BYTES, IDENTIFIER}",
    ],
    ["{'a': 1}.`a`", "token recognition error at: '`'", "unsupported syntax: '`'"],
    [
      'Object{',
      "mismatched input '<EOF>' expecting {'}', ',', '?', IDENTIFIER}",
      "mismatched input '<EOF>' expecting {'}', ',', '?', IDENTIFIER, ESC_IDENTIFIER}",
    ],
  ])('reads backquoted names as tokens since 1.33: %s', (expression, before, after) => {
    expect(problemAt('1.32', 'stored', expression)).toContain(before)
    expect(problemAt('1.33', 'stored', expression)).toContain(after)
  })

  it('has reserved words as fields since the compatible version 1.31', () => {
    const self = object('Spec', new Map([['__namespace__', STRING]]))
    const issuesAt = (release: string, use: 'new' | 'stored', expression: string) =>
      compile(expression, environmentAt(release, use).with({ self })).issues
    expect(issuesAt('1.31', 'new', 'self.namespace')).toContain("undefined field 'namespace'")
    expect(issuesAt('1.31', 'stored', 'self.namespace')).toBeUndefined()
    expect(issuesAt('1.32', 'new', 'self.namespace')).toBeUndefined()
    expect(issuesAt('1.32', 'new', 'self.__namespace__')).toBeUndefined()
    expect(issuesAt('1.37', 'new', 'self.package')).toContain("undefined field 'package'")
  })

  it.each([
    ['1.32', 'unknown time zone a%!b(MISSING)'],
    ['1.33', 'unknown time zone a%b'],
  ])('use errors of time zones as formats before 1.33: %s', (release, expected) => {
    const program = programAt(release, "timestamp('2024-01-01T00:00:00Z').getHours('a%b')")
    expect(program?.evaluate(activationOf({}), { limit: 1000 }).error).toBe(expected)
  })

  it('limits access checks by selectors since 1.32', () => {
    const expression =
      "authorizer.group('').resource('pods').labelSelector('a=b').fieldSelector('c=d').check('list').allowed()"
    const queries: unknown[] = []
    const decide = (query: unknown) => {
      queries.push(query)
      return { allowed: true, reason: '' }
    }
    const environment = (release: string) =>
      environmentAt(release, 'new').with({ authorizer: AUTHORIZER })
    expect(compile(expression, environment('1.31')).issues).toContain(
      "undeclared reference to 'labelSelector'",
    )
    const { program } = compile(expression, environment('1.32'))
    const activation = activationOf({ authorizer: authorizerValue(decide) })
    expect(program?.evaluate(activation, { limit: 1_000_000 }).value).toBe(true)
    expect(queries).toMatchObject([{ labelSelector: 'a=b', fieldSelector: 'c=d' }])
  })
})

describe('macros with two variables', () => {
  it.each([
    ['[1, 2].all(i, v, i < v)', true],
    ["{'a': 1}.exists(k, v, k == 'a' && v == 1)", true],
    ['[1, 1].existsOne(i, v, v == 1)', false],
    ['[1, 2].transformList(i, v, i > 0, v) == [2]', true],
    ["{'a': 1}.transformMap(k, v, v + 1) == {'a': 2}", true],
    ["{'a': 1, 'b': 2}.transformMap(k, v, v > 1, v) == {'b': 2}", true],
    ["{'a': 1}.transformMapEntry(k, v, {v: k}) == {1: 'a'}", true],
    [
      "{'a': 1, 'b': 1}.transformMapEntry(k, v, {v: k}).size()",
      'insert failed: key 1 already exists',
    ],
  ])('%s is %s', (expression, value) => {
    expect(resultOf(expression)).toMatchObject({ value })
  })

  it('builds a map in time that is linear in its entries', () => {
    const { value } = resultOf('lists.range(50000).transformMap(i, v, v).size()') as {
      value: unknown
    }
    expect(value).toBe(50_000n)
  })
})

describe('the list library', () => {
  it.each([
    ['[3, 1, 2].sort() == [1, 2, 3]', true],
    ["[{'n': 2}, {'n': 1}].sortBy(x, x.n)[0].n == 1", true],
    ['[dyn(1), dyn(1u)].sort().size()', 'list elements must have the same type'],
    ['[[1], []].flatten() == [1]', true],
    ['[[[1]], [[2]]].flatten(2) == [1, 2]', true],
    ['[1].flatten(0).size()', 1n],
    ['[1, 2].slice(0, 3).size()', 'cannot slice(0, 3), list is length 2'],
    [
      '[1, 2].slice(2, 1).size()',
      'cannot slice(2, 1), start index must be less than or equal to end index',
    ],
    ['lists.range(-1).size()', 'lists.range: size must be non-negative, got -1'],
    ['[1, 2, 1].distinct() == [1, 2]', true],
    ['[1, 2].reverse() == [2, 1]', true],
    ['optional.unwrap([optional.of(1), optional.none()]) == [1]', true],
  ])('%s is %s', (expression, value) => {
    expect(resultOf(expression)).toMatchObject({ value })
  })

  it('costs a call, a list and the items that are made', () => {
    const { cost } = resultOf('lists.range(100)') as { cost: number }
    expect(cost).toBe(111)
    const limited = resultOf('lists.range(10000000).reverse().size()', 1000)
    expect(limited).toMatchObject({ value: 'operation cancelled: actual cost limit exceeded' })
  })
})

describe('semantic versions', () => {
  it.each([
    ["semver('1.2.3').isLessThan(semver('1.10.0'))", true],
    ["semver('1.2.3') == semver('1.2.3+build')", true],
    ["semver('1.0.0-rc.1').compareTo(semver('1.0.0'))", -1n],
    ["semver('1.0.0-alpha.2').isGreaterThan(semver('1.0.0-alpha.10'))", false],
    ["semver('v01.02', true).minor()", 2n],
    ["isSemver('v1.0')", false],
    ["semver('01.0.0').major()", 'Major number must not contain leading zeroes "01"'],
    ["semver('1.0').major()", 'No Major.Minor.Patch elements found'],
    ["semver('1.0-rc', true).major()", 'short version cannot contain PreRelease/Build meta data'],
  ])('%s is %s', (expression, value) => {
    expect(resultOf(expression)).toMatchObject({ value })
  })
})

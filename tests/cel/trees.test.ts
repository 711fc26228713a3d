/** The trees of the official cases, as cel-go parses and checks them. */
import {
  getCheckingSuite,
  getConformanceSuite,
  getParsingSuite,
} from '@bufbuild/cel-spec/testdata/tests.js'
import { describe, expect, it, vi } from 'vitest'
import { parse } from '../../src/engine/cel/syntax/parser'
import { Source } from '../../src/engine/cel/syntax/source'
import { formatType } from '../../src/engine/cel/types/type'
import { compiled, conformanceCases, Foreign } from './conformance'
import { treeText, withKinds, withoutReferences, withoutSpaces } from './tree-text'

vi.setConfig({ testTimeout: 60_000 })

type Suite = ReturnType<typeof getConformanceSuite>
type Case = Suite['tests'][number]

function casesOf({ tests, suites }: Suite, path = ''): [name: string, one: Case][] {
  return [
    ...tests.map((one): [string, Case] => [path + one.name, one]),
    ...suites.flatMap((suite) => casesOf(suite, `${path}${suite.name}/`)),
  ]
}

/** Cases that parse differently, with the reason. */
const READ_OTHERWISE: Readonly<Record<string, string>> = {
  'm.existsOne(v, f)': 'the other name of exists_one came after the release',
}
/** Cases that check differently, with the reason. */
const CHECKED_OTHERWISE: Readonly<Record<string, string>> = {
  'optionals/optionals/none_optMap_hasValue':
    'the target of optMap occurs twice in the tree; here it is one part with one type',
}

const ENTRY = '^#*expr.Expr_CreateStruct_Entry#'

describe('the trees of official cases', () => {
  const suites = {
    parsing: getParsingSuite(),
    conformance: getConformanceSuite(),
    checking: getCheckingSuite(),
  }
  it.each(Object.entries(suites))('parse the same: %s', (name, suite) => {
    const others: string[] = []
    let same = 0
    for (const [path, { ast, original }] of casesOf(suite)) {
      if (ast === undefined || READ_OTHERWISE[path] !== undefined) continue
      const source = new Source(original.expr)
      const { expression, issues } = parse(source, {
        optionalSyntax: true,
        quotedNames: 'unknown',
        optionalMacros: false,
      })
      const ours =
        issues.length > 0
          ? source.describe(issues)
          : withoutSpaces(treeText(expression, withKinds, ENTRY))
      if (ours === withoutSpaces(ast)) same++
      else others.push(`${path}: ${original.expr}\n${ours}\n${withoutSpaces(ast)}`)
    }
    process.stdout.write(`trees of ${name}: ${same} are read alike, ${others.length} are not\n`)
    expect(others).toEqual([])
  })

  it('have the same type in each part', () => {
    const others: string[] = []
    let same = 0
    for (const one of conformanceCases()) {
      const theirs = one.checkedTree
      const checked = theirs === undefined ? undefined : checkedText(one)
      if (
        theirs === undefined ||
        checked === undefined ||
        CHECKED_OTHERWISE[one.name] !== undefined
      )
        continue
      const wanted = withoutReferences(withoutSpaces(theirs))
      if (checked === wanted) same++
      else others.push(`${one.name}: ${one.test.expr}\n${checked}\n${wanted}`)
    }
    process.stdout.write(`checked trees: ${same} have the same types, ${others.length} have not\n`)
    expect(others).toEqual([])
    expect(same).toBeGreaterThan(1150)
  })
})

/** Undefined for a case that the server does not support. */
function checkedText(one: ReturnType<typeof conformanceCases>[number]): string | undefined {
  try {
    const { program } = compiled(one)
    if (program === undefined) return undefined
    const { types, names } = program.checked
    const text = treeText(
      program.expression,
      (part) => {
        const type = types.get(part)
        const name = names.get(part)?.name
        return type === undefined
          ? ''
          : `~${formatType(type)}${name === undefined ? '' : `^${name}`}`
      },
      '',
    )
    return withoutReferences(withoutSpaces(text))
  } catch (error) {
    if (error instanceof Foreign) return undefined
    throw error
  }
}

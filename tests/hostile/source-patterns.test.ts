/** Ways to write code that cost a stack or a square of what comes from outside, looked for in the sources. */
import { readdirSync, readFileSync } from 'node:fs'
import ts from 'typescript-compiler'
import { describe, expect, it } from 'vitest'

const DIRECTORIES = ['src/engine', 'src/hosts', 'src/console', 'src/persistence', 'src/policy-test']

/** Built-in functions of any number of arguments: each argument takes the stack. */
const VARIADIC = new Set([
  ...['push', 'unshift', 'splice', 'concat', 'assign'],
  ...['max', 'min', 'fromCharCode', 'fromCodePoint'],
])

function sources(): ts.SourceFile[] {
  return DIRECTORIES.flatMap((directory) =>
    readdirSync(directory, { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.ts') && !name.startsWith('generated'))
      .map((name) => `${directory}/${name}`),
  ).map((path) =>
    ts.createSourceFile(path, readFileSync(path, 'utf8'), ts.ScriptTarget.Latest, true),
  )
}

function found(files: ts.SourceFile[], isWrong: (call: ts.CallExpression) => boolean): string[] {
  const places: string[] = []
  for (const file of files) {
    const visit = (node: ts.Node): void => {
      if (ts.isCallExpression(node) && isWrong(node))
        places.push(`${file.fileName}: ${node.getText().replace(/\s+/g, ' ')}`)
      ts.forEachChild(node, visit)
    }
    visit(file)
  }
  return places
}

const methodOf = ({ expression }: ts.CallExpression): string =>
  ts.isPropertyAccessExpression(expression) ? expression.name.text : ''

/** `push(...items)`; a spread of a list that is written out is as long as it looks. */
function spreadsList(call: ts.CallExpression): boolean {
  return (
    VARIADIC.has(methodOf(call)) &&
    call.arguments.some(
      (argument) => ts.isSpreadElement(argument) && !isWrittenOut(argument.expression),
    )
  )
}

const isWrittenOut = (expression: ts.Expression): boolean =>
  ts.isArrayLiteralExpression(expression) ||
  (ts.isParenthesizedExpression(expression) && isWrittenOut(expression.expression)) ||
  (ts.isConditionalExpression(expression) &&
    isWrittenOut(expression.whenTrue) &&
    isWrittenOut(expression.whenFalse))

/** `groups.set(key, [...(groups.get(key) ?? []), item])`: each item copies those before it. */
function copiesGroup(call: ts.CallExpression): boolean {
  const list = call.arguments[1]
  if (methodOf(call) !== 'set' || list === undefined || !ts.isArrayLiteralExpression(list))
    return false
  const map = (call.expression as ts.PropertyAccessExpression).expression.getText()
  return list.elements.some(
    (element) => ts.isSpreadElement(element) && element.getText().startsWith(`...(${map}.get(`),
  )
}

describe('no source', () => {
  const files = sources()

  it('spreads a list into a built-in call', () => {
    expect(files.length).toBeGreaterThan(1000)
    expect(found(files, spreadsList)).toEqual([])
  })

  it('copies a group for each of its items', () => {
    // Words of a command line, each typed by a person.
    const typed = ['src/console/commands/drain.ts', 'src/console/commands/create/rights.ts']
    expect(
      found(files, copiesGroup).filter((place) => !typed.some((path) => place.startsWith(path))),
    ).toEqual([])
  })
})

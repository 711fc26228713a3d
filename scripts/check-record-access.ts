/**
 * Reports plain records indexed by run-time strings: a name from outside may be `constructor` or
 * `__proto__`. `entryOf` and `setMember` (src/engine/core/object.ts) are safe.
 *
 * Only records with one type of value count. API objects (`JsonObject`) are iterated by their own
 * keys (tests/hostile/inherited-names-in-*.test.ts).
 */
import { execFileSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import ts from 'typescript-compiler'

const root = fileURLToPath(new URL('..', import.meta.url))

/** The module of the two functions, and generated tables. */
const LEFT_OUT = /^src\/engine\/(?:core\/object\.ts|generated\/)/

function sourceFiles(): string[] {
  const listed = execFileSync('git', ['ls-files', 'src'], { cwd: root, encoding: 'utf8' })
  return listed.split('\n').filter((file) => /\.tsx?$/.test(file))
}

const files = sourceFiles()
const program = ts.createProgram(
  files.map((file) => root + file),
  {
    jsx: ts.JsxEmit.ReactJSX,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    target: ts.ScriptTarget.ES2023,
    noEmit: true,
    noUncheckedIndexedAccess: true,
    allowImportingTsExtensions: true,
    skipLibCheck: true,
    strict: true,
    types: ['node'],
  },
)
const checker = program.getTypeChecker()

const isArbitraryString = (node: ts.Expression): boolean =>
  (checker.getTypeAtLocation(node).flags & ts.TypeFlags.String) !== 0

/** A string index signature with one value type, possibly in a union. */
function isRecord(node: ts.Expression): boolean {
  const type = checker.getNonNullableType(checker.getTypeAtLocation(node))
  return (type.isUnion() ? type.types : [type]).some((part) => {
    const value = part.getStringIndexType()
    return (
      value !== undefined &&
      !/^(?:Json|unknown)\b|\| Json\b|JsonObject/.test(checker.typeToString(value))
    )
  })
}

/** `for (const name in record)` yields own keys. */
function isWalkedByItsKeys({
  expression,
  argumentExpression,
}: ts.ElementAccessExpression): boolean {
  let node: ts.Node | undefined = expression
  while (node !== undefined) {
    if (ts.isForInStatement(node) && node.expression.getText() === expression.getText())
      return (
        ts.isVariableDeclarationList(node.initializer) &&
        node.initializer.declarations[0]?.name.getText() === argumentExpression.getText()
      )
    node = node.parent
  }
  return false
}

const findings: string[] = []
for (const file of files.filter((name) => !LEFT_OUT.test(name))) {
  const source = program.getSourceFile(root + file)
  if (source === undefined) throw new Error(`${file} is not part of the program`)
  const visit = (node: ts.Node): void => {
    ts.forEachChild(node, visit)
    if (!ts.isElementAccessExpression(node) || ts.isDeleteExpression(node.parent)) return
    if (
      !isArbitraryString(node.argumentExpression) ||
      !isRecord(node.expression) ||
      isWalkedByItsKeys(node)
    )
      return
    const { line } = source.getLineAndCharacterOfPosition(node.getStart(source))
    findings.push(
      `${file}:${line + 1}: ${node.getText(source)}: use entryOf or setMember of src/engine/core/object.ts`,
    )
  }
  visit(source)
}

for (const finding of findings) console.log(finding)
console.log(
  findings.length === 0
    ? 'no record is indexed by a name from outside'
    : `${findings.length} records are indexed by a name from outside`,
)
process.exitCode = findings.length === 0 ? 0 : 1

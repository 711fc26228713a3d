/**
 * Checks that imports point downwards: app -> hosts -> engine, and inside the engine by
 * import-rules.ts. Pure layers use no clock, randomness, browser or Node.js API, and a WeakMap only
 * where listed.
 *
 *     npx tsx scripts/check-imports.ts
 *
 * Prints `file:line: rule` for each violation, and then exits with 1.
 */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { parseAst } from 'vite'
import { importCircles } from './import-circles'
import { LAYERS, type Layer, SHARED_TYPES, TYPE_PACKAGES } from './import-rules'
import { IMPURE_GLOBALS, IMPURE_MEMBERS, WEAK_MAPS } from './purity-rules'

export interface Violation {
  file: string
  line: number
  rule: string
}

type Node = { type: string; start: number } & Record<string, unknown>

/** The layer of a path below src/; undefined without one. */
export function layerOf(path: string, layers: Layer[] = LAYERS): Layer | undefined {
  let best: { layer: Layer; length: number } | undefined
  for (const layer of layers) {
    for (const claim of layer.paths) {
      const matches = claim.endsWith('/') ? path.startsWith(claim) : path === claim
      if (matches && claim.length > (best?.length ?? 0)) best = { layer, length: claim.length }
    }
  }
  return best?.layer
}

/** Reports every layer of the table that imports a later one. */
export function checkTable(layers: Layer[]): string[] {
  const built = new Set<string>()
  const problems: string[] = []
  for (const layer of layers) {
    for (const name of layer.imports) {
      if (name !== '*' && !built.has(name))
        problems.push(`${layer.name} imports ${name}, which is not earlier in the table`)
    }
    built.add(layer.name)
  }
  return problems
}

/**
 * @param path below src/, with `/`
 * @param resolveImport returns the path of a relative import; undefined outside of src/
 * @param onImport receives each statically imported file below src/
 */
export function checkSource(
  path: string,
  source: string,
  resolveImport: (specifier: string) => string | undefined,
  layers: Layer[] = LAYERS,
  onImport: (target: string) => void = () => {},
): Violation[] {
  const layer = layerOf(path, layers)
  const violations: Violation[] = []
  const report = (at: number, rule: string) =>
    violations.push({ file: `src/${path}`, line: source.slice(0, at).split('\n').length, rule })
  if (layer === undefined) {
    report(0, 'no layer of scripts/import-rules.ts claims this file')
    return violations
  }
  const tree = parseAst(source, { lang: path.endsWith('x') ? 'tsx' : 'ts' }) as unknown as Node
  const bound = boundNames(tree)
  visit(tree, undefined, (node, parent) => {
    const specifier = importedModule(node)
    if (specifier !== undefined) {
      const isStatic = specifier.startsWith('.') && node.type !== 'ImportExpression'
      const target = isStatic ? resolveImport(specifier) : undefined
      if (target !== undefined) onImport(target)
      const broken = importRule(
        layer,
        { specifier, typeOnly: node.importKind === 'type' },
        resolveImport,
        layers,
      )
      if (broken) report(node.start, broken)
    }
    if (layer.pure) {
      const broken = purityRule(node, parent, bound)
      if (broken) report(node.start, `${layer.name} is pure: ${broken}`)
      if (createsWeakMap(node) && !Object.hasOwn(WEAK_MAPS, path))
        report(node.start, 'a WeakMap: use memoizeByIdentity or a field (docs/decisions/0034)')
    }
  })
  return violations
}

function importRule(
  layer: Layer,
  { specifier, typeOnly }: { specifier: string; typeOnly: boolean },
  resolveImport: (specifier: string) => string | undefined,
  layers: Layer[],
): string | undefined {
  if (!specifier.startsWith('.')) {
    const name = specifier
      .split('/')
      .slice(0, specifier.startsWith('@') ? 2 : 1)
      .join('/')
    const allowed =
      layer.packages.includes('*') ||
      layer.packages.includes(name) ||
      (typeOnly && TYPE_PACKAGES.includes(name))
    return allowed ? undefined : `${layer.name} may not import the package ${name}`
  }
  const target = resolveImport(specifier)
  if (target === undefined)
    return layer.pure ? `${layer.name} may not import ${specifier}, outside of src` : undefined
  const other = layerOf(target, layers)
  if (other === undefined) return `no layer of scripts/import-rules.ts claims ${target}`
  const earlier = layers.indexOf(other) < layers.indexOf(layer)
  const allowed =
    other === layer ||
    (typeOnly && layer.pure && SHARED_TYPES.includes(target)) ||
    layer.imports.includes(other.name) ||
    (layer.imports.includes('*') && earlier)
  return allowed ? undefined : `${layer.name} may not import ${other.name} (${target})`
}

function purityRule(node: Node, parent: Node | undefined, bound: Set<string>): string | undefined {
  if (node.type === 'MemberExpression') {
    const { object, property } = node as unknown as { object: Node; property: Node }
    const member = `${String(object.name)}.${String(property.name)}`
    if (object.type === 'Identifier' && !bound.has(String(object.name)) && member in IMPURE_MEMBERS)
      return `${member}: ${IMPURE_MEMBERS[member]}`
  }
  if (node.type === 'NewExpression' || node.type === 'CallExpression') {
    const { callee, arguments: given } = node as unknown as { callee: Node; arguments: unknown[] }
    if (callee.type === 'Identifier' && callee.name === 'Date' && given.length === 0)
      return `new Date(): ${IMPURE_MEMBERS['Date.now']}`
  }
  if (node.type === 'Identifier' && isReference(node, parent)) {
    const name = String(node.name)
    if (Object.hasOwn(IMPURE_GLOBALS, name) && !bound.has(name))
      return `${name}: ${IMPURE_GLOBALS[name]}`
  }
  return undefined
}

const createsWeakMap = ({ type, callee }: Node): boolean =>
  type === 'NewExpression' && isNode(callee) && callee.name === 'WeakMap'

/** A variable, not a member, key, label or type member. */
function isReference(node: Node, parent: Node | undefined): boolean {
  if (parent === undefined) return false
  if (parent.type === 'MemberExpression') return parent.object === node || parent.computed === true
  if (parent.type === 'Property') return parent.value === node
  if (parent.type === 'ExportSpecifier' || parent.type === 'ImportSpecifier') return false
  return (
    !parent.type.startsWith('TS') &&
    !/(Method|Property)Definition$/.test(parent.type) &&
    !/(Label|Break|Continue)/.test(parent.type)
  )
}

/** Names that the file binds: a variable called `document` is not the global. */
function boundNames(tree: Node): Set<string> {
  const names = new Set<string>()
  const bind = (pattern: unknown): void => {
    if (!isNode(pattern)) return
    if (pattern.type === 'Identifier') names.add(String(pattern.name))
    else if (pattern.type === 'ObjectPattern')
      for (const property of pattern.properties as Node[]) bind(property.value ?? property.argument)
    else if (pattern.type === 'ArrayPattern')
      for (const element of pattern.elements as unknown[]) bind(element)
    else if (pattern.type === 'AssignmentPattern') bind(pattern.left)
    else if (pattern.type === 'RestElement') bind(pattern.argument)
    else if (pattern.type === 'TSParameterProperty') bind(pattern.parameter)
  }
  visit(tree, undefined, (node) => {
    if (
      node.type === 'VariableDeclarator' ||
      node.type === 'FunctionDeclaration' ||
      node.type === 'ClassDeclaration'
    )
      bind(node.id)
    if (/^Import.*Specifier$/.test(node.type)) bind(node.local)
    if (node.type === 'CatchClause') bind(node.param)
    if (Array.isArray(node.params)) for (const parameter of node.params) bind(parameter)
  })
  return names
}

function importedModule(node: Node): string | undefined {
  const holds =
    /^(ImportDeclaration|ImportExpression|ExportNamedDeclaration|ExportAllDeclaration|TSImportType)$/.test(
      node.type,
    )
  const source = holds ? node.source : undefined
  return isNode(source) && typeof source.value === 'string' ? source.value : undefined
}

const isNode = (value: unknown): value is Node =>
  typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

function visit(
  node: Node,
  parent: Node | undefined,
  see: (node: Node, parent: Node | undefined) => void,
): void {
  see(node, parent)
  for (const child of Object.values(node)) {
    if (Array.isArray(child)) for (const item of child) isNode(item) && visit(item, node, see)
    else if (isNode(child)) visit(child, node, see)
  }
}

const SOURCE_FILE = /\.(ts|tsx|mts)$/

function sourceFiles(folder: string): string[] {
  return readdirSync(folder).flatMap((name) => {
    const path = join(folder, name)
    if (statSync(path).isDirectory()) return sourceFiles(path)
    return SOURCE_FILE.test(name) && !/\.(d|test)\.ts$/.test(name) ? [path] : []
  })
}

/** Resolves imports of `file` to paths below src/, with the extension if the file exists. */
function resolver(root: string, file: string): (specifier: string) => string | undefined {
  return (specifier) => {
    const base = resolve(dirname(file), specifier.replace(/\?.*$/, ''))
    const found =
      [base, `${base}.ts`, `${base}.tsx`, join(base, 'index.ts')].find(
        (path) => existsSync(path) && statSync(path).isFile(),
      ) ?? base
    const path = relative(root, found)
    return path.startsWith('..') ? undefined : path.split('\\').join('/')
  }
}

/** Static imports and violations of every file below src/. */
export function readTree(root: string): {
  imports: Map<string, string[]>
  violations: Violation[]
} {
  const imports = new Map<string, string[]>()
  const violations = sourceFiles(root).flatMap((file) => {
    const path = relative(root, file).split('\\').join('/')
    const targets: string[] = []
    imports.set(path, targets)
    const source = readFileSync(file, 'utf8')
    return checkSource(path, source, resolver(root, file), LAYERS, (target) => targets.push(target))
  })
  return { imports, violations }
}

/** Checks the table, all files below src/, and import cycles. */
export function checkTree(root: string): string[] {
  const { imports, violations } = readTree(root)
  return [
    ...checkTable(LAYERS),
    ...violations.map(({ file, line, rule }) => `${file}:${line}: ${rule}`),
    ...checkCircles(importCircles(imports)),
  ]
}

/** One line per cycle, including cycles of types alone. */
export function checkCircles(circles: readonly (readonly string[])[]): string[] {
  return circles.map((circle) => `import circle of ${circle.length} files: ${circle.join(', ')}`)
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const problems = checkTree(fileURLToPath(new URL('../src', import.meta.url)))
  for (const problem of problems) console.error(problem)
  if (problems.length > 0) process.exit(1)
  console.log('imports point downwards')
}

/** Error texts: recording policy-compile. */
import { compile, type Program } from '../cel/compile'
import type { Environment } from '../cel/environment'
import { AUTHORIZER, RESOURCE_CHECK } from '../cel/library/authorizer'
import { serverEnvironment } from '../cel/server-environment'
import { DYN, listOf, mapOf, object, type Type, type TypeKind, typeText } from '../cel/types/type'
import { changesOf } from '../release-tables/changes'
import type { Variable } from './objects'
import { NAMESPACE_TYPE, REQUEST_TYPE } from './types'

/** In addition to the objects and the request. */
export interface Declarations {
  params: boolean
  authorizer: boolean
  /**
   * Gates StrictCostEnforcementForVAP and StrictCostEnforcementForWebhooks: most library calls cost
   * 1 otherwise.
   */
  strictCost?: boolean
  /** 1.31 if absent. */
  release?: string | undefined
  /** Expressions construct apply configurations and JSON patches. */
  patchTypes?: boolean
  variables?: VariableScope
  /** Absent members are dynamic, as at admission. */
  types?: { object?: Type; params?: Type }
}

/** Stored expressions may use features that new ones may not. */
export type Era = (expression: string) => 'new' | 'stored'

export type Wanted =
  | 'bool'
  | 'string'
  | 'string or null'
  | 'anything'
  | 'Object'
  | 'list(JSONPatch)'

const WANTED: Record<Wanted, readonly string[]> = {
  bool: ['bool'],
  string: ['string'],
  'string or null': ['string', 'null_type'],
  anything: [],
  Object: ['Object'],
  'list(JSONPatch)': ['list(JSONPatch)'],
}

/** Variables may reference earlier ones. */
export class VariableScope {
  private readonly fields = new Map<string, Type>()
  readonly type: Type = object('kubernetes.variables', this.fields)

  /** @param type DYN if the variable does not compile */
  declare(name: string, type: Type = DYN): void {
    this.fields.set(name, memoized(type))
  }
}

const PLAIN: ReadonlySet<TypeKind> = new Set([
  'bool',
  'int',
  'uint',
  'double',
  'string',
  'bytes',
  'null',
  'duration',
  'timestamp',
])

/**
 * Types other than primitives, lists and maps are dynamic: `variables.ns.metadata` is not checked
 * with `ns: namespaceObject` (k8s.io/apiserver, package pkg/admission/plugin/cel).
 */
function memoized(type: Type): Type {
  if (PLAIN.has(type.kind)) return type
  const [first = DYN, second = DYN] = type.parameters
  if (type.kind === 'list') return listOf(memoized(first))
  return type.kind === 'map' ? mapOf(memoized(first), memoized(second)) : DYN
}

/** `kind` is kube-apiserver's error class; `issues` lack the prefix. */
export type CompiledExpression =
  | { program: Program }
  | { program: undefined; problem: string; issues: string; kind: 'invalid' | 'internal' }

export function compileExpression(
  expression: string,
  wanted: Wanted,
  declared: Declarations,
  era: 'new' | 'stored' = 'stored',
): CompiledExpression {
  const compiled = compile(expression, environmentFor(declared, era))
  const issues = compiled.issues ?? ''
  if (compiled.failed === 'compilation')
    return { program: undefined, problem: `compilation failed: ${issues}`, issues, kind: 'invalid' }
  const type = compiled.failed === 'instantiation' ? compiled.type : compiled.program.type
  const problem = wrongResult(type, wanted, declared.release)
  if (problem !== undefined)
    return { program: undefined, problem, issues: problem, kind: 'invalid' }
  if (compiled.failed === undefined) return { program: compiled.program }
  return {
    program: undefined,
    problem: `program instantiation failed: ${issues}`,
    issues,
    kind: 'internal',
  }
}

export function wrongResult(type: Type, wanted: Wanted, release = '1.31'): string | undefined {
  const types = WANTED[wanted]
  if (types.length === 0 || types.includes(type.name) || types.includes(typeText(type)))
    return undefined
  const namesFound = changesOf(release).has('ExpressionTypeNamesFound')
  const found = namesFound ? ` but got ${typeText(type)}` : ''
  return types.length === 1
    ? `must evaluate to ${types[0]}${found}`
    : `must evaluate to one of [${types.join(' ')}]${found}`
}

export interface DeclaredVariables {
  compiled: { name: string; expression: string; compiled: CompiledExpression }[]
  declared: Declarations
}

/** A variable that does not compile is DYN for the others. */
export function declareVariables(
  variables: readonly Variable[],
  declared: Declarations,
): DeclaredVariables {
  if (variables.length === 0) return { compiled: [], declared }
  const scope = new VariableScope()
  const all = { ...declared, variables: scope }
  const compiled = variables.map(({ name = '', expression = '' }) => {
    const result = compileExpression(expression, 'anything', all)
    scope.declare(name, result.program?.type)
    return { name, expression, compiled: result }
  })
  return { compiled, declared: all }
}

export function environmentFor(
  {
    params,
    authorizer,
    strictCost = false,
    release,
    patchTypes,
    variables,
    types = {},
  }: Declarations,
  use: 'new' | 'stored',
): Environment {
  return serverEnvironment(
    {
      object: types.object ?? DYN,
      oldObject: types.object ?? DYN,
      request: REQUEST_TYPE,
      namespaceObject: NAMESPACE_TYPE,
      ...(params ? { params: types.params ?? DYN } : {}),
      ...(authorizer
        ? { authorizer: AUTHORIZER, 'authorizer.requestResource': RESOURCE_CHECK }
        : {}),
      ...(variables ? { variables: variables.type } : {}),
    },
    { use, strictCost, release, patchTypes },
  )
}

/** Completes CEL: members of the value before the dot, otherwise all names. */
import type { Environment } from '../../../engine/cel/environment'
import { inspect } from '../../../engine/cel/inspection/inspect'
import type { Overload } from '../../../engine/cel/library/function'
import {
  DYN,
  formatType,
  isDynamic,
  isOptional,
  type Type,
  unwrapped,
} from '../../../engine/cel/types/type'
import { chainBefore, type Token, tokensOf } from './tokens'

export interface Suggestion {
  name: string
  kind: 'field' | 'function' | 'variable' | 'word'
  /** A type, or a signature. */
  detail: string
  insert: string
}

/** @param keysOf members of a subexpression's value, if its type does not declare them */
export function suggestionsAt(
  text: string,
  offset: number,
  environment: Environment,
  keysOf: (expression: string) => readonly string[] = () => [],
): Suggestion[] {
  const tokens = tokensOf(text.slice(0, offset))
  const last = tokens[tokens.length - 1]
  if (
    last !== undefined &&
    last.end === offset &&
    (last.kind === 'string' || last.kind === 'number')
  )
    return []
  const typing = last !== undefined && last.kind === 'name' && last.end === offset
  const before = typing ? tokens.slice(0, -1) : tokens
  const known = withLoops(text, before, environment)
  const dot = before[before.length - 1]?.text === '?' ? before.length - 2 : before.length - 1
  if (before[dot]?.text !== '.') return names(known)
  const start = chainBefore(before, dot)
  if (start === undefined) return []
  const receiver = text.slice((before[start] as Token).start, (before[dot] as Token).start)
  const type = typeOf(receiver, known)
  return type === undefined ? [] : members(type, known, keysOf(receiver))
}

const typeOf = (expression: string, environment: Environment): Type | undefined =>
  inspect(expression, environment).program?.type

const MACROS = ['all', 'exists', 'exists_one', 'map', 'filter']
const OPTIONAL_MACROS = ['optMap', 'optFlatMap']

/** Declares `x` inside the brackets of `list.all(x, …)`. */
function withLoops(text: string, tokens: readonly Token[], environment: Environment): Environment {
  let known = environment
  for (const open of openBrackets(tokens)) {
    const [dot, macro, , name, comma] = tokens.slice(open - 2, open + 3)
    if (dot?.text !== '.' || macro === undefined || name?.kind !== 'name' || comma?.text !== ',')
      continue
    if (![...MACROS, ...OPTIONAL_MACROS].includes(macro.text)) continue
    const start = chainBefore(tokens, open - 2)
    if (start === undefined) continue
    const over = typeOf(text.slice((tokens[start] as Token).start, dot.start), known)
    known = known.with({ [name.text]: elementOf(over) })
  }
  return known
}

function openBrackets(tokens: readonly Token[]): number[] {
  const open: number[] = []
  for (const [index, { kind, text }] of tokens.entries()) {
    if (kind !== 'sign') continue
    if (text === '(' || text === '[' || text === '{') open.push(index)
    else if (text === ')' || text === ']' || text === '}') open.pop()
  }
  return open.filter((index) => tokens[index]?.text === '(')
}

function elementOf(type: Type | undefined): Type {
  if (type === undefined) return DYN
  return type.kind === 'list' || type.kind === 'map' || isOptional(type)
    ? (type.parameters[0] ?? DYN)
    : DYN
}

function names(environment: Environment): Suggestion[] {
  const variables = environment.variableNames().filter((name) => !name.includes('.'))
  const functions = overloadsOf(environment).filter(([, overloads]) =>
    overloads.some(({ member }) => !member),
  )
  return [
    ...variables.map(
      (name): Suggestion => ({
        name,
        kind: 'variable',
        detail: formatType(environment.variable(name)?.type ?? DYN),
        insert: name,
      }),
    ),
    ...functions.map(([name, overloads]) =>
      functionSuggestion(
        name,
        overloads.filter(({ member }) => !member),
      ),
    ),
    { name: 'has', kind: 'function', detail: 'has(object.field) -> bool', insert: 'has($0)' },
    ...['true', 'false', 'null', 'in'].map(
      (name): Suggestion => ({ name, kind: 'word', detail: '', insert: name }),
    ),
  ]
}

function members(type: Type, environment: Environment, keys: readonly string[]): Suggestion[] {
  const inside = unwrapped(type)
  const fields: Suggestion[] = [...(inside.fields ?? new Map<string, Type>())].map(
    ([name, field]) => ({
      name,
      kind: 'field',
      detail: formatType(field),
      insert: name,
    }),
  )
  const declared = new Set(fields.map(({ name }) => name))
  const live = keys
    .filter((name) => /^[A-Za-z_]\w*$/.test(name) && !declared.has(name))
    .map((name): Suggestion => ({ name, kind: 'field', detail: 'in the value', insert: name }))
  const functions = overloadsOf(environment).flatMap(([name, overloads]) => {
    const fitting = overloads.filter(
      ({ member, parameters }) => member && takes(parameters[0], type),
    )
    return fitting.length === 0 ? [] : [functionSuggestion(name, fitting)]
  })
  return [...fields, ...live, ...macrosOf(type), ...functions]
}

function macrosOf(type: Type): Suggestion[] {
  const loops = isDynamic(type) || type.kind === 'list' || type.kind === 'map' ? MACROS : []
  return [...loops, ...(isOptional(type) ? OPTIONAL_MACROS : [])].map((name) => ({
    name,
    kind: 'function',
    detail: `${name}(x, …)`,
    insert: `${name}(x, $0)`,
  }))
}

const overloadsOf = (environment: Environment): [string, readonly Overload[]][] =>
  environment
    .functionNames()
    .filter((name) => /^[A-Za-z]/.test(name))
    .map((name) => [name, environment.overloads(name)])

function takes(wanted: Type | undefined, given: Type): boolean {
  if (wanted === undefined) return false
  if (isDynamic(given) || isDynamic(wanted) || wanted.kind === 'parameter') return true
  return (
    wanted.kind === given.kind &&
    (wanted.kind === 'list' || wanted.kind === 'map' || wanted.name === given.name)
  )
}

function functionSuggestion(name: string, overloads: readonly Overload[]): Suggestion {
  const [first] = overloads
  const taken = (first?.parameters.length ?? 0) - Number(first?.member ?? false)
  const more = overloads.length > 1 ? ` (+${overloads.length - 1})` : ''
  return {
    name,
    kind: 'function',
    detail: first === undefined ? '' : signatureOf(first) + more,
    insert: taken === 0 ? `${name}()` : `${name}($0)`,
  }
}

function signatureOf({ function: name, member, parameters, result }: Overload): string {
  const [receiver, ...rest] = member ? parameters : [undefined, ...parameters]
  const taken = rest.map((type) => (type === undefined ? '' : formatType(type))).join(', ')
  return `${receiver === undefined ? '' : `${formatType(receiver)}.`}${name}(${taken}) -> ${formatType(result)}`
}

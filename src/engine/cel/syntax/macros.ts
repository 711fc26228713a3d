import { entryOf } from '../../core/object'
import { type Call, type Comprehension, type Expression, OPERATORS } from './ast'
import type { Issue } from './source'

export interface MacroOptions {
  optionalMacros: boolean
  /** By name and number of arguments: `sortBy/2`. */
  libraryMacros?: Readonly<Record<string, Macro>>
}

export const ACCUMULATOR = '__result__'
const UNUSED = '#unused'

export type Macro = (call: Call & { target: Expression }, position: number) => Expression | Issue

/** @returns undefined for a call that is not a macro, an issue for invalid arguments */
export function expandMacro(
  call: Call,
  { optionalMacros, libraryMacros = {} }: MacroOptions,
): Expression | Issue | undefined {
  if (call.target === undefined) {
    return call.function === 'has' && call.arguments.length === 1
      ? has(call.arguments[0] as Expression, call.position)
      : undefined
  }
  const name = `${call.function}/${call.arguments.length}`
  const macro =
    entryOf(MACROS, name) ??
    (optionalMacros ? entryOf(OPTIONAL_MACROS, name) : undefined) ??
    entryOf(libraryMacros, name)
  return macro?.(call as Call & { target: Expression }, call.position)
}

function has(argument: Expression, position: number): Expression | Issue {
  if (argument.kind === 'select') return { ...argument, test: true, position }
  return { position: argument.position, message: 'invalid argument to has() macro' }
}

export const constant = (value: boolean | bigint, position: number): Expression => ({
  kind: 'constant',
  value,
  position,
})
export const accumulator = (position: number): Expression => ({
  kind: 'identifier',
  name: ACCUMULATOR,
  position,
})
export const operation = (
  name: string,
  position: number,
  ...operands: Expression[]
): Expression => ({
  kind: 'call',
  function: name,
  arguments: operands,
  position,
})

/** The first argument is the variable, the target the range. */
function loop(
  { target, arguments: [variable] }: Call & { target: Expression },
  position: number,
  parts: (name: string) => LoopParts,
  misuse = 'argument must be a simple name',
): Expression | Issue {
  if (variable?.kind !== 'identifier')
    return { position: variable?.position ?? position, message: misuse }
  return {
    kind: 'comprehension',
    range: target,
    variable: variable.name,
    accumulator: ACCUMULATOR,
    ...parts(variable.name),
    position,
  }
}

export type LoopParts = Pick<Comprehension, 'initial' | 'condition' | 'step' | 'result'>

const argument = (call: Call, index: number): Expression => call.arguments[index] as Expression

export const allParts = (predicate: Expression, at: number): LoopParts => ({
  initial: constant(true, at),
  condition: operation(OPERATORS.notStrictlyFalse, at, accumulator(at)),
  step: operation(OPERATORS.and, at, accumulator(at), predicate),
  result: accumulator(at),
})

export const existsParts = (predicate: Expression, at: number): LoopParts => ({
  initial: constant(false, at),
  condition: operation(
    OPERATORS.notStrictlyFalse,
    at,
    operation(OPERATORS.not, at, accumulator(at)),
  ),
  step: operation(OPERATORS.or, at, accumulator(at), predicate),
  result: accumulator(at),
})

export const existsOneParts = (predicate: Expression, at: number): LoopParts => ({
  initial: constant(0n, at),
  condition: constant(true, at),
  step: operation(
    OPERATORS.conditional,
    at,
    predicate,
    operation('_+_', at, accumulator(at), constant(1n, at)),
    accumulator(at),
  ),
  result: operation('_==_', at, accumulator(at), constant(1n, at)),
})

const all: Macro = (call, at) => loop(call, at, () => allParts(argument(call, 1), at))
const exists: Macro = (call, at) => loop(call, at, () => existsParts(argument(call, 1), at))
const existsOne: Macro = (call, at) => loop(call, at, () => existsOneParts(argument(call, 1), at))

export const appended = (element: Expression, at: number): Expression =>
  operation('_+_', at, accumulator(at), {
    kind: 'list',
    elements: [element],
    optional: new Set(),
    position: at,
  })

function collecting(
  call: Call & { target: Expression },
  at: number,
  step: Expression,
): Expression | Issue {
  return loop(
    call,
    at,
    () => ({
      initial: { kind: 'list', elements: [], optional: new Set(), position: at },
      condition: constant(true, at),
      step,
      result: accumulator(at),
    }),
    'argument is not an identifier',
  )
}

export const map: Macro = (call, at) => {
  const mapped = appended(argument(call, call.arguments.length - 1), at)
  const step =
    call.arguments.length === 2
      ? mapped
      : operation(OPERATORS.conditional, at, argument(call, 1), mapped, accumulator(at))
  return collecting(call, at, step)
}

const filter: Macro = (call, at) =>
  collecting(
    call,
    at,
    operation(
      OPERATORS.conditional,
      at,
      argument(call, 1),
      appended(argument(call, 0), at),
      accumulator(at),
    ),
  )

/** Binds a name: a loop over nothing. */
export const bound = (
  name: string,
  value: Expression,
  result: Expression,
  at: number,
  step: Expression = { kind: 'identifier', name, position: at },
): Expression => ({
  kind: 'comprehension',
  range: { kind: 'list', elements: [], optional: new Set(), position: at },
  variable: UNUSED,
  accumulator: name,
  initial: value,
  condition: constant(false, at),
  step,
  result,
  position: at,
})

/** Binds a name to the value inside an optional target. */
function optional(flat: boolean): Macro {
  return (call, at) => {
    const { target } = call
    const variable = argument(call, 0)
    if (variable.kind !== 'identifier') {
      return {
        position: variable.position,
        message: `opt${flat ? 'Flat' : ''}Map() variable name must be a simple identifier`,
      }
    }
    const mapped = bound(
      variable.name,
      { kind: 'call', function: 'value', target, arguments: [], position: at },
      argument(call, 1),
      at,
      { kind: 'identifier', name: variable.name, position: variable.position },
    )
    return operation(
      OPERATORS.conditional,
      at,
      { kind: 'call', function: 'hasValue', target, arguments: [], position: at },
      flat ? mapped : operation('optional.of', at, mapped),
      operation('optional.none', at),
    )
  }
}

const MACROS: Record<string, Macro> = {
  'all/2': all,
  'exists/2': exists,
  'exists_one/2': existsOne,
  'map/2': map,
  'map/3': map,
  'filter/2': filter,
}

const OPTIONAL_MACROS: Record<string, Macro> = {
  'optMap/2': optional(false),
  'optFlatMap/2': optional(true),
}

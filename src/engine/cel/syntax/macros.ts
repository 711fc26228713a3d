/**
 * Expands macros: `has`, `all`, `exists`, `exists_one`, `map`, `filter`, `optMap`, `optFlatMap`.
 */
import { entryOf } from '../../object'
import { type Call, type Comprehension, type Expression, OPERATORS } from './ast'
import type { Issue } from './source'

export interface MacroOptions {
  /** Whether `optMap` and `optFlatMap` are macros. */
  optionalMacros: boolean
}

/** The accumulator of macros. */
export const ACCUMULATOR = '__result__'
/** An empty range: the loop only binds a name. */
const UNUSED = '#unused'

type Macro = (call: Call & { target: Expression }, position: number) => Expression | Issue

/** Returns undefined for a call that is not a macro, and an issue for invalid arguments. */
export function expandMacro(
  call: Call,
  { optionalMacros }: MacroOptions,
): Expression | Issue | undefined {
  if (call.target === undefined) {
    return call.function === 'has' && call.arguments.length === 1
      ? has(call.arguments[0] as Expression, call.position)
      : undefined
  }
  const name = `${call.function}/${call.arguments.length}`
  const macro =
    entryOf(MACROS, name) ?? (optionalMacros ? entryOf(OPTIONAL_MACROS, name) : undefined)
  return macro?.(call as Call & { target: Expression }, call.position)
}

function has(argument: Expression, position: number): Expression | Issue {
  if (argument.kind === 'select') return { ...argument, test: true, position }
  return { position: argument.position, message: 'invalid argument to has() macro' }
}

const constant = (value: boolean | bigint, position: number): Expression => ({
  kind: 'constant',
  value,
  position,
})
const accumulator = (position: number): Expression => ({
  kind: 'identifier',
  name: ACCUMULATOR,
  position,
})
const operation = (name: string, position: number, ...operands: Expression[]): Expression => ({
  kind: 'call',
  function: name,
  arguments: operands,
  position,
})

/** Returns a loop over the target whose variable is the first argument. */
function loop(
  { target, arguments: [variable] }: Call & { target: Expression },
  position: number,
  parts: (name: string) => Pick<Comprehension, 'initial' | 'condition' | 'step' | 'result'>,
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

const argument = (call: Call, index: number): Expression => call.arguments[index] as Expression

const all: Macro = (call, at) =>
  loop(call, at, () => ({
    initial: constant(true, at),
    condition: operation(OPERATORS.notStrictlyFalse, at, accumulator(at)),
    step: operation(OPERATORS.and, at, accumulator(at), argument(call, 1)),
    result: accumulator(at),
  }))

const exists: Macro = (call, at) =>
  loop(call, at, () => ({
    initial: constant(false, at),
    condition: operation(
      OPERATORS.notStrictlyFalse,
      at,
      operation(OPERATORS.not, at, accumulator(at)),
    ),
    step: operation(OPERATORS.or, at, accumulator(at), argument(call, 1)),
    result: accumulator(at),
  }))

const existsOne: Macro = (call, at) =>
  loop(call, at, () => ({
    initial: constant(0n, at),
    condition: constant(true, at),
    step: operation(
      OPERATORS.conditional,
      at,
      argument(call, 1),
      operation('_+_', at, accumulator(at), constant(1n, at)),
      accumulator(at),
    ),
    result: operation('_==_', at, accumulator(at), constant(1n, at)),
  }))

const appended = (element: Expression, at: number): Expression =>
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

const map: Macro = (call, at) => {
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

/** Returns an expression with a name for the value inside an optional target. */
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
    const bound: Expression = {
      kind: 'comprehension',
      range: { kind: 'list', elements: [], optional: new Set(), position: at },
      variable: UNUSED,
      accumulator: variable.name,
      initial: { kind: 'call', function: 'value', target, arguments: [], position: at },
      condition: constant(false, at),
      step: { kind: 'identifier', name: variable.name, position: variable.position },
      result: argument(call, 1),
      position: at,
    }
    return operation(
      OPERATORS.conditional,
      at,
      { kind: 'call', function: 'hasValue', target, arguments: [], position: at },
      flat ? bound : operation('optional.of', at, bound),
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

/**
 * How a library describes what it offers: one entry per overload, with its signature as text, what it does and what it costs.
 * Signatures are read when an environment is first asked for a function of that name.
 */
import type { Estimate, EstimateArguments } from '../cost/estimate'
import type { RunCost } from '../cost/factors'
import { readType, splitTypes, type Type } from '../types/type'
import type { Value } from '../values/value'

export interface FunctionDefinition {
  /**
   * `name(int, list(T)) -> bool`, or with the receiver's type first `string.startsWith(string) -> bool`. Single capital letters
   * are type parameters.
   */
  signature: string
  /** Gets no errors: an error among the arguments is the result. */
  call(...values: never[]): Value
  /** The call itself tells values apart that it takes from those it does not: one for all overloads. */
  takesAll?: true
  /** Steps that a call takes; 1 where nothing is said. */
  cost?: RunCost
  /** Instead of `cost`, of a call with one or two arguments: steps that only what comes out tells. */
  resultCost?(result: Value): number
  /** Bounds of the steps, and of the size of what comes out, known before anything is evaluated. */
  estimate?(values: EstimateArguments): Estimate
  /** The cost is reckoned only where library calls are (`strictCost` of the environment); elsewhere a call is 1. */
  strictCost?: true
}

export interface Overload {
  readonly function: string
  readonly member: boolean
  readonly parameters: readonly Type[]
  readonly result: Type
  readonly typeParameters: readonly string[]
  readonly definition: FunctionDefinition
}

/** The function that a signature is of, without reading the rest. */
export function nameIn(signature: string): string {
  return headOf(signature).name
}

function headOf(signature: string): { receiver: string | undefined; name: string; rest: string } {
  const arrow = signature.lastIndexOf(' -> ')
  let open = arrow - 1
  for (let depth = 0; ; open--) {
    if (signature[open] === ')') depth++
    else if (signature[open] === '(' && --depth === 0) break
  }
  const head = signature.slice(0, open)
  const rest = signature.slice(open)
  const receiver = receiverIn(head)
  return receiver === undefined
    ? { receiver, name: head, rest }
    : { receiver, name: head.slice(receiver.length + 1), rest }
}

/** `string` of `string.size`; a namespace is none: `optional.of`, `ip.isCanonical`. */
function receiverIn(head: string): string | undefined {
  const dot = head.lastIndexOf('.')
  if (dot <= 0 || head[dot - 1] === '@') return undefined
  const receiver = head.slice(0, dot)
  return NAMESPACES.has(receiver) ? undefined : receiver
}

const NAMESPACES: ReadonlySet<string> = new Set(['optional', 'sets', 'strings', 'ip', 'format'])

const parametersIn = ({ kind, name, parameters }: Type): string[] =>
  kind === 'parameter' ? [name] : parameters.flatMap(parametersIn)

export function readOverload(definition: FunctionDefinition): Overload {
  const { signature } = definition
  const { receiver, name, rest } = headOf(signature)
  const arrow = rest.lastIndexOf(' -> ')
  const parameters = splitTypes(rest.slice(1, arrow - 1)).map(readType)
  if (receiver !== undefined) parameters.unshift(readType(receiver))
  const result = readType(rest.slice(arrow + 4))
  // Parameters are numbered in this order where messages show them (cel-go, common/decls; one order of a few that it may take).
  const letters = new Set([result, ...parameters].flatMap(parametersIn))
  return {
    function: name,
    member: receiver !== undefined,
    parameters,
    result,
    typeParameters: [...letters],
    definition,
  }
}

/** One definition per overload; signatures are parsed on first use. */
import type { Estimate, EstimateArguments } from '../cost/estimate-types'
import type { RunCost } from '../cost/factors'
import { readType, splitTypes, type Type } from '../types/type'
import type { Value } from '../values/value'

export interface FunctionDefinition {
  /** `string.startsWith(string) -> bool`. Single capital letters are type parameters. */
  signature: string
  /** No operand is an error. */
  call(...values: never[]): Value
  /** For all overloads; checks its operands. */
  takesAll?: true
  /** Absent: 1. */
  cost?: RunCost
  /** For a cost that depends on the result; one or two operands only. */
  resultCost?(result: Value): number
  estimate?(values: EstimateArguments): Estimate
  /** The cost applies only with `strictCost`; otherwise it is 1. */
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

/** `string` for `string.size`; undefined for namespaces. */
function receiverIn(head: string): string | undefined {
  const dot = head.lastIndexOf('.')
  if (dot <= 0 || head[dot - 1] === '@') return undefined
  const receiver = head.slice(0, dot)
  return NAMESPACES.has(receiver) ? undefined : receiver
}

const NAMESPACES: ReadonlySet<string> = new Set([
  'cel',
  'format',
  'ip',
  'jsonpatch',
  'lists',
  'optional',
  'sets',
  'strings',
])

const parametersIn = ({ kind, name, parameters }: Type): string[] =>
  kind === 'parameter' ? [name] : parameters.flatMap(parametersIn)

export function readOverload(definition: FunctionDefinition): Overload {
  const { signature } = definition
  const { receiver, name, rest } = headOf(signature)
  const arrow = rest.lastIndexOf(' -> ')
  const parameters = splitTypes(rest.slice(1, arrow - 1)).map(readType)
  if (receiver !== undefined) parameters.unshift(readType(receiver))
  const result = readType(rest.slice(arrow + 4))
  // Messages number type parameters in this order (cel-go, common/decls).
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

import type { Overload } from '../library/function'
import type { Substitution } from './substitution'
import { DYN, isOpen, sameType, type Type } from './type'

export interface CallTypes {
  overloads: readonly Overload[]
  /** With the receiver first. */
  given: readonly Type[]
  member: boolean
  /** Receives bindings of type parameters. */
  substitution: Substitution
  freshParameter(): Type
}

/** @returns `dyn` for different results, undefined if no overload fits */
export function resolveOverload({
  overloads,
  given,
  member,
  substitution,
  freshParameter,
}: CallTypes): { matching: Overload[]; result: Type } | undefined {
  const matching: Overload[] = []
  let result: Type | undefined
  for (const overload of overloads) {
    if (overload.member !== member || overload.parameters.length !== given.length) continue
    const fresh = instance(overload, freshParameter)
    if (!substitution.fits(given, fresh.parameters)) continue
    matching.push(overload)
    const its = substitution.apply(fresh.result, false)
    if (result === undefined) result = its
    else if (!isOpen(result) && !sameType(its, result)) result = DYN
  }
  return result && { matching, result }
}

function instance(
  { parameters, result, typeParameters }: Overload,
  freshParameter: () => Type,
): Pick<Overload, 'parameters' | 'result'> {
  if (typeParameters.length === 0) return { parameters, result }
  const fresh = new Map(typeParameters.map((name) => [name, freshParameter()]))
  const renamed = (type: Type): Type => {
    if (type.kind === 'parameter') return fresh.get(type.name) ?? type
    return type.parameters.length === 0
      ? type
      : { ...type, parameters: type.parameters.map(renamed) }
  }
  return { parameters: parameters.map(renamed), result: renamed(result) }
}

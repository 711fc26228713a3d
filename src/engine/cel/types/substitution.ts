/** cel-spec, doc/langdef.md, "Gradual Type Checking". */
import { DYN, isDynamic, sameType, type Type } from './type'

export class Substitution {
  private bindings = new Map<string, Type>()

  /** Whether `given` is assignable to `wanted`. If not, restores the bindings. */
  fits(given: readonly Type[], wanted: readonly Type[]): boolean {
    const before = new Map(this.bindings)
    if (
      given.length === wanted.length &&
      given.every((type, index) => this.assignable(type, wanted[index] as Type))
    )
      return true
    this.bindings = before
    return false
  }

  private assignable(a: Type, b: Type): boolean {
    if (b.kind === 'parameter') {
      const { valid, bound } = this.bind(a, b)
      if (valid) return true
      if (bound) return false
    }
    if (a.kind === 'parameter') return this.bind(b, a).valid
    if (isDynamic(a) || isDynamic(b)) return true
    if (a.kind === 'null') return nullable(b)
    if (b.kind === 'null') return nullable(a)
    if (a.kind === 'type') return b.kind === 'type'
    if (a.kind === 'list' || a.kind === 'map' || a.kind === 'opaque') {
      return (
        a.kind === b.kind &&
        a.name === b.name &&
        a.parameters.length === b.parameters.length &&
        a.parameters.every((inner, index) => this.assignable(inner, b.parameters[index] as Type))
      )
    }
    return a.kind === b.kind && a.name === b.name
  }

  private bind(type: Type, parameter: Type): { valid: boolean; bound: boolean } {
    if (sameType(type, parameter)) return { valid: true, bound: true }
    const known = this.bindings.get(parameter.name)
    if (known !== undefined) {
      if (sameType(type, known)) return { valid: true, bound: true }
      if (!this.assignable(type, known)) return { valid: false, bound: true }
      const general = moreGeneral(type, known)
      if (!this.mentions(parameter, general)) this.bindings.set(parameter.name, general)
      return { valid: true, bound: true }
    }
    if (this.mentions(parameter, type)) return { valid: false, bound: false }
    this.bindings.set(parameter.name, type)
    return { valid: true, bound: false }
  }

  private mentions(parameter: Type, type: Type): boolean {
    if (sameType(parameter, type)) return true
    if (type.kind === 'parameter') {
      const bound = this.bindings.get(type.name)
      return bound !== undefined && this.mentions(parameter, bound)
    }
    return type.parameters.some((inner) => this.mentions(parameter, inner))
  }

  /** @param final unbound parameters become dynamic */
  apply(type: Type, final: boolean): Type {
    if (type.kind === 'parameter') {
      const bound = this.bindings.get(type.name)
      if (bound !== undefined) return this.apply(bound, final)
      return final ? DYN : type
    }
    if (type.parameters.length === 0) return type
    return { ...type, parameters: type.parameters.map((inner) => this.apply(inner, final)) }
  }
}

function nullable({ kind }: Type): boolean {
  return (
    kind === 'null' ||
    kind === 'opaque' ||
    kind === 'object' ||
    kind === 'duration' ||
    kind === 'timestamp'
  )
}

/** Of two assignable types. */
export function moreGeneral(a: Type, b: Type): Type {
  return isAsGeneral(a, b) ? a : b
}

const isOpen = ({ kind }: Type): boolean => kind === 'dyn' || kind === 'any' || kind === 'parameter'

function isAsGeneral(a: Type, b: Type): boolean {
  if (isOpen(a)) return true
  if (isOpen(b)) return false
  if (a.kind !== b.kind) return false
  if (a.kind === 'type') return true
  return (
    a.name === b.name &&
    a.parameters.length === b.parameters.length &&
    a.parameters.every((inner, index) => isAsGeneral(inner, b.parameters[index] as Type))
  )
}

/**
 * A *path* (cel-go: attribute) is a name or value followed by fields, keys and indices. It costs 1
 * and 1 for each step; a branch of a condition has no cost of its own.
 */
import type { Environment } from '../environment'
import type { Expression, Select } from '../syntax/ast'
import type { Checked } from '../types/checked'
import { EvaluationError, type Value } from '../values/value'
import {
  access,
  endPath,
  type Fields,
  follow,
  hasField,
  invalidQualifier,
  isAbsent,
  isOptionalPath,
  isQualifier,
  NO_FIELDS,
  optionalAccess,
  startPath,
  withField,
} from './access'
import type { Step } from './frame'
import { constantOf, type Observer, type Planned, path } from './planned'

/** For a constant conversion, pattern or key; rejects the expression. */
export class PlanError {
  constructor(readonly message: string) {}
}

const KEY_COST = 1
const resolved = (value: Value | undefined, name: string): Value =>
  value === undefined ? new EvaluationError(`no such attribute(s): ${name}`) : value

const NO_SUCH_OVERLOAD = new EvaluationError('no such overload')

export abstract class PathPlanner {
  protected readonly scope: { name: string; place: number }[] = []

  constructor(
    protected readonly checked: Checked,
    protected readonly environment: Environment,
    protected readonly observer: Observer | undefined,
  ) {}

  protected abstract planned(expression: Expression): Planned

  whole = ({ bare, own, root, whole, isPath }: Planned): Step => {
    if (whole !== undefined) return whole
    if (!isPath) return bare
    if (own === 0) return (frame) => endPath(bare(frame))
    const { observer } = this
    if (observer !== undefined && root !== undefined) {
      return (frame) => {
        const value = bare(frame)
        observer.paid(root, 1)
        frame.spend(1)
        return endPath(value)
      }
    }
    return (frame) => {
      const value = bare(frame)
      frame.spend(1)
      return endPath(value)
    }
  }

  plan(expression: Expression): Planned {
    const planned = this.planned(expression)
    const { observer } = this
    if (observer === undefined) return planned
    if (planned.constant !== undefined) observer.constant(expression, planned.constant)
    return {
      ...planned,
      bare: observer.observed(expression, planned.bare),
      root: planned.root ?? expression,
    }
  }

  protected name(expression: Expression): Planned {
    const reference = this.checked.names.get(expression)
    if (reference === undefined) throw new Error('an expression is planned before it is checked')
    if (reference.value !== undefined) return constantOf(reference.value)
    const { name } = reference
    // Only names of types resolve to types.
    if (this.checked.types.get(expression)?.kind === 'type') {
      const { value } = this.environment.variable(name) ?? {}
      if (value === undefined) throw new PlanError(`reference to undefined type: ${name}`)
      return constantOf(value)
    }
    const local = this.scope.findLast((variable) => variable.name === name)
    if (local !== undefined) {
      const { place } = local
      return this.along(
        { start: (frame) => frame.locals[place] as Value, fields: NO_FIELDS },
        1,
        {},
      )
    }
    const start: Step = (frame) => resolved(frame.activation.resolve(name), name)
    return this.along({ start, fields: NO_FIELDS }, 1, { variable: name })
  }

  private startOf(operand: Planned): Step {
    return operand.isPath ? operand.bare : this.whole(operand)
  }

  protected select({ operand, field, test }: Select): Planned {
    const target = this.plan(operand)
    if (test) return this.has(target, field)
    const { start, fields, isStart } = target.along ?? {
      start: this.startOf(target),
      fields: NO_FIELDS,
      isStart: target.hasSteps !== true,
    }
    return this.along(
      { start, fields: withField(fields, field), isStart },
      target.isPath ? target.own : 1,
      target,
    )
  }

  /** In one step, unless an observer needs each field. */
  private along(
    along: { start: Step; fields: Fields; isStart?: boolean },
    own: 0 | 1,
    { root, variable }: Pick<Planned, 'root' | 'variable'>,
  ): Planned {
    const { start, fields, isStart = true } = along
    const bare: Step = (frame) => follow(frame, start(frame), fields, isStart, 0)
    const whole: Step = (frame) => endPath(follow(frame, start(frame), fields, isStart, own))
    const planned = { ...path(bare, own, root), variable, hasSteps: fields.count > 0 || !isStart }
    return this.observer === undefined
      ? { ...planned, along: { start, fields, isStart }, whole }
      : planned
  }

  private has(target: Planned, field: string): Planned {
    const base = this.startOf(target)
    const isStart = target.hasSteps !== true
    return path((frame) => {
      const start = base(frame)
      if (start instanceof EvaluationError) return start
      const container = isStart ? startPath(start) : start
      const found = hasField(container, field)
      // An optional step that finds nothing costs nothing.
      if (found === true || !isOptionalPath(container)) frame.walk(1)
      return found
    }, 0)
  }

  protected conditional(
    condition: Expression,
    whenTrue: Expression,
    whenFalse: Expression,
  ): Planned {
    const test = this.whole(this.plan(condition))
    const branches = [whenTrue, whenFalse].map((branch) => this.plan(branch))
    const [yes, no] = branches.map((branch) => this.startOf(branch)) as [Step, Step]
    const planned = path((frame) => {
      const value = test(frame)
      if (value === true) return yes(frame)
      if (value === false) return no(frame)
      return value instanceof EvaluationError ? value : NO_SUCH_OVERLOAD
    }, 0)
    return {
      ...planned,
      hasSteps: branches.some(({ hasSteps }) => hasSteps === true),
      variable: branches.every(({ variable }) => variable !== undefined)
        ? branches[0]?.variable
        : undefined,
    }
  }

  protected index(operand: Expression, index: Expression, isOptional: boolean): Planned {
    const target = this.plan(operand)
    const base = this.startOf(target)
    const isStart = target.hasSteps !== true
    const key = this.plan(index)
    if (key.constant !== undefined && !isQualifier(key.constant))
      throw new PlanError(invalidQualifier(key.constant, false))
    const keyOf = this.keyOf(key)
    const find = isOptional ? optionalAccess : access
    const { observer } = this
    const bare: Step = (frame) => {
      const start = base(frame)
      const container = isStart ? startPath(start) : start
      if (container instanceof EvaluationError || isAbsent(container)) return container
      const value = keyOf(frame)
      const found = value instanceof EvaluationError ? value : find(container, value)
      const isFound = !(found instanceof EvaluationError || isAbsent(found))
      if (!isFound && (isOptional || isOptionalPath(container))) return found
      if (key.isPath && key.root !== undefined) observer?.paid(key.root, KEY_COST)
      frame.spend(KEY_COST)
      return found
    }
    return {
      ...path(bare, target.isPath ? target.own : 1, target.root),
      hasSteps: true,
      variable: target.variable,
    }
  }

  /** @returns an error for an invalid key */
  private keyOf(key: Planned): Step {
    const evaluated = this.startOf(key)
    const { variable } = key
    return (frame) => {
      const value = endPath(evaluated(frame))
      if (value instanceof EvaluationError || isQualifier(value)) return value
      const isNative = variable !== undefined && frame.activation.isNative?.(variable) === true
      return new EvaluationError(invalidQualifier(value, isNative))
    }
  }
}

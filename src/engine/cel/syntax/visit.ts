import type { Expression } from './ast'

export function visit(expression: Expression, each: (part: Expression) => void): void {
  each(expression)
  for (const part of partsOf(expression)) visit(part, each)
}

export function partsOf(expression: Expression): Expression[] {
  switch (expression.kind) {
    case 'select':
      return [expression.operand]
    case 'call':
      return expression.target === undefined
        ? expression.arguments
        : [expression.target, ...expression.arguments]
    case 'list':
      return expression.elements
    case 'map':
      return expression.entries.flatMap(({ key, value }) => [key, value])
    case 'struct':
      return expression.fields.map(({ value }) => value)
    case 'comprehension':
      return [
        expression.range,
        expression.initial,
        expression.condition,
        expression.step,
        expression.result,
      ]
    default:
      return []
  }
}

/** The only label selector parser and matcher. Messages recorded from kube-apiserver 1.31. */
import { entryOf } from '../core/object'
import { labelValueProblems, qualifiedNameProblems } from '../validation/names'

export type Operator = '=' | '==' | 'in' | '!=' | 'notin' | 'exists' | '!' | 'gt' | 'lt'

export interface Requirement {
  key: string
  operator: Operator
  values: string[]
}

export type LabelSelector = Requirement[]

/** @throws Error with kube-apiserver's message */
export function parseLabelSelector(text: string): LabelSelector {
  return new Parser(scan(text)).parse()
}

export function matchesLabels(
  selector: LabelSelector,
  labels: Record<string, string> | undefined,
): boolean {
  return selector.every((requirement) => matchesRequirement(requirement, labels))
}

function matchesRequirement(
  { key, operator, values }: Requirement,
  labels: Record<string, string> | undefined,
): boolean {
  const value = labels && entryOf(labels, key)
  switch (operator) {
    case '=':
    case '==':
    case 'in':
      return value !== undefined && values.includes(value)
    case '!=':
    case 'notin':
      return value === undefined || !values.includes(value)
    case 'exists':
      return value !== undefined
    case '!':
      return value === undefined
    case 'gt':
    case 'lt': {
      if (value === undefined || !isInteger(value)) return false
      const [left, right] = [BigInt(value), BigInt(values[0] ?? '0')]
      return operator === 'gt' ? left > right : left < right
    }
  }
}

export interface LabelSelectorObject {
  matchLabels?: Record<string, string>
  matchExpressions?: { key: string; operator: string; values?: string[] }[]
}

const OPERATOR_OF: Record<string, Operator> = {
  In: 'in',
  NotIn: 'notin',
  Exists: 'exists',
  DoesNotExist: '!',
}

/** @returns undefined (selects nothing) if absent, `[]` (selects everything) if empty */
export function selectorOf(
  object: LabelSelectorObject | undefined | null,
): LabelSelector | undefined {
  if (object === undefined || object === null) return undefined
  const equal = Object.entries(object.matchLabels ?? {}).map(
    ([key, value]): Requirement => ({ key, operator: '=', values: [value] }),
  )
  const expressions = (object.matchExpressions ?? []).map(
    ({ key, operator, values }): Requirement => ({
      key,
      operator: entryOf(OPERATOR_OF, operator) ?? 'exists',
      values: values ?? [],
    }),
  )
  return [...equal, ...expressions]
}

/** Keys sorted: `a=b,c in (d,e),!f`. */
export function selectorText(selector: LabelSelector): string {
  return [...selector]
    .sort((a, b) => (a.key < b.key ? -1 : a.key > b.key ? 1 : 0))
    .map(({ key, operator, values }) => {
      if (operator === 'exists') return key
      if (operator === '!') return `!${key}`
      if (operator === 'in' || operator === 'notin')
        return `${key} ${operator} (${[...values].sort().join(',')})`
      if (operator === 'gt') return `${key}>${values[0]}`
      if (operator === 'lt') return `${key}<${values[0]}`
      return `${key}${operator}${values[0]}`
    })
    .join(',')
}

interface Token {
  kind: 'end' | 'identifier' | 'symbol'
  text: string
}

const SYMBOLS = new Set(['=', '!', '(', ')', ',', '>', '<'])
const OPERATOR_SYMBOLS = ['==', '!=', '=', '!', '(', ')', ',', '>', '<']

/** Splits runs of `=`, `!`, `<`, `>` at the longest operator. */
function scan(text: string): Token[] {
  const tokens: Token[] = []
  let i = 0
  while (i < text.length) {
    const sign = text[i] as string
    if (/[ \t\r\n]/.test(sign)) {
      i++
    } else if (SYMBOLS.has(sign)) {
      const operator = OPERATOR_SYMBOLS.find((candidate) => text.startsWith(candidate, i)) as string
      tokens.push({ kind: 'symbol', text: operator })
      i += operator.length
    } else {
      const start = i
      while (
        i < text.length &&
        !SYMBOLS.has(text[i] as string) &&
        !/[ \t\r\n]/.test(text[i] as string)
      )
        i++
      tokens.push({ kind: 'identifier', text: text.slice(start, i) })
    }
  }
  tokens.push({ kind: 'end', text: '' })
  return tokens
}

const OPERATORS = ['in', 'notin', '=', '==', '!=', 'gt', 'lt']

class Parser {
  private at = 0
  constructor(private readonly tokens: Token[]) {}

  private peek(): Token {
    return this.tokens[this.at] as Token
  }
  private next(): Token {
    const token = this.peek()
    if (token.kind !== 'end') this.at++
    return token
  }

  parse(): LabelSelector {
    const requirements: Requirement[] = []
    for (;;) {
      const token = this.peek()
      if (token.kind === 'end') return requirements
      if (token.kind !== 'identifier' && token.text !== '!') {
        throw new Error(`found '${token.text}', expected: !, identifier, or 'end of string'`)
      }
      requirements.push(this.requirement())
      const after = this.next()
      if (after.kind === 'end') return requirements
      if (after.text !== ',' || after.kind !== 'symbol')
        throw new Error(`found '${after.text}', expected: ',' or 'end of string'`)
      const following = this.peek()
      if (following.kind !== 'identifier' && following.text !== '!') {
        throw new Error(`found '${following.text}', expected: identifier after ','`)
      }
    }
  }

  private requirement(): Requirement {
    let negated = false
    if (this.peek().text === '!' && this.peek().kind === 'symbol') {
      this.next()
      negated = true
    }
    const key = this.next()
    if (key.kind !== 'identifier')
      throw new Error(`unable to parse requirement: found '${key.text}', expected: identifier`)
    checkKey(key.text)
    const after = this.peek()
    if (negated || after.kind === 'end' || (after.kind === 'symbol' && after.text === ',')) {
      return { key: key.text, operator: negated ? '!' : 'exists', values: [] }
    }
    const operator = this.operator()
    const values = operator === 'in' || operator === 'notin' ? this.valueSet() : [this.exactValue()]
    return checked({ key: key.text, operator, values })
  }

  private operator(): Operator {
    const token = this.next()
    if (token.text === '>') return 'gt'
    if (token.text === '<') return 'lt'
    const known =
      token.kind === 'identifier'
        ? token.text === 'in' || token.text === 'notin'
        : ['=', '==', '!='].includes(token.text)
    if (!known)
      throw new Error(
        `unable to parse requirement: found '${token.text}', expected: ${OPERATORS.join(', ')}`,
      )
    return token.text as Operator
  }

  private exactValue(): string {
    const token = this.peek()
    if (token.kind === 'end' || (token.kind === 'symbol' && token.text === ',')) return ''
    this.next()
    if (token.kind !== 'identifier')
      throw new Error(`unable to parse requirement: found '${token.text}', expected: identifier`)
    return token.text
  }

  private valueSet(): string[] {
    const open = this.next()
    if (open.text !== '(')
      throw new Error(`unable to parse requirement: found '${open.text}' expected: '('`)
    const values: string[] = []
    const first = this.peek()
    if (first.kind === 'symbol' && first.text === ')') {
      this.next()
      return ['']
    }
    if (first.kind !== 'identifier' && first.text !== ',') {
      throw new Error(
        `unable to parse requirement: found '${first.text}', expected: ',', ')' or identifier`,
      )
    }
    for (;;) {
      const token = this.next()
      if (token.kind === 'identifier') {
        values.push(token.text)
        const separator = this.next()
        if (separator.text === ')') return unique(values)
        if (separator.text !== ',')
          throw new Error(
            `unable to parse requirement: found '${separator.text}', expected: ',' or ')'`,
          )
        if (this.peek().text === ')' && this.peek().kind === 'symbol') {
          this.next()
          return unique([...values, ''])
        }
      } else if (token.text === ',') {
        values.push('')
        if (this.peek().text === ')' && this.peek().kind === 'symbol') {
          this.next()
          return unique([...values, ''])
        }
      } else
        throw new Error(
          `unable to parse requirement: found '${token.text}', expected: ',', or identifier`,
        )
    }
  }
}

/** 64-bit, as in kube-apiserver. */
function isInteger(text: string): boolean {
  if (!/^[-+]?\d+$/.test(text)) return false
  const value = BigInt(text.replace('+', ''))
  return BigInt.asIntN(64, value) === value
}

const unique = (values: string[]): string[] => [...new Set(values)].sort()

function checkKey(key: string): void {
  const problems = qualifiedNameProblems(key)
  if (problems.length > 0)
    throw new Error(
      `unable to parse requirement: <nil>: Invalid value: ${JSON.stringify(key)}: ${problems.join('; ')}`,
    )
}

function checked(requirement: Requirement): Requirement {
  const { key, operator, values } = requirement
  const errors: string[] = []
  if (operator === 'gt' || operator === 'lt') {
    values.forEach((value, index) => {
      if (!isInteger(value))
        errors.push(
          `values[${index}]: Invalid value: ${JSON.stringify(value)}: for 'Gt', 'Lt' operators, the value must be an integer`,
        )
    })
  }
  values.forEach((value, index) => {
    const problems = labelValueProblems(value)
    if (problems.length > 0)
      errors.push(
        `values[${index}][${key}]: Invalid value: ${JSON.stringify(value)}: ${problems.join('; ')}`,
      )
  })
  if (errors.length === 0) return requirement
  throw new Error(
    `unable to parse requirement: ${errors.length === 1 ? errors[0] : `[${errors.join(', ')}]`}`,
  )
}

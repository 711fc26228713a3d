/**
 * Evaluates JSONPath templates as `kubectl -o jsonpath` does. See kubernetes.io, "JSONPath
 * Support".
 */
import { append } from '../core/lists'
import type { Json } from '../core/object'
import { goFormat } from '../schema/go-text'
import { readTemplate, type TemplatePart } from './json-path-reader'
import { Budget, JsonPathError, type Step } from './json-path-steps'

export interface JsonPathTemplate {
  /**
   * Values by part of the template, in order. @throws JsonPathError for an index out of bounds, or
   * a filter on a non-list
   */
  find(value: Json): Json[][]
  /** @throws JsonPathError */
  print(value: Json): string
}

export interface TemplateOptions {
  strict?: boolean
}

/** @throws JsonPathError */
export function parseJsonPathTemplate(
  text: string,
  { strict = false }: TemplateOptions = {},
): JsonPathTemplate {
  const blocks = nested(readTemplate(text, strict))
  const find = (value: Json): Json[][] => evaluated(blocks, value, new Budget(MOST_VISITED))
  return { find, print: (value) => find(value).map(printed).join('') }
}

/** Number of values; a user waits for the result. */
const MOST_VISITED = 10_000_000

/** Each range without an end doubles the work. */
const MOST_UNENDED = 8

interface Range {
  over: Step
  body: Block[]
}

type Block = { steps: Step } | Range

function nested(parts: readonly TemplatePart[]): Block[] {
  const root: Block[] = []
  const open: Range[] = []
  const current = () => open.at(-1)?.body ?? root
  for (const part of parts) {
    if (part.kind === 'steps') current().push({ steps: part.step })
    else if (part.kind === 'range') {
      const range: Range = { over: part.step, body: [] }
      current().push(range)
      open.push(range)
    } else if (open.pop() === undefined) current().push({ steps: nothingToEnd })
  }
  if (open.length > MOST_UNENDED)
    throw new JsonPathError(`more than ${MOST_UNENDED} ranges without an end`)
  // As in kubectl, an unended range also runs for the outer value.
  for (const range of open.reverse()) append(outside(root, range), range.body)
  return root
}

function outside(blocks: Block[], range: Range): Block[] {
  for (const block of blocks) {
    if (block === range) return blocks
    if ('body' in block) {
      const found = outside(block.body, range)
      if (found.length > 0 && (found.includes(range) || found === block.body)) return found
    }
  }
  return []
}

const nothingToEnd: Step = () => {
  throw new JsonPathError('not in range, nothing to end')
}

function evaluated(blocks: readonly Block[], value: Json, budget: Budget): Json[][] {
  return blocks.flatMap((block) =>
    'steps' in block
      ? [block.steps([value], budget)]
      : block.over([value], budget).flatMap((one) => evaluated(block.body, one, budget)),
  )
}

const printed = (values: readonly Json[]): string => values.map(printedValue).join(' ')

function printedValue(value: Json): string {
  if (value === null) return 'null'
  return typeof value === 'object' ? goJson(value) : goFormat(value)
}

/** As Go's encoder: members sorted, HTML characters escaped. */
export function goJson(value: Json, indent?: number): string {
  return JSON.stringify(sorted(value), null, indent).replace(
    /[<>&\u2028\u2029]/g,
    (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function sorted(value: Json): Json {
  if (Array.isArray(value)) return value.map(sorted)
  if (value === null || typeof value !== 'object') return value
  return Object.fromEntries(
    Object.keys(value)
      .sort()
      .map((name) => [name, sorted(value[name] as Json)]),
  )
}

/**
 * kubernetes.io, FieldSelectorAttributes. Invalid selectors restrict nothing. Recorded from
 * kube-apiserver 1.31.
 */
import { parseFieldSelector } from '../selectors/fields'
import { type Operator, parseLabelSelector } from '../selectors/labels'

export interface SelectorRequirement {
  key: string
  operator: string
  values?: string[]
}

export interface SelectorAttributes {
  requirements: SelectorRequirement[]
  /** A part could not be parsed and was left out. */
  unreadable: boolean
}

/** One text, or requirements. */
export interface ReviewedSelector {
  rawSelector?: string
  requirements?: SelectorRequirement[]
}

export function fieldSelectorOf(text: string): SelectorAttributes {
  try {
    const requirements = parseFieldSelector(text).map(({ field, equal, value }) => ({
      key: field,
      operator: equal ? 'In' : 'NotIn',
      values: [value],
    }))
    return { requirements, unreadable: false }
  } catch {
    return UNREADABLE
  }
}

const UNREADABLE: SelectorAttributes = { requirements: [], unreadable: true }

const LABEL_OPERATORS: Partial<Record<Operator, string>> = {
  '=': 'In',
  '==': 'In',
  in: 'In',
  '!=': 'NotIn',
  notin: 'NotIn',
  exists: 'Exists',
  '!': 'DoesNotExist',
}

export function labelSelectorOf(text: string): SelectorAttributes {
  try {
    const parsed = parseLabelSelector(text)
    const requirements = parsed.flatMap(({ key, operator, values }): SelectorRequirement[] => {
      const word = LABEL_OPERATORS[operator]
      if (word === undefined) return []
      return [
        word === 'In' || word === 'NotIn'
          ? { key, operator: word, values: [...values].sort() }
          : { key, operator: word },
      ]
    })
    return { requirements: requirements.sort(byKey), unreadable: false }
  } catch {
    return UNREADABLE
  }
}

const byKey = (a: SelectorRequirement, b: SelectorRequirement): number =>
  a.key < b.key ? -1 : a.key > b.key ? 1 : 0

/** Field selectors compare with one value only. */
export function reviewedFieldSelector({
  rawSelector,
  requirements = [],
}: ReviewedSelector): SelectorAttributes {
  if (rawSelector) return fieldSelectorOf(rawSelector)
  return understood(
    requirements,
    ({ operator, values = [] }) =>
      (operator === 'In' || operator === 'NotIn') && values.length === 1,
  )
}

export function reviewedLabelSelector({
  rawSelector,
  requirements = [],
}: ReviewedSelector): SelectorAttributes {
  if (rawSelector) return labelSelectorOf(rawSelector)
  return understood(requirements, ({ operator }) =>
    ['In', 'NotIn', 'Exists', 'DoesNotExist'].includes(operator),
  )
}

function understood(
  requirements: readonly SelectorRequirement[],
  isKnown: (one: SelectorRequirement) => boolean,
): SelectorAttributes {
  const known = requirements.filter(isKnown)
  return { requirements: known, unreadable: known.length < requirements.length }
}

/**
 * Field selectors: `a=b,c!=d` with backslash escapes. Messages recorded from kube-apiserver 1.31.
 */
export interface FieldTerm {
  field: string
  equal: boolean
  value: string
}

export type FieldSelector = FieldTerm[]

/** @throws Error with kube-apiserver's message */
export function parseFieldSelector(text: string): FieldSelector {
  const terms: FieldTerm[] = []
  // Sorted: this decides which error comes first (k8s.io/apimachinery, pkg/fields).
  for (const part of splitTerms(text).sort()) {
    if (part === '') continue
    const split = splitTerm(part)
    if (split === undefined)
      throw new Error(`invalid selector: '${text}'; can't understand '${part}'`)
    const term = { ...split, value: unescapeValue(split.value) }
    // A lone operator selects everything.
    if (term.field !== '' || term.value !== '') terms.push(term)
  }
  return terms
}

export function matchesFields(
  selector: FieldSelector,
  fieldValue: (field: string) => string,
): boolean {
  return selector.every(({ field, equal, value }) => (fieldValue(field) === value) === equal)
}

/** The single name that matches, so that a list or watch reads one key. */
export function pinnedValue(selector: FieldSelector, field: string): string | undefined {
  return selector.find((term) => term.equal && term.field === field)?.value
}

/** Escaped commas do not separate. */
function splitTerms(text: string): string[] {
  if (text === '') return []
  const parts: string[] = []
  let part = ''
  for (let i = 0; i < text.length; i++) {
    const sign = text[i] as string
    if (sign === '\\') {
      part += sign + (text[i + 1] ?? '')
      i++
    } else if (sign === ',') {
      parts.push(part)
      part = ''
    } else part += sign
  }
  return [...parts, part]
}

function splitTerm(term: string): FieldTerm | undefined {
  for (let i = 0; i < term.length; i++) {
    for (const operator of ['!=', '==', '=']) {
      if (term.startsWith(operator, i))
        return {
          field: term.slice(0, i),
          equal: operator !== '!=',
          value: term.slice(i + operator.length),
        }
    }
  }
  return undefined
}

function unescapeValue(text: string): string {
  let value = ''
  for (let i = 0; i < text.length; i++) {
    const sign = text[i] as string
    if (sign === '\\') {
      const escaped = text[i + 1]
      if (escaped === undefined || !['\\', ',', '='].includes(escaped)) {
        throw new Error(`invalid field selector: invalid escape sequence: \\${escaped ?? ''}`)
      }
      value += escaped
      i++
    } else if (sign === ',' || sign === '=') {
      throw new Error(`invalid field selector: unescaped character in value: ${sign.charCodeAt(0)}`)
    } else value += sign
  }
  return value
}

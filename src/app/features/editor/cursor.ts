/** Finds the YAML path at the cursor by indentation, also in incomplete text. */

export interface Place {
  /** Keys from the root to the line's parent; list items are `[]`. */
  parents: string[]
  key: string | undefined
  inValue: boolean
  apiVersion: string
  kind: string
  /** Existing keys of the same mapping. */
  siblings: string[]
}

interface Line {
  indent: number
  key: string | undefined
  dash: boolean
}

/** 0-based line and column. */
export function placeAt(text: string, line: number, column: number): Place {
  const all = text.split('\n')
  let start = line
  while (start > 0 && !all[start - 1]?.startsWith('---')) start--
  let end = line
  while (end + 1 < all.length && !all[end + 1]?.startsWith('---')) end++
  const document = all.slice(start, end + 1)
  const here = document[line - start] ?? ''
  const current = parsed(here)
  const colon = here.indexOf(':')
  const indent = here.trim() === '' ? column : current.indent
  const parents = parentsOf(document, line - start, indent, current.dash)
  return {
    parents,
    key: current.key,
    inValue: colon >= 0 && column > colon && current.key !== undefined,
    apiVersion: topLevel(document, 'apiVersion'),
    kind: topLevel(document, 'kind'),
    siblings: siblingsOf(document, line - start, indent),
  }
}

/** A dash counts as indentation of what follows it. */
function parsed(text: string): Line {
  const match = /^(\s*)((?:- +)*)(?:"([^"]*)"|'([^']*)'|([\w./-]+))?\s*(:)?/.exec(text)
  const spaces = match?.[1]?.length ?? 0
  const dashes = match?.[2]?.length ?? 0
  const key = match?.[6] ? (match[3] ?? match[4] ?? match[5]) : undefined
  return { indent: spaces + dashes, key, dash: dashes > 0 || /^\s*-\s*$/.test(text) }
}

function parentsOf(
  document: string[],
  line: number,
  indent: number,
  startsItem: boolean,
): string[] {
  const parents: string[] = []
  let limit = indent
  let item = startsItem
  for (let i = line; i >= 0 && limit > 0; i--) {
    const text = document[i] ?? ''
    if (text.trim() === '' || text.trim().startsWith('#')) continue
    const above = parsed(text)
    const dashColumn = text.search(/\S/)
    if (i < line && above.dash && above.indent === limit && !item) item = true
    if (item) {
      // The list belongs to the nearest key to the left of the dash.
      parents.unshift('[]')
      limit = i === line && !/^\s*-/.test(text) ? limit : dashColumn + 1
      item = false
      continue
    }
    if (i < line && above.key !== undefined && above.indent < limit) {
      parents.unshift(above.key)
      limit = above.indent
      item = above.dash
    }
  }
  return parents
}

function siblingsOf(document: string[], line: number, indent: number): string[] {
  const keys: string[] = []
  const collect = (from: number, step: number) => {
    for (let i = from; i >= 0 && i < document.length; i += step) {
      const text = document[i] ?? ''
      if (text.trim() === '' || text.trim().startsWith('#')) continue
      const other = parsed(text)
      if (other.indent < indent) return
      if (other.indent === indent && other.key) keys.push(other.key)
      if (other.dash && other.indent === indent && step < 0) return
      if (other.dash && other.indent === indent && step > 0) return
    }
  }
  collect(line - 1, -1)
  collect(line + 1, 1)
  return keys
}

function topLevel(document: string[], name: string): string {
  const line = document.find((text) => text.startsWith(`${name}:`))
  return (line?.slice(name.length + 1).split('#')[0] ?? '').trim().replace(/^["']|["']$/g, '')
}

/** Undefined in a comment and directly after a colon, where completion does not apply. */
export function typedPart(before: string): string | undefined {
  if (/(^|\s)#/.test(before.replace(/"[^"]*"|'[^']*'/g, '')) || before.endsWith(':'))
    return undefined
  let start = before.length
  while (start > 0 && !/[\s"'{},[\]]/.test(before[start - 1] as string)) start--
  return before.slice(start)
}

/**
 * How JSON is written beyond what it says: indentation, the order of members, which characters are escaped, the last newline. Clients that
 * compare or hash texts see it. Ownership entries are left out, whose order is not fixed, and so are members that a server names
 * itself (by a uid or a time).
 */

/** Compares the layouts of two texts; empty if one of them is not JSON. */
export function layoutDifferences(expected: string, actual: string): string[] {
  const wanted = layoutOf(expected)
  const got = layoutOf(actual)
  if (wanted === undefined || got === undefined) return []
  if (wanted.indented !== got.indented)
    return [`layout: ${wanted.indented ? 'indented' : 'on one line'} expected`]
  if (wanted.newline !== got.newline)
    return [`layout: ${wanted.newline ? 'a' : 'no'} last newline expected`]
  if (wanted.escapesHtml && got.hasHtml) return ['layout: escapes of <, > and & expected']
  const at = wanted.members.findIndex((members, i) => members !== got.members[i])
  return at < 0 ? [] : [`layout: members ${wanted.members[at]} expected, got ${got.members[at]}`]
}

interface Layout {
  indented: boolean
  newline: boolean
  escapesHtml: boolean
  hasHtml: boolean
  /** Of each object in turn, where it is and what its members are called. */
  members: string[]
}

function layoutOf(text: string): Layout | undefined {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return undefined
  }
  return {
    indented: /^[[{]\n/.test(text),
    newline: text.endsWith('\n'),
    escapesHtml: /\\u00(3c|3e|26)/.test(text),
    hasHtml: /[<>&]/.test(text),
    members: membersIn(value, ''),
  }
}

const OWN_NAMES = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}/

function membersIn(value: unknown, path: string): string[] {
  if (Array.isArray(value)) return value.flatMap((item) => membersIn(item, `${path}[]`))
  if (typeof value !== 'object' || value === null) return []
  const shown = Object.entries(value).filter(([name]) => name !== 'managedFields')
  const inner = shown.flatMap(([name, member]) => membersIn(member, `${path}.${name}`))
  return OWN_NAMES.test(Object.keys(value).join())
    ? inner
    : [`${path}{${shown.map(([name]) => name).join()}}`, ...inner]
}

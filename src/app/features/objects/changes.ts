import { equalJson, isJsonObject, type Json } from '../../../engine/core/object'

export interface Change {
  /** `.spec.containers[name=web].image`; quoted for special characters: `.labels["a/b"]`. */
  path: string
  /** undefined: absent before. */
  before: Json | undefined
  /** undefined: removed. */
  after: Json | undefined
  /** Maintained by the server: versions, times, managedFields. */
  bookkeeping: boolean
}

const BOOKKEEPING = ['.metadata.resourceVersion', '.metadata.generation', '.metadata.managedFields']
/** The first one that all items have with unique values is the key. */
const IDENTITIES = ['name', 'type', 'containerPort', 'port', 'key', 'uid', 'ip']

/** In the order of the newer object's members. */
export function changesBetween(before: Json | undefined, after: Json | undefined): Change[] {
  const found: Change[] = []
  compare('', before, after, found)
  return found.sort((a, b) => Number(a.bookkeeping) - Number(b.bookkeeping))
}

function compare(
  path: string,
  before: Json | undefined,
  after: Json | undefined,
  found: Change[],
): void {
  if (before === after) return
  const bookkeeping = BOOKKEEPING.includes(path)
  if (!bookkeeping && isJsonObject(before) && isJsonObject(after)) {
    const names = new Set([...Object.keys(after), ...Object.keys(before)])
    for (const name of names) compare(`${path}${step(name)}`, before[name], after[name], found)
    return
  }
  if (!bookkeeping && Array.isArray(before) && Array.isArray(after)) {
    compareLists(path, before, after, found)
    return
  }
  if (!equalJson(before, after)) found.push({ path: path || '.', before, after, bookkeeping })
}

function compareLists(path: string, before: Json[], after: Json[], found: Change[]): void {
  const identity = IDENTITIES.find(
    (member) => identifies(member, before) && identifies(member, after),
  )
  if (identity !== undefined) {
    const [old, young] = [before, after].map(
      (items) => new Map(items.map((item) => [identityOf(item, identity), item])),
    )
    for (const name of new Set([...(young?.keys() ?? []), ...(old?.keys() ?? [])]))
      compare(`${path}[${identity}=${name}]`, old?.get(name), young?.get(name), found)
    return
  }
  // Values without a key: the set is compared as a whole.
  if (!before.every(isJsonObject) || !after.every(isJsonObject)) {
    if (!equalJson(before, after))
      found.push({ path: path || '.', before, after, bookkeeping: false })
    return
  }
  for (let index = 0; index < Math.max(before.length, after.length); index++)
    compare(`${path}[${index}]`, before[index], after[index], found)
}

function identifies(member: string, items: Json[]): boolean {
  const names = items.map((item) => identityOf(item, member))
  return names.every((name) => name !== undefined) && new Set(names).size === names.length
}

function identityOf(item: Json, member: string): string | undefined {
  const name = isJsonObject(item) ? item[member] : undefined
  return typeof name === 'string' || typeof name === 'number' ? String(name) : undefined
}

function step(name: string): string {
  return /^[A-Za-z_][A-Za-z0-9_]*$/.test(name) ? `.${name}` : `[${JSON.stringify(name)}]`
}

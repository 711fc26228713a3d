/** `deployment.spec.repl`, across lists. */
import { apiVersionOf } from '../../../engine/core/object'
import type { StructType, TypeNode } from '../../../engine/schema/model'
import type { ServedResource } from '../../state/discovery'
import type { FieldAddress } from '../explain/served-field'

export interface FoundField {
  /** `deployment.spec.replicas` */
  title: string
  address: FieldAddress
  exact: boolean
}

/** Kinds that are searched for a path without a kind. */
const USUAL = [
  'pods',
  'deployments',
  'services',
  'jobs',
  'statefulsets',
  'ingresses',
  'persistentvolumeclaims',
  'nodes',
  'customresourcedefinitions',
]

export const pathIn = (query: string): string | undefined =>
  query.split(/\s+/).find((word) => /^[\w-]+\.[\w.-]*$/.test(word))

/** The kinds, and the field names after the kind; empty if no kind matches. */
export function readPath(
  path: string,
  resources: readonly ServedResource[],
): { of: ServedResource[]; names: string[] } {
  const [first = '', ...rest] = path.split('.')
  const wanted = first.toLowerCase()
  const named = resources.find(
    ({ kind, resource, shortNames }) =>
      kind.toLowerCase() === wanted || resource === wanted || shortNames.includes(wanted),
  )
  if (named) return { of: [named], names: rest }
  const usual = USUAL.flatMap((name) => resources.find(({ resource }) => resource === name) ?? [])
  return { of: usual, names: [first, ...rest] }
}

/** @param names the last can be incomplete */
export function fieldsOf(
  type: StructType,
  { group, version, kind }: ServedResource,
  names: readonly string[],
): FoundField[] {
  const parents = names.slice(0, -1)
  const last = (names.at(-1) ?? '').toLowerCase()
  const found = walk(type, parents)
  if (found === undefined) return []
  const { fields, path } = found
  return fields
    .filter((name) => name.toLowerCase().startsWith(last))
    .map((name) => ({
      title: [kind.toLowerCase(), ...parents, name].join('.'),
      address: { apiVersion: apiVersionOf(group, version), kind, path: [...path, name] },
      exact: name.toLowerCase() === last,
    }))
}

/** Case-insensitive; descends into list items. */
function walk(
  type: TypeNode,
  names: readonly string[],
): { fields: string[]; path: string[] } | undefined {
  let at: TypeNode = type
  const path: string[] = []
  const enter = () => {
    while (at.type === 'list') {
      at = at.items
      path.push('[]')
    }
  }
  for (const name of names) {
    enter()
    if (at.type === 'map') {
      at = at.values
      path.push(name)
      continue
    }
    const field =
      at.type === 'struct'
        ? at.fields.find((one) => one.name.toLowerCase() === name.toLowerCase())
        : undefined
    if (field === undefined) return undefined
    at = field.type
    path.push(field.name)
  }
  enter()
  return at.type === 'struct' ? { fields: at.fields.map(({ name }) => name), path } : undefined
}

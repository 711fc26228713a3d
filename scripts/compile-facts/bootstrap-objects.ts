/** Compiles a new server's recorded objects to text with placeholders for times and uids. */
import type { KubeObject } from '../../src/engine/core/object'
import { builtinModel } from '../../src/engine/schema/builtin'
import { canonicalize } from '../../src/engine/schema/canonical'
import type { TypeModel } from '../../src/engine/schema/model'

/** Placeholder of the start time, which `bootstrap.ts` replaces. */
export const MOMENT = '1970-01-01T00:00:00Z'
/** The same with microseconds. */
export const MICRO_MOMENT = MOMENT.replace('Z', '.000000Z')
/** Placeholder for the day of the start. */
export const DAY = MOMENT.slice(0, 10)

interface Discovered {
  metadata: { name?: string }
  versions: { version: string; resources: { resource: string; responseKind: { kind: string } }[] }[]
}

/**
 * @param collections objects by collection path (`apis/GROUP/VERSION/RESOURCE`)
 * @returns stored forms in kube-apiserver's order of creation
 */
export function compileBootstrapObjects(
  collections: Record<string, (Pick<KubeObject, 'metadata'> & Record<string, unknown>)[]>,
  discovery: Discovered[],
  model: TypeModel = builtinModel(),
): { path: string; object: KubeObject }[] {
  return Object.entries(collections)
    .flatMap(([path, objects]) => {
      const [, first = '', second = '', third = ''] = path.split('/')
      const [group, version, resource] = third === '' ? ['', first, second] : [first, second, third]
      const kind = kindOf(discovery, group, version, resource)
      const type = model.byKind(group, version, kind)
      if (type === undefined) throw new Error(`no type of ${path}`)
      const apiVersion = group === '' ? version : `${group}/${version}`
      return objects.map((object) => {
        const timeless = JSON.parse(JSON.stringify(object), (key, value) =>
          isTime(key, value) ? momentLike(value) : isDay(key, value) ? DAY : value,
        ) as typeof object
        const stored = {
          ...timeless,
          kind,
          apiVersion,
          metadata: {
            ...timeless.metadata,
            uid: '-',
            resourceVersion: '0',
            creationTimestamp: MOMENT,
          },
        }
        return {
          path,
          object: canonicalize(type, stored),
          order: Number(object.metadata.resourceVersion),
        }
      })
    })
    .sort((a, b) => a.order - b.order)
    .map(({ path, object }) => ({ path, object }))
}

const isTime = (key: string, value: unknown): boolean =>
  /(?:T|t)ime(?:stamp)?$/.test(key) && typeof value === 'string'

const momentLike = (value: string): string => (value.includes('.') ? MICRO_MOMENT : MOMENT)

const isDay = (key: string, value: unknown): boolean => key === 'since' && typeof value === 'string'

function kindOf(discovery: Discovered[], group: string, version: string, resource: string): string {
  const found = discovery
    .find(({ metadata }) => (metadata.name ?? '') === group)
    ?.versions.find((one) => one.version === version)
    ?.resources.find((one) => one.resource === resource)
  if (found === undefined) throw new Error(`${group}/${version} has no ${resource}`)
  return found.responseKind.kind
}

/** Objects that a real server took, one collection each: what generated objects grow from. */
import { isJsonObject, type JsonObject } from '../../src/engine/core/object'
import { FOLDERS, readRecordings, recordingFiles } from '../conformance/recording-files'

export interface Seed {
  /** Where it is created: `/api/v1/namespaces/generated/pods`. */
  collection: string
  object: JsonObject
}

export const NAMESPACE = 'generated'

/** Bodies that make other objects, or none. */
const OTHERS =
  /reviews$|\/bindings$|\/customresourcedefinitions$|\/apiservices$|\/namespaces$|\/(?:mutating|validating)\w+$/

/** Recorded creates of built-in kinds with response 201, each body once. */
export function recordedSeeds(): Seed[] {
  const seeds = new Map<string, Seed>()
  for (const file of FOLDERS.slice(0, 2).flatMap((folder) => recordingFiles(folder))) {
    for (const { steps } of readRecordings(file)) {
      for (const { request, response } of steps) {
        const seed =
          request?.method === 'POST' && response.status === 201
            ? seedOf(request.path, request.body ?? '')
            : undefined
        if (seed !== undefined) seeds.set(JSON.stringify(seed), seed)
      }
    }
  }
  return [...seeds.values()]
}

function seedOf(path: string, body: string): Seed | undefined {
  const [target = ''] = path.split('?')
  const [, ofNamespace, , resource] =
    /^(\/api\/v1|\/apis\/[^/]+\.k8s\.io\/[^/]+|\/apis\/\w+\/[^/]+)(\/namespaces\/[^/]+)?\/([^/]+)$/.exec(
      target,
    ) ?? []
  if (ofNamespace === undefined || resource === undefined || OTHERS.test(target)) return undefined
  // Bodies that test the limits of depth and length are not useful objects.
  if (body.length > 20_000 || /(?:\[|\{"a":){50}/.test(body)) return undefined
  const object = parsed(body.replaceAll('{{ns}}', NAMESPACE))
  if (
    object === undefined ||
    !isText(object.kind) ||
    !isText(object.apiVersion) ||
    !isJsonObject(object.metadata)
  )
    return undefined
  const { name, labels, annotations } = object.metadata
  const metadata = {
    ...(name ? { name } : {}),
    ...(labels ? { labels } : {}),
    ...(annotations ? { annotations } : {}),
  }
  return {
    collection: target.replace(/\/namespaces\/[^/]+\//, `/namespaces/${NAMESPACE}/`),
    object: { ...object, metadata },
  }
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== ''

function parsed(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

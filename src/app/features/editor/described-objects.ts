import { isJsonObject } from '../../../engine/core/object'
import { resourceOfKind, type ServedResource } from '../../state/discovery'
import { locate, manifestSteps } from '../manifests/documents'

/** Where an object is described, and which. */
export interface DescribedObject {
  line: number
  resource: ServedResource
  namespace: string
  name: string
}

/** Leaves out documents without a name or of unknown kinds. Yields after each document. */
export function* describedIn(
  text: string,
  resources: readonly ServedResource[],
): Generator<undefined, DescribedObject[]> {
  const { documents, lines } = yield* manifestSteps(text)
  return documents.flatMap((document) => {
    const { apiVersion, kind, metadata } = document.value
    if (typeof apiVersion !== 'string' || typeof kind !== 'string' || !isJsonObject(metadata))
      return []
    const resource = resourceOfKind(resources, apiVersion, kind)
    const { name, namespace = 'default' } = metadata
    if (resource === undefined || typeof name !== 'string') return []
    const at = locate(document, 'kind')
    return [
      {
        line: at === undefined ? document.line : lines.linePos(at[0]).line,
        resource,
        namespace: resource.namespaced ? String(namespace) : '',
        name,
      },
    ]
  })
}

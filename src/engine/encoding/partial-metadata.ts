/** Objects and lists reduced to their metadata (recorded). */
import { GROUP } from '../names'
import { apiVersionOf, type JsonObject, type KubeObject } from '../object'

/** Version of the group that Tables and metadata-only objects belong to: the one the client named. */
export type MetaVersion = 'v1' | 'v1beta1'

export function partialObjectMetadata(object: KubeObject, version: MetaVersion = 'v1'): KubeObject {
  return { kind: 'PartialObjectMetadata', apiVersion: apiVersionOf(GROUP.meta, version), metadata: object.metadata }
}

/** A list of them. An empty one has `items: null`. */
export function partialObjectMetadataList(objects: KubeObject[], listMeta: JsonObject, version: MetaVersion = 'v1'): JsonObject {
  const items = objects.map((object) => partialObjectMetadata(object, version))
  return {
    kind: 'PartialObjectMetadataList',
    apiVersion: apiVersionOf(GROUP.meta, version),
    metadata: listMeta,
    items: items.length === 0 ? null : (items as unknown as JsonObject[]),
  }
}

/**
 * PartialObjectMetadata, which has only the metadata of an object. Recorded from kube-apiserver
 * 1.31.
 */
import { GROUP } from '../core/names'
import {
  apiVersionOf,
  entryOf,
  type JsonObject,
  type KubeObject,
  type ObjectMeta,
} from '../core/object'
import { ROUND_TRIP_ANNOTATIONS } from '../releases/conversions/autoscaler-annotations'
import { builtinModel } from '../schema/builtin'
import { canonicalValue } from '../schema/canonical'
import type { TypeNode } from '../schema/model'

export type MetaVersion = 'v1' | 'v1beta1'

/** Fields of the internal object, so only its versions show them (recording `wire-table`). */
const FIELDS_MEANWHILE: Record<string, readonly string[]> = {
  DaemonSet: ['deprecated.daemonset.template.generation'],
  HorizontalPodAutoscaler: ROUND_TRIP_ANNOTATIONS,
}

const metadataType = (): TypeNode =>
  builtinModel().byName('io.k8s.apimachinery.pkg.apis.meta.v1.ObjectMeta') as TypeNode

/** In the order of built-in objects, even for custom resources. */
export function metadataAlone({ kind, metadata: own }: KubeObject): ObjectMeta {
  const metadata = canonicalValue(
    metadataType(),
    own as unknown as JsonObject,
  ) as unknown as ObjectMeta
  const hidden = entryOf(FIELDS_MEANWHILE, kind)
  const { annotations: shown, ...rest } = metadata
  if (
    hidden === undefined ||
    shown === undefined ||
    !hidden.some((name) => entryOf(shown, name) !== undefined)
  )
    return metadata
  const kept = Object.entries(shown).filter(([name]) => !hidden.includes(name))
  return kept.length === 0 ? rest : { ...metadata, annotations: Object.fromEntries(kept) }
}

export function partialObjectMetadata(object: KubeObject, version: MetaVersion = 'v1'): KubeObject {
  return {
    kind: 'PartialObjectMetadata',
    apiVersion: apiVersionOf(GROUP.meta, version),
    metadata: metadataAlone(object),
  }
}

/** An empty list has `items: null`. */
export function partialObjectMetadataList(
  objects: KubeObject[],
  listMeta: JsonObject,
  version: MetaVersion = 'v1',
): JsonObject {
  const items = objects.map((object) => partialObjectMetadata(object, version))
  return {
    kind: 'PartialObjectMetadataList',
    apiVersion: apiVersionOf(GROUP.meta, version),
    metadata: listMeta,
    items: items.length === 0 ? null : (items as unknown as JsonObject[]),
  }
}

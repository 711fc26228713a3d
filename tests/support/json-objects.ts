/** Typed values as the engine takes them: interfaces without index signatures, such as `Pod`. */
import type { Json, JsonObject, KubeObject } from '../../src/engine/core/object'

export const kubeObject = (value: object): KubeObject => value as KubeObject

/** A Table, as clients read it. */
export interface TableDocument {
  apiVersion: string
  metadata: { resourceVersion: string }
  columnDefinitions: { name: string }[] | null
  rows: { cells: Json[]; conditions?: JsonObject[]; object: KubeObject | null }[] | null
}

export const tableDocument = (value: object): TableDocument => value as TableDocument

export const jsonObject = (value: object): JsonObject => value as JsonObject

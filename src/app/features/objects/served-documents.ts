import type { JsonObject } from '../../../engine/core/object'
import { get } from '../../state/client'
import { openApiDocuments } from './openapi-documents'

const documents = openApiDocuments(
  (path) => get<JsonObject>(path),
  () => performance.now(),
)

/** @returns undefined if the server publishes none or denies access */
export const documentOf = (apiVersion: string): Promise<JsonObject | undefined> =>
  documents.of(apiVersion)

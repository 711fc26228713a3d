/** Caches documents while their hash stays the same. */
import { entryOf, isJsonObject, type JsonObject } from '../../../engine/core/object'
import { openApiPath } from './custom-types'

/** Rejects on an error status. */
export type Read = (path: string) => Promise<JsonObject>

/** Completion requests the list of documents with every key. */
const FRESH_MILLISECONDS = 1000

export interface OpenApiDocuments {
  /**
   * @returns undefined if the server publishes none or denies access. The URL contains a hash, so a
   * changed document has another URL.
   */
  of(apiVersion: string): Promise<JsonObject | undefined>
}

/** @param now milliseconds of a monotonic clock */
export function openApiDocuments(read: Read, now: () => number): OpenApiDocuments {
  const documents = new Map<
    string,
    { address: string; document: Promise<JsonObject | undefined> }
  >()
  let list: { at: number; response: Promise<JsonObject | undefined> } | undefined

  const readList = (): Promise<JsonObject | undefined> => {
    if (list === undefined || now() - list.at > FRESH_MILLISECONDS)
      list = { at: now(), response: read('/openapi/v3').catch(() => undefined) }
    return list.response
  }

  return {
    async of(apiVersion) {
      const address = addressIn(await readList(), apiVersion)
      if (address === undefined) return undefined
      const known = documents.get(apiVersion)
      if (known?.address === address) return known.document
      const document = read(address).catch(() => {
        documents.delete(apiVersion)
        return undefined
      })
      documents.set(apiVersion, { address, document })
      return document
    },
  }
}

/** `{"paths":{"apis/apps/v1":{"serverRelativeURL":"/openapi/v3/apis/apps/v1?hash=…"}}}` */
function addressIn(list: JsonObject | undefined, apiVersion: string): string | undefined {
  const paths = list && entryOf(list, 'paths')
  const entry = isJsonObject(paths)
    ? entryOf(paths, openApiPath(apiVersion).replace('/openapi/v3/', ''))
    : undefined
  return isJsonObject(entry) && typeof entry.serverRelativeURL === 'string'
    ? entry.serverRelativeURL
    : undefined
}

/** OpenAPI v3 documents of group versions, kept for as long as the server publishes the same one. */
import { entryOf, isJsonObject, type JsonObject } from '../../../engine/core/object'
import { openApiPath } from './custom-types'

/** Reads a path of the server. Rejects on an error status. */
export type Read = (path: string) => Promise<JsonObject>

/** How long the list of documents is cached: completion requests it with every key. */
const FRESH_MILLISECONDS = 1000

export interface OpenApiDocuments {
  /**
   * Returns the document of a version, `apps/v1` or `v1`; undefined if the server publishes none or
   * denies access. The URL in `/openapi/v3` contains a hash of the document, so a changed document
   * has another URL.
   */
  of(apiVersion: string): Promise<JsonObject | undefined>
}

/** @param now milliseconds of a clock that never goes back */
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
        // The next question tries again.
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

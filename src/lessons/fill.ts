import { isJsonObject, type JsonObject } from '../engine/core/object'

/**
 * @param text `{{resourceVersion PATH}}` is the version of the object or list at PATH, `{{continue
 * PATH}}` the token of a list
 * @param get reads a path; undefined if it does not exist
 */
export async function filled(
  text: string,
  get: (path: string) => Promise<JsonObject | undefined>,
): Promise<string> {
  let result = text
  for (const [mark, member = '', path = ''] of text.matchAll(
    /\{\{(resourceVersion|continue) ([^}]+)\}\}/g,
  )) {
    const found = await get(path)
    const value = isJsonObject(found?.metadata) ? found.metadata[member] : undefined
    result = result.replace(mark, encodeURIComponent(String(value ?? '')))
  }
  return result
}

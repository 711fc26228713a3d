import { entryOf, isJsonObject, type JsonObject } from '../engine/core/object'

/**
 * @param text `{{resourceVersion PATH}}` is the version of the object or list at PATH, `{{continue
 * PATH}}` the token of a list, `{{secret PATH KEY}}` a value of the Secret at PATH, decoded
 * @param get reads a path; undefined if it does not exist
 */
export async function filled(
  text: string,
  get: (path: string) => Promise<JsonObject | undefined>,
): Promise<string> {
  let result = text
  for (const [mark, path = '', key = ''] of text.matchAll(/\{\{secret ([^ }]+) ([^ }]+)\}\}/g)) {
    const { data } = (await get(path)) ?? {}
    const value = isJsonObject(data) ? entryOf(data, key) : undefined
    result = result.replace(mark, encodeURIComponent(decoded(String(value ?? ''))))
  }
  for (const [mark, member = '', path = ''] of text.matchAll(
    /\{\{(resourceVersion|continue) ([^}]+)\}\}/g,
  )) {
    const found = await get(path)
    const value = isJsonObject(found?.metadata) ? found.metadata[member] : undefined
    result = result.replace(mark, encodeURIComponent(String(value ?? '')))
  }
  return result
}

function decoded(base64: string): string {
  try {
    return atob(base64)
  } catch {
    return ''
  }
}

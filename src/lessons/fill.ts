/** What stands in a move for something that is only known when it is sent. */
import { isJsonObject, type JsonObject } from '../engine/object'

/**
 * @param text in which `{{resourceVersion PATH}}` stands for the version of the object or list there, `{{continue PATH}}` for a list's token
 * @param get reads what is at a path; undefined if there is nothing
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

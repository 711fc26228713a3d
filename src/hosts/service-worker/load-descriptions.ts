/** A worker cannot import modules at run time: the descriptions lie beside it as a file, read when OpenAPI is first asked for. */
import type * as Descriptions from '../../engine/facts/descriptions'

export async function loadDescriptions(): Promise<typeof Descriptions> {
  const response = await fetch(new URL('descriptions.json', location.href))
  if (!response.ok) throw new Error(`descriptions.json could not be read (HTTP ${response.status}): the page's files are incomplete`)
  return response.json()
}

/**
 * Replaces engine/generated/load-descriptions.ts: a worker cannot import modules at run time. Loads
 * a separate file on the first OpenAPI request.
 */
import { fetchPlain } from './page-files'

export async function loadDescriptions(): Promise<unknown> {
  const response = await fetchPlain('descriptions.json')
  if (!response.ok)
    throw new Error(
      `descriptions.json could not be read (HTTP ${response.status}): the page's files are incomplete`,
    )
  return response.json()
}

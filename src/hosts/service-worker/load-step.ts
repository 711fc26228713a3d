/**
 * Stands in for engine/release-tables/load-step.ts in the worker's bundle. A worker cannot import modules at run time: what a
 * release has otherwise lies beside it as a file, read when a server is to answer as that release.
 */
import type { Step } from '../../engine/release-tables/tables'
import { fetchPlain } from './page-files'

export async function loadStep(release: string): Promise<Step> {
  const name = `release-${release}.json`
  const response = await fetchPlain(name)
  if (!response.ok)
    throw new Error(
      `${name} could not be read (HTTP ${response.status}): the page's files are incomplete`,
    )
  return (await response.json()) as Step
}

/**
 * Replaces engine/release-tables/load-step.ts: a worker cannot import modules at run time. Loads a
 * release's tables from a separate file on first use.
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

/** Uses temporary servers of two releases with copies of the cluster. */
import type { Release } from '../../../engine/releases'
import { type CopiedRequest, respondInBoth } from '../../../hosts/shared/release-copy'
import { clusterNow } from '../../state/clock'
import { exportRows } from '../share/cluster'
import { type Comparison, compared } from './compared'

/** @throws Error if the cluster cannot be read or a server does not start */
export async function compareReleasesFor(
  request: CopiedRequest,
  releases: readonly [Release, Release],
): Promise<Comparison> {
  const rows = await exportRows()
  return compared(...(await respondInBoth(releases, rows, request, clusterNow())))
}

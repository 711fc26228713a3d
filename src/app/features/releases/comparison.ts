/** Uses temporary servers with copies of the sides' clusters. */
import type { Release } from '../../../engine/releases'
import {
  type CopiedRequest,
  type CopiedSide,
  respondInBoth,
} from '../../../hosts/shared/release-copy'
import { type Actor, useActors } from '../../state/actors'
import { clusterNow } from '../../state/clock'
import { exportRows, settingsOf } from '../share/cluster'
import { type Comparison, compared } from './compared'
import type { Draft, Side } from './comparison-state'
import { gatesIn } from './gates'

/** @throws Error if a cluster cannot be read or a server does not start */
export async function compareSides(
  sides: readonly [Side, Side],
  draft: Draft,
): Promise<Comparison> {
  const copies: [CopiedSide, CopiedSide] = [
    await copyOf(sides[0], draft.who),
    await copyOf(sides[1], draft.who),
  ]
  return compared(...(await respondInBoth(copies, requestOf(draft), clusterNow())))
}

async function copyOf(
  { workspace, release, user, gates }: Side,
  who: string | undefined,
): Promise<CopiedSide> {
  const { actors, actor } = useActors.getState()
  const { name, groups }: Actor = actors.find((one) => one.name === (user ?? who)) ?? actor
  const featureGates = gatesIn(gates)
  return {
    release: release ?? (await releaseOf(workspace)),
    rows: await exportRows(workspace),
    user: { name, groups },
    ...(Object.keys(featureGates).length > 0 && { featureGates }),
  }
}

const releaseOf = async (workspace: string): Promise<Release> =>
  (await settingsOf(workspace)).release

function requestOf({ method, path, body, contentType }: Draft): CopiedRequest {
  return { method, path, ...(method === 'GET' || body === '' ? {} : { body, contentType }) }
}

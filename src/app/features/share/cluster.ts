import type { KubeObject } from '../../../engine/core/object'
import type { Change, ChannelRequests, ClockState } from '../../../hosts/shared/channel'
import { type EngineSettings, settingsFrom } from '../../../hosts/shared/engine-settings'
import type { StoredRow } from '../../../hosts/shared/snapshots'
import { useCluster } from '../../state/cluster'
import { useConnection } from '../../state/connection'
import { useDiscovery } from '../../state/discovery'
import { useSettings } from '../../state/settings'
import { WORKSPACE } from '../../state/workspace'
import { ACTIONS } from './texts'

function channel(workspace = WORKSPACE) {
  const { connection } = useConnection.getState()
  if (connection === undefined) throw new Error(ACTIONS.notStarted)
  return workspace === WORKSPACE ? connection.channel : connection.channelTo(workspace)
}

/** @throws Error if there is no server, or it cannot read its store */
export async function exportObjects(workspace = WORKSPACE): Promise<KubeObject[]> {
  return (await channel(workspace).request('export', undefined)).objects
}

export async function exportRows(workspace = WORKSPACE): Promise<StoredRow[]> {
  const { objects, keys } = await channel(workspace).request('export', undefined)
  return objects.map((object, index) => ({ key: keys[index] ?? '', object }))
}

export async function settingsOf(workspace = WORKSPACE): Promise<EngineSettings> {
  return channel(workspace).request('settings', undefined)
}

/** @throws Error if the revision is compacted */
export async function objectsAt(revision: number): Promise<KubeObject[]> {
  return (await channel().request('moment', { revision })).objects
}

export interface Circumstances {
  changes: Change[]
  clock: ClockState
  settings: EngineSettings
}

export async function circumstances(): Promise<Circumstances> {
  const host = channel()
  const [timeline, clock, settings] = await Promise.all([
    host.request('timeline', { after: 0 }),
    host.request('clock', undefined),
    host.request('settings', undefined),
  ])
  return { changes: timeline.changes, clock, settings: settingsFrom(settings) }
}

/** Replaces all objects, then creates missing initial objects. */
export async function importObjects(
  objects: KubeObject[],
  rest: Omit<ChannelRequests['import']['request'], 'objects'> = {},
): Promise<void> {
  await channel().request('import', { objects, ...rest })
  if (rest.settings) await useSettings.getState().load()
  await restartFollowing()
}

export async function resetCluster(): Promise<void> {
  await channel().request('reset', undefined)
  await restartFollowing()
}

async function restartFollowing(): Promise<void> {
  useCluster.setState({ revision: 0 })
  await useDiscovery.getState().load()
  useCluster.getState().follow()
}

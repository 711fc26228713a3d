import type { Release } from '../../../engine/releases/release'
import type { KeptSnapshot } from '../../../hosts/shared/channel'
import { useCluster } from '../../state/cluster'
import { useConnection } from '../../state/connection'
import { useDiscovery } from '../../state/discovery'
import { useSettings } from '../../state/settings'
import { notify } from '../../state/view'
import { CHANGE } from './texts'

/** @returns whether the cluster runs the release; an error is shown */
export async function changeRelease(release: Release): Promise<boolean> {
  const { done } = await useSettings.getState().change({ release })
  if (done) notify(CHANGE.changed(release))
  return done
}

/** The state before the last change; undefined if there was none. */
export async function keptSnapshot(): Promise<KeptSnapshot | undefined> {
  const { connection } = useConnection.getState()
  return connection?.channel.request('snapshot', undefined)
}

export async function restoreSnapshot(): Promise<void> {
  const { connection } = useConnection.getState()
  if (!connection) return
  try {
    const settings = await connection.channel.request('restore', undefined)
    useSettings.setState({ settings })
    useCluster.setState({ revision: 0 })
    await useDiscovery.getState().load()
    useCluster.getState().follow()
    notify(CHANGE.restored(settings.release))
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    notify(CHANGE.notRestored(reason), 'bad')
  }
}

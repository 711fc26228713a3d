/** The cluster as a whole, through the host's channel: read, replaced, reset. */
import type { KubeObject } from '../../engine/object'
import { useCluster } from '../state/cluster'
import { useConnection } from '../state/connection'
import { useDiscovery } from '../state/discovery'

function channel() {
  const { connection } = useConnection.getState()
  if (connection === undefined) throw new Error('the API server has not started yet')
  return connection.channel
}

/** @throws Error if there is no server, or it cannot read its store */
export async function exportObjects(): Promise<KubeObject[]> {
  return (await channel().request('export', undefined)).objects
}

/** Replaces everything; what every server has by itself is made again if it is missing. */
export async function importObjects(objects: KubeObject[]): Promise<void> {
  await channel().request('import', { objects })
  await followAnew()
}

export async function resetCluster(): Promise<void> {
  await channel().request('reset', undefined)
  await followAnew()
}

async function followAnew(): Promise<void> {
  useCluster.setState({ revision: 0 })
  await useDiscovery.getState().load()
  useCluster.getState().follow()
}

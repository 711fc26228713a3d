/**
 * Storage capacity, for volumes that do not exist yet.
 * https://kubernetes.io/docs/concepts/storage/storage-capacity/
 */
import { compareQuantities, parseQuantity } from '../../schema/quantity'
import { matchesLabels } from '../../selectors/labels'
import { requirementsOf } from '../shared/selectors'
import { type Claim, classOf } from '../volumes/matching'
import type { Cluster, NodeState } from './cluster'

export function hasRoom(cluster: Cluster, claim: Claim, { node }: NodeState): boolean {
  const wanted = claim.spec?.resources?.requests?.storage
  const storageClass = classOf(claim)
  const driver = cluster.drivers.get(cluster.classes.get(storageClass)?.provisioner ?? '')
  if (wanted === undefined || !driver?.spec.storageCapacity) return true
  return [...cluster.capacities.list()].some(
    ({ storageClassName, nodeTopology, capacity, maximumVolumeSize }) => {
      const topology = requirementsOf(nodeTopology)
      const most = maximumVolumeSize ?? capacity
      if (storageClassName !== storageClass || topology === undefined || most === undefined)
        return false
      return (
        matchesLabels(topology, node.metadata.labels) &&
        compareQuantities(parseQuantity(most), parseQuantity(wanted)) >= 0
      )
    },
  )
}

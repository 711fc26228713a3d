import type { Family } from '../validation/addresses'

/** `--service-node-port-range`; both ends included. */
export interface PortRange {
  first: number
  last: number
}

/** `--service-cluster-ip-range`. */
export interface ServiceRange {
  family: Family
  text: string
}

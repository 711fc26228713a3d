import type { Family } from '../validation/addresses'

/** `--service-node-port-range`; both ends are included. */
export interface PortRange {
  first: number
  last: number
}

/** `--service-cluster-ip-range`: one range, or one per address family. */
export interface ServiceRange {
  family: Family
  /** `10.96.0.0/16` */
  text: string
}

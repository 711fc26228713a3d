/**
 * A server that does not renew for 15 seconds counts as stopped, as with `masterleases` in
 * k8s.io/kubernetes/pkg/controlplane/reconcilers.
 */

import { timestamp } from '../core/environment'
import type { KubeObject } from '../core/object'
import type { Engine } from '../registry/engine'

const STORED_AT = '/kubetab/api-servers/'
const LEASE_MILLISECONDS = 15_000

export interface ServerLease {
  renew(engine: Engine, address: string): Promise<void>
  end(engine: Engine, address: string): Promise<void>
}

export const sharedLease: ServerLease = {
  async renew({ storage, clock }, address) {
    const key = STORED_AT + address
    const object: KubeObject = {
      kind: 'Lease',
      apiVersion: 'kubetab/v1',
      metadata: { name: address, resourceVersion: '0' },
      spec: { renewTime: timestamp(clock.now()) },
    }
    const revision = (await storage.get(key))?.revision ?? 0
    await storage.transaction([{ key, revision }], [{ type: 'put', key, object }])
  },
  async end({ storage }, address) {
    const key = STORED_AT + address
    const stored = await storage.get(key)
    if (stored !== undefined)
      await storage.transaction([{ key, revision: stored.revision }], [{ type: 'delete', key }])
  },
}

/** @returns sorted addresses */
export async function liveAddresses({ storage, clock }: Engine): Promise<string[]> {
  const { items } = await storage.range(STORED_AT)
  const since = clock.now() - LEASE_MILLISECONDS
  return items.flatMap(({ object: { metadata, spec } }) => {
    const { renewTime = '' } = (spec ?? {}) as { renewTime?: string }
    return Date.parse(renewTime) >= since ? [metadata.name ?? ''] : []
  })
}

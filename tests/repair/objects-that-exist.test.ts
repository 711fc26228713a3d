/** Namespaces that are missing, and objects that exist already. */
import { describe, expect, it } from 'vitest'
import type { Cluster } from '../support/cluster'
import { configMap } from '../support/server'
import { expectRepairs, send } from './support'

const nothing = async (): Promise<void> => undefined
const MAPS = '/api/v1/namespaces/default/configmaps'

const createMap = (name: string, data: Record<string, string>) => (cluster: Cluster) =>
  send(cluster, { method: 'POST', path: MAPS, body: configMap(name, data) }).then(() => undefined)

const POD = {
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'web' },
  spec: { containers: [{ name: 'web', image: 'nginx' }] },
}

describe('a missing namespace', () => {
  it.each([
    ['configmaps', configMap('a')],
    // Needs the default service account of the new namespace.
    ['pods', POD],
  ])('is created for %s', async (resource, body) => {
    const path = `/api/v1/namespaces/shop/${resource}`
    const [repair] = await expectRepairs(nothing, { method: 'POST', path, body }, [
      'CreateNamespace',
    ])
    expect(repair?.title).toBe('Create namespace "shop"')
  })
})

describe('an object that exists', () => {
  const rejected = { method: 'POST', path: MAPS, body: configMap('settings', { b: '2' }) }

  it('is applied to or replaced', async () => {
    const [apply, replace] = await expectRepairs(createMap('settings', { a: '1' }), rejected, [
      'ApplyInsteadOfCreate',
      'ReplaceInsteadOfCreate',
    ])
    expect(apply?.request).toMatchObject({
      method: 'PATCH',
      path: `${MAPS}/settings?fieldManager=kubectl`,
      contentType: 'application/apply-patch+yaml',
    })
    expect(replace?.request).toMatchObject({ method: 'PUT', path: `${MAPS}/settings` })
  })

  it('is taken over if another manager owns the field', async () => {
    const [apply] = await expectRepairs(createMap('settings', { b: '1' }), rejected, [
      'ApplyInsteadOfCreate',
      'ReplaceInsteadOfCreate',
    ])
    expect(apply?.title).toBe(
      'Apply to the existing "settings", then leave the field to the other manager',
    )
  })
})

import { describe, expect, it } from 'vitest'
import { type Cluster, deployment } from '../support/cluster'
import { configMap } from '../support/server'
import { APPLY, carryOut, expectRepairs, repairCluster, review, send } from './support'

const WEB = '/apis/apps/v1/namespaces/default/deployments/web'
const MAPS = '/api/v1/namespaces/default/configmaps'

async function applied(cluster: Cluster): Promise<void> {
  await send(cluster, {
    method: 'PATCH',
    path: `${WEB}?fieldManager=first`,
    contentType: APPLY,
    body: deployment('web', 2),
  })
}

describe('a field of another manager', () => {
  it('is left out, or taken over', async () => {
    const rejected = {
      method: 'PATCH',
      path: `${WEB}?fieldManager=second`,
      contentType: APPLY,
      body: deployment('web', 5),
    }
    const [release, force] = await expectRepairs(applied, rejected, [
      'ReleaseFields',
      'ForceConflicts',
    ])
    expect(release?.edits).toEqual([{ place: ['spec', 'replicas'] }])
    expect(force?.request.path).toBe(`${WEB}?fieldManager=second&force=true`)
  })

  it('is found in a list by its key', async () => {
    const body = deployment('web', 2)
    body.spec.template.spec.containers = [{ name: 'c', image: 'img:2' }]
    const rejected = {
      method: 'PATCH',
      path: `${WEB}?fieldManager=second`,
      contentType: APPLY,
      body,
    }
    const [release] = await expectRepairs(applied, rejected, ['ReleaseFields', 'ForceConflicts'])
    expect(release?.edits).toEqual([
      { place: ['spec', 'template', 'spec', 'containers', 0, 'image'] },
    ])
  })
})

describe('a stale version', () => {
  async function updateOf(cluster: Cluster, ours: object, theirs: object) {
    const path = `${MAPS}/settings`
    const created = await send(cluster, {
      method: 'POST',
      path: MAPS,
      body: configMap('settings', { a: '1', b: '1' }),
    })
    await send(cluster, {
      method: 'PATCH',
      path,
      contentType: 'application/merge-patch+json',
      body: { data: theirs },
    })
    const body = { ...created.json, data: { ...created.json.data, ...ours } }
    return { method: 'PUT', path, body }
  }

  it('is read again, and both changes are kept', async () => {
    const cluster = await repairCluster()
    const rejected = await updateOf(cluster, { a: 'ours' }, { b: 'theirs' })
    expect((await send(cluster, rejected)).status).toBe(409)
    const { repairs } = await review(cluster, rejected)
    expect(repairs.map(({ kind }) => kind)).toEqual(['ReapplyChange'])
    const response = await carryOut(cluster, repairs[0] as (typeof repairs)[number])
    expect(response.json.data).toEqual({ a: 'ours', b: 'theirs' })
    await cluster.close()
  })

  it('is not repaired if both changed the same field', async () => {
    const cluster = await repairCluster()
    const rejected = await updateOf(cluster, { a: 'ours' }, { a: 'theirs' })
    expect((await review(cluster, rejected)).repairs).toEqual([])
    await cluster.close()
  })

  it('of a precondition becomes the current one', async () => {
    const prepare = async (cluster: Cluster) => {
      await send(cluster, { method: 'POST', path: MAPS, body: configMap('settings') })
    }
    const body = {
      apiVersion: 'v1',
      kind: 'DeleteOptions',
      preconditions: { resourceVersion: '1' },
    }
    const rejected = { method: 'DELETE', path: `${MAPS}/settings`, body }
    await expectRepairs(prepare, rejected, ['ReapplyChange'])
  })

  it('of a patch becomes the current one', async () => {
    const prepare = async (cluster: Cluster) => {
      await send(cluster, { method: 'POST', path: MAPS, body: configMap('settings') })
    }
    const rejected = {
      method: 'PATCH',
      path: `${MAPS}/settings`,
      contentType: 'application/merge-patch+json',
      body: { metadata: { resourceVersion: '1' }, data: { a: '1' } },
    }
    await expectRepairs(prepare, rejected, ['ReapplyChange'])
  })
})

/** Several headless servers over one etcd, as clients see them. */

import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { hasEtcd } from '../../scripts/find-etcd'
import { Etcd } from './etcd'
import {
  end,
  type Host,
  sendRequest,
  startHost,
  startHosts,
  type TestResponse,
  watch,
} from './hosts'

const CONFIG_MAPS = '/api/v1/namespaces/default/configmaps'
const configMap = (name: string, value: string) => ({
  kind: 'ConfigMap',
  apiVersion: 'v1',
  metadata: { name },
  data: { value },
})
const LEASE = '/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/kube-controller-manager'

describe.runIf(hasEtcd())('three hosts over one etcd', () => {
  let etcd: Etcd
  let hosts: Host[]
  const host = (index: number) => hosts[index] as Host

  beforeAll(async () => {
    etcd = await Etcd.start()
    hosts = await startHosts(3, etcd.url)
    // Background initialization of the API starts after the first response.
    for (const one of hosts) await sendRequest(one, 'GET', '/api/v1/namespaces')
  })

  afterAll(async () => {
    await Promise.all(hosts.map((one) => end(one)))
    await etcd.remove()
  })

  it('create default objects once', async () => {
    const lists = await Promise.all(
      hosts.map((one) => sendRequest(one, 'GET', '/api/v1/namespaces')),
    )
    const uids = lists.map(({ body }) =>
      (body.items as unknown as TestResponse['body'][]).map(({ metadata }) => metadata.uid),
    )
    expect(uids[0]).toHaveLength(4)
    expect([uids[1], uids[2]]).toEqual([uids[0], uids[0]])
  })

  it('serve at each host what any has acknowledged: objects, CRDs, RBAC, tokens', async () => {
    for (let i = 0; i < 30; i++) {
      const made = await sendRequest(
        host(i % 3),
        'POST',
        CONFIG_MAPS,
        configMap(`seen-${i}`, String(i)),
      )
      expect(made.status).toBe(201)
      const read = await sendRequest(host((i + 1) % 3), 'GET', `${CONFIG_MAPS}/seen-${i}`)
      expect([read.status, read.body.metadata.resourceVersion]).toEqual([
        200,
        made.body.metadata.resourceVersion,
      ])
      const update = {
        ...configMap(`seen-${i}`, 'changed'),
        metadata: { name: `seen-${i}`, resourceVersion: read.body.metadata.resourceVersion },
      }
      expect(
        (await sendRequest(host((i + 2) % 3), 'PUT', `${CONFIG_MAPS}/seen-${i}`, update)).status,
      ).toBe(200)
      expect(
        (await sendRequest(host(i % 3), 'PUT', `${CONFIG_MAPS}/seen-${i}`, update)).status,
      ).toBe(409)
    }
    const token = await sendRequest(
      host(0),
      'POST',
      '/api/v1/namespaces/default/serviceaccounts/default/token',
      {
        kind: 'TokenRequest',
        apiVersion: 'authentication.k8s.io/v1',
        spec: {},
      },
    )
    const review = {
      kind: 'TokenReview',
      apiVersion: 'authentication.k8s.io/v1',
      spec: { token: (token.body.status as { token?: string })?.token },
    }
    const reviewed = await sendRequest(
      host(1),
      'POST',
      '/apis/authentication.k8s.io/v1/tokenreviews',
      review,
    )
    expect(reviewed.body.status).toMatchObject({
      authenticated: true,
      user: { username: 'system:serviceaccount:default:default' },
    })
  })

  it('allocate each node port and cluster IP once', async () => {
    const service = (name: string, ports: object, spec: object = {}) => ({
      kind: 'Service',
      apiVersion: 'v1',
      metadata: { name },
      spec: { type: 'NodePort', ports: [{ port: 80, ...ports }], ...spec },
    })
    const path = '/api/v1/namespaces/default/services'
    const same = await Promise.all(
      hosts.map((one, i) =>
        sendRequest(one, 'POST', path, service(`same-${i}`, { nodePort: 31_000 })),
      ),
    )
    expect(same.map(({ status }) => status).sort()).toEqual([201, 422, 422])
    const address = { clusterIP: '10.96.77.77' }
    const together = await Promise.all(
      hosts.map((one, i) => sendRequest(one, 'POST', path, service(`address-${i}`, {}, address))),
    )
    expect(together.map(({ status }) => status).sort()).toEqual([201, 422, 422])
    const many = await Promise.all(
      hosts.flatMap((one, i) =>
        Array.from({ length: 10 }, (_, n) =>
          sendRequest(one, 'POST', path, service(`many-${i}-${n}`, {})),
        ),
      ),
    )
    expect(many.every(({ status }) => status === 201)).toBe(true)
    const ports = many.map(
      ({ body }) => ((body.spec?.ports ?? []) as { nodePort: number }[])[0]?.nodePort,
    )
    expect(new Set(ports).size).toBe(30)
  })

  it('run the controllers at one host, and at another after that one stops', async () => {
    const holder = async () =>
      String((await sendRequest(host(2), 'GET', LEASE)).body.spec?.holderIdentity ?? '')
    await expect.poll(holder, { timeout: 5000 }).not.toBe('')
    const path = '/apis/apps/v1/namespaces/default/deployments'
    const template = {
      metadata: { labels: { app: 'a' } },
      spec: { containers: [{ name: 'a', image: 'a' }] },
    }
    const deployment = (name: string) => ({
      kind: 'Deployment',
      apiVersion: 'apps/v1',
      metadata: { name },
      spec: { replicas: 2, selector: { matchLabels: { app: 'a' } }, template },
    })
    const replicas = async (name: string) =>
      (await sendRequest(host(2), 'GET', `${path}/${name}`)).body.status
    await sendRequest(host(2), 'POST', path, deployment('first'))
    await expect.poll(() => replicas('first'), { timeout: 10_000 }).toMatchObject({ replicas: 2 })
    const before = await holder()
    // Either of the first two may be the leader. Both are restarted.
    for (const index of [0, 1]) {
      await end(host(index), 'SIGTERM')
      hosts[index] = await startHost(`host-${index}`, etcd.url)
    }
    await expect.poll(holder, { timeout: 10_000 }).not.toBe('')
    await sendRequest(host(0), 'POST', path, deployment('second'))
    await expect.poll(() => replicas('second'), { timeout: 20_000 }).toMatchObject({ replicas: 2 })
    expect(before).toMatch(/_[0-9a-f-]{36}$/)
  })

  it('resume a watch at another host after a kill, without lost or duplicate events', async () => {
    const { body } = await sendRequest(host(1), 'GET', CONFIG_MAPS)
    let version = body.metadata.resourceVersion ?? ''
    const seen: string[] = []
    let follows = 0
    const done = new AbortController()
    const following = (async () => {
      for (; !done.signal.aborted; follows++) {
        try {
          for await (const { type, object } of watch(
            host(follows),
            `${CONFIG_MAPS}?watch=1&resourceVersion=${version}`,
            done.signal,
          )) {
            version = object.metadata.resourceVersion ?? ''
            seen.push(`${type} ${object.metadata.name}`)
          }
        } catch {
          // The host is down, or the watch is complete.
        }
      }
    })()
    for (let i = 0; i < 60; i++) {
      if (i === 30) void end(host(0))
      await sendRequest(host(1), 'POST', CONFIG_MAPS, configMap(`map-${i}`, '1'))
    }
    await expect.poll(() => seen.length, { timeout: 5000 }).toBe(60)
    done.abort()
    await following
    expect(seen).toEqual(Array.from({ length: 60 }, (_, i) => `ADDED map-${i}`))
    expect(follows).toBeGreaterThan(0)
    hosts[0] = await startHost('host-0', etcd.url)
  })

  it('fail readiness without etcd, and recover on their own', async () => {
    const readyz = async () => (await fetch(`${host(1).url}/readyz`)).status
    expect(await readyz()).toBe(200)
    await etcd.kill()
    await expect.poll(readyz, { timeout: 5000 }).toBe(500)
    expect(await (await fetch(`${host(1).url}/readyz`)).text()).toContain(
      '[-]etcd failed: reason withheld',
    )
    const waiting = sendRequest(host(1), 'POST', CONFIG_MAPS, configMap('patient', '1'))
    await etcd.run()
    expect((await waiting).status).toBe(201)
    await expect.poll(readyz, { timeout: 5000 }).toBe(200)
    expect((await sendRequest(host(2), 'GET', `${CONFIG_MAPS}/patient`)).status).toBe(200)
  })
})

/** Counters of allocated cluster IPs and node ports, by who selected them. */
import { expect, it } from 'vitest'
import { readExposition } from '../support/exposition'
import { sendRequest, testServer } from '../support/server'

const SERVICES = '/api/v1/namespaces/default/services'

it('counts allocations and failures, but no dry run', async () => {
  const server = testServer()
  const before = await counts()
  async function counts() {
    const families = readExposition((await sendRequest(server, { path: '/metrics' })).text)
    const value = (name: string, scope: string) =>
      families
        .find((family) => family.name === name)
        ?.samples.find(({ labels }) => labels.scope === scope)?.value ?? 0
    const of = (allocator: string) =>
      ['static', 'dynamic'].map((scope) => [
        value(`kube_apiserver_${allocator}_allocator_allocation_total`, scope),
        value(`kube_apiserver_${allocator}_allocator_allocation_errors_total`, scope),
      ])
    return [...of('clusterip'), ...of('nodeport')].flat()
  }
  const create = async (name: string, spec: object, query = '') =>
    (
      await sendRequest(server, {
        method: 'POST',
        path: `${SERVICES}${query}`,
        body: { metadata: { name }, spec: { type: 'NodePort', ...spec } },
      })
    ).status
  const port = (nodePort?: number) => ({ ports: [{ port: 80, ...(nodePort && { nodePort }) }] })

  expect(await create('a', port())).toBe(201)
  expect(await create('b', { ...port(30_100), clusterIP: '10.96.0.100' })).toBe(201)
  expect(await create('c', { ...port(), clusterIP: '10.96.0.100' })).toBe(422)
  expect(await create('d', port(30_100))).toBe(422)
  expect(await create('e', port(), '?dryRun=All')).toBe(201)
  expect((await counts()).map((count, i) => count - (before[i] as number))).toEqual([
    ...[1, 1],
    ...[2, 0],
    ...[1, 1],
    ...[1, 0],
  ])
})

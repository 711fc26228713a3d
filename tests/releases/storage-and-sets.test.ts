/** Members and rules of storage kinds and stateful sets that later releases have. */
import { beforeAll, expect, it } from 'vitest'
import { loadTables } from '../../src/engine/release-tables/load-tables'
import { sendRequest, testServer } from '../support/server'

beforeAll(() => loadTables('1.37'))

const SETS = '/apis/apps/v1/namespaces/default/statefulsets'
const set = (spec: object = {}) => ({
  metadata: { name: 'db' },
  spec: {
    serviceName: 'db',
    selector: { matchLabels: { app: 'db' } },
    template: {
      metadata: { labels: { app: 'db' } },
      spec: { containers: [{ name: 'c', image: 'x' }] },
    },
    ...spec,
  },
})

const fieldsOf = (json: { details?: { causes?: { field: string }[] } }) =>
  json.details?.causes?.map(({ field }) => field)

it('each immutable member of a stateful set has an error at 1.37', async () => {
  const change = async (release: string) => {
    const server = testServer({ release })
    await sendRequest(server, { method: 'POST', path: SETS, body: set() })
    const { json } = await sendRequest(server, {
      method: 'PATCH',
      path: `${SETS}/db`,
      headers: { 'content-type': 'application/merge-patch+json' },
      body: { spec: { serviceName: 'other', podManagementPolicy: 'Parallel' } },
    })
    return fieldsOf(json)
  }
  expect(await change('1.35')).toEqual(['spec'])
  expect(await change('1.37')).toEqual(['spec.serviceName', 'spec.podManagementPolicy'])
})

it('claim templates of a new stateful set are validated since 1.35', async () => {
  const create = async (release: string) => {
    const server = testServer({ release })
    const body = set({ volumeClaimTemplates: [{ metadata: { name: 'Bad_Name' }, spec: {} }] })
    return fieldsOf((await sendRequest(server, { method: 'POST', path: SETS, body })).json)
  }
  expect(await create('1.33')).toBeUndefined()
  expect(await create('1.35')).toEqual([
    'spec.volumeClaimTemplates[0].spec.accessModes',
    'spec.volumeClaimTemplates[0].spec.resources[storage]',
    'spec.template.spec.volumes[0].name',
  ])
})

it('drivers prevent pods from scheduling only if they opt in', async () => {
  const create = async (release: string) => {
    const server = testServer({ release })
    const path = '/apis/storage.k8s.io/v1/csidrivers'
    const body = { metadata: { name: 'a' }, spec: {} }
    return (await sendRequest(server, { method: 'POST', path, body })).json.spec
  }
  expect(await create('1.37')).toMatchObject({ preventPodSchedulingIfMissing: false })
  expect(await create('1.31')).not.toHaveProperty('preventPodSchedulingIfMissing')
})

it('volume attributes classes in use are protected', async () => {
  const server = testServer({ release: '1.37' })
  const { json } = await sendRequest(server, {
    method: 'POST',
    path: '/apis/storage.k8s.io/v1/volumeattributesclasses',
    body: { metadata: { name: 'a' }, driverName: 'example.com', parameters: { a: 'b' } },
  })
  expect(json.metadata.finalizers).toEqual(['kubernetes.io/vac-protection'])
})

it('the name of a default storage class has no suffix in a table of 1.37', async () => {
  const nameIn = async (release: string) => {
    const server = testServer({ release })
    const path = '/apis/storage.k8s.io/v1/storageclasses'
    const annotations = { 'storageclass.kubernetes.io/is-default-class': 'true' }
    const body = { metadata: { name: 'a', annotations }, provisioner: 'example.com/p' }
    await sendRequest(server, { method: 'POST', path, body })
    const { json } = await sendRequest(server, {
      path: `${path}/a`,
      headers: { accept: 'application/json;as=Table;g=meta.k8s.io;v=v1' },
    })
    return json.rows[0].cells[0]
  }
  expect(await nameIn('1.35')).toBe('a (default)')
  expect(await nameIn('1.37')).toBe('a')
})

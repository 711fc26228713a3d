/** How claims come to classes and volumes. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Cluster, testCluster } from '../support/cluster'

const CLAIMS = '/api/v1/namespaces/default/persistentvolumeclaims'
const CLASSES = '/apis/storage.k8s.io/v1/storageclasses'

let cluster: Cluster
beforeEach(async () => {
  cluster = await testCluster()
})
afterEach(() => cluster.close())

const post = (path: string, body: object) => cluster.ask({ method: 'POST', path, body })
const claim = (name: string, spec: object = {}) => ({
  metadata: { name },
  spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } }, ...spec },
})
const storageClass = (name: string, standard: boolean) => ({
  metadata: { name, annotations: { 'storageclass.kubernetes.io/is-default-class': String(standard) } },
  provisioner: 'example.com/none',
})
const classOf = async (name: string) => (await cluster.ask({ path: `${CLAIMS}/${name}` })).json.spec.storageClassName

it('gives a claim that names no class the default one, though that came later', async () => {
  await post(CLAIMS, claim('any'))
  await post(CLAIMS, claim('none', { storageClassName: '' }))
  await post(CLAIMS, claim('other', { storageClassName: 'other' }))
  await post(CLASSES, storageClass('plain', false))
  expect(await classOf('any')).toBeUndefined()

  await post(CLASSES, storageClass('standard', true))
  expect(await classOf('any')).toBe('standard')
  expect(await classOf('none')).toBe('')
  expect(await classOf('other')).toBe('other')
  const { annotations } = (await cluster.ask({ path: `${CLAIMS}/any` })).json.metadata
  expect(annotations['volume.kubernetes.io/storage-provisioner']).toBe('example.com/none')
})

it('takes a class that becomes the default one', async () => {
  await post(CLASSES, storageClass('plain', false))
  await post(CLAIMS, claim('any'))
  const headers = { 'content-type': 'application/merge-patch+json' }
  const { metadata } = storageClass('plain', true)
  await cluster.ask({ method: 'PATCH', path: `${CLASSES}/plain`, body: { metadata }, headers })
  expect(await classOf('any')).toBe('plain')
})

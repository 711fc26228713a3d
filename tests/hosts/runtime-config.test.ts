/** Served API versions: the defaults of the release, and `--runtime-config`. */
import { describe, expect, it } from 'vitest'
import { SimulatedClock, seededRandom } from '../../src/engine/core/environment'
import { RuntimeConfigError, servedGroups } from '../../src/engine/releases/served'
import { startEngine } from '../../src/hosts/node/engine'
import { FlagError, parseFlags } from '../../src/hosts/node/flags'
import { TEST_RELEASE } from '../support/release'
import { sendRequest } from '../support/server'

const versionsOf = (config: Record<string, string>, group: string) =>
  servedGroups(config)
    .find(({ metadata }) => metadata.name === group)
    ?.versions.map(({ version }) => version)

describe('the served API versions', () => {
  it('are the defaults of the release', () => {
    expect(versionsOf({}, 'storage.k8s.io')).toEqual(['v1'])
    expect(versionsOf({}, 'resource.k8s.io')).toBeUndefined()
  })

  it('follow stages, versions and resources, and the more specific key wins', () => {
    expect(versionsOf({ 'api/all': 'true' }, 'storage.k8s.io')).toEqual([
      'v1',
      'v1beta1',
      'v1alpha1',
    ])
    expect(versionsOf({ 'api/beta': '' }, 'storage.k8s.io')).toEqual(['v1', 'v1beta1'])
    expect(versionsOf({ 'api/all': 'true', 'api/alpha': 'false' }, 'storage.k8s.io')).toEqual([
      'v1',
      'v1beta1',
    ])
    expect(
      versionsOf({ 'api/all': 'true', 'storage.k8s.io/v1': 'false' }, 'storage.k8s.io'),
    ).toEqual(['v1beta1', 'v1alpha1'])
    expect(versionsOf({ 'api/all': 'false', 'api/v1': 'true' }, 'apps')).toBeUndefined()
    const [apps] = servedGroups({ 'apps/v1/daemonsets': 'false' }).filter(
      ({ metadata }) => metadata.name === 'apps',
    )
    expect(apps?.versions[0]?.resources.map(({ resource }) => resource)).not.toContain('daemonsets')
    const only = servedGroups({ 'networking.k8s.io/v1beta1/ipaddresses': 'true' }).find(
      ({ metadata }) => metadata.name === 'networking.k8s.io',
    )
    expect(
      only?.versions.flatMap(({ resources }) => resources.map(({ resource }) => resource)),
    ).toContain('ipaddresses')
    expect(
      only?.versions.flatMap(({ resources }) => resources.map(({ resource }) => resource)),
    ).not.toContain('servicecidrs')
  })

  it('exclude resources whose feature gate is off, even with api/all', () => {
    const all = {
      'api/all': 'true',
      'storagemigration.k8s.io/v1alpha1': 'true',
      'certificates.k8s.io/v1alpha1/clustertrustbundles': 'true',
    }
    const names = (gates: Record<string, boolean>) =>
      servedGroups(all, '1.31', gates).flatMap(({ metadata, versions }) =>
        versions.map(({ version }) => `${metadata.name ?? ''}/${version}`),
      )
    const gated = ['certificates.k8s.io/v1alpha1', 'storagemigration.k8s.io/v1alpha1']
    expect(names({}).filter((name) => gated.includes(name))).toEqual([])
    expect(names({ ClusterTrustBundle: true }).filter((name) => gated.includes(name))).toEqual(
      gated.slice(0, 1),
    )
    expect(
      names({ ClusterTrustBundle: true, StorageVersionMigrator: true }).filter((name) =>
        gated.includes(name),
      ),
    ).toEqual(gated)
  })

  it.each([
    { 'api/all': 'perhaps' },
    { 'no.such.group/v1': 'true' },
    { 'apps/v9': 'true' },
    { apps: 'true' },
  ])('reject %o', (config) => {
    expect(() => servedGroups(config as unknown as Record<string, string>)).toThrow(
      RuntimeConfigError,
    )
  })
})

describe('--runtime-config', () => {
  const start = (...flags: string[]) =>
    startEngine(parseFlags([`--release=${TEST_RELEASE}`, ...flags]), {
      clock: new SimulatedClock(),
      random: seededRandom(1),
      log: { error: (text, cause) => expect.fail(`${text}: ${cause}`) },
    })

  it('applies to paths, discovery, OpenAPI and APIServices', async () => {
    const server = await start('--runtime-config=storage.k8s.io/v1beta1=true,apps/v1=false')
    const json = async (path: string) =>
      (await sendRequest(server, { path, token: 'admin-token' })).json
    expect((await json('/apis/storage.k8s.io')).versions).toHaveLength(2)
    expect(
      (await sendRequest(server, { path: '/apis/apps/v1', token: 'admin-token' })).status,
    ).toBe(404)
    const documents = Object.keys((await json('/openapi/v3')).paths)
    expect(documents).toContain('apis/storage.k8s.io/v1beta1')
    expect(documents).not.toContain('apis/apps/v1')
    const services = await json('/apis/apiregistration.k8s.io/v1/apiservices')
    const names = services.items.map((item: { metadata: { name: string } }) => item.metadata.name)
    expect(names).toContain('v1beta1.storage.k8s.io')
    expect(names).not.toContain('v1.apps')
    await server.close()
  })

  it('rejects unknown keys', async () => {
    await expect(start('--runtime-config=apps/v9=true')).rejects.toThrow(FlagError)
  })
})

it('stores IPAddress objects where the gate is on', async () => {
  const flags = [
    `--release=${TEST_RELEASE}`,
    '--runtime-config=networking.k8s.io/v1beta1=true',
    '--feature-gates=MultiCIDRServiceAllocator=true',
  ]
  const server = await startEngine(parseFlags(flags), {
    clock: new SimulatedClock(),
    random: seededRandom(1),
    log: { error: (text, cause) => expect.fail(`${text}: ${cause}`) },
  })
  const admin = { token: 'admin-token' }
  const services = '/api/v1/namespaces/default/services'
  const body = {
    apiVersion: 'v1',
    kind: 'Service',
    metadata: { name: 'web' },
    spec: { clusterIP: '10.96.0.77', ports: [{ port: 80 }] },
  }
  expect(
    (await sendRequest(server, { method: 'POST', path: services, body, ...admin })).status,
  ).toBe(201)
  const address = '/apis/networking.k8s.io/v1beta1/ipaddresses/10.96.0.77'
  const parent = { resource: 'services', namespace: 'default', name: 'web' }
  await expect
    .poll(async () => (await sendRequest(server, { path: address, ...admin })).json.spec?.parentRef)
    .toEqual(parent)
  await sendRequest(server, { method: 'DELETE', path: `${services}/web`, ...admin })
  await expect
    .poll(async () => (await sendRequest(server, { path: address, ...admin })).status)
    .toBe(404)
  await server.close()
})

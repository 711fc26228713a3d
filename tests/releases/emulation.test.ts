/** Servers that emulate an earlier release (`--emulated-version`, KEP-4330). */
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { loadTables } from '../../src/engine/release-tables/load-tables'
import type { ApiServer } from '../../src/engine/server/server'
import type { ApiServerOptions } from '../../src/engine/server/server-options'
import { sendRequest, testServer } from '../support/server'

beforeAll(() => loadTables('1.37'))

let server: ApiServer | undefined
afterEach(() => server?.close())

function start(
  release: string,
  version: string,
  options: Partial<ApiServerOptions> = {},
): ApiServer {
  server = testServer({ release, emulatedVersion: [version], ...options })
  return server
}

describe('the emulated version', () => {
  it.each([
    ['1.31', '1.31', 'unknown flag: --emulated-version'],
    ['1.32', '1.30', 'emulation version 1.30 is not between [1.31, 1.32]'],
    ['1.33', '1.30', 'emulation version 1.30 is not between [1.31, 1.33]'],
    ['1.35', '1.31', 'emulation version 1.31 is not between [1.32, 1.35]'],
    ['1.37', '1.33', 'emulation version 1.33 is not between [1.34, 1.37]'],
    ['1.37', '1.38', 'emulation version 1.38 is not between [1.34, 1.37]'],
    ['1.37', 'kube=1.35.1', 'patch version not allowed, got: kube=1.35.1'],
    ['1.37', 'wardle=1.2', 'component not registered: wardle'],
    ['1.37', '1', 'illegal version string "1"'],
    ['1.37', 'new', 'could not parse "new" as version'],
  ])('of %s cannot be %s', (release, version, error) => {
    expect(() => start(release, version)).toThrow(error)
  })

  it('is given once', () => {
    expect(() => start('1.37', '1.35', { emulatedVersion: ['1.35', 'kube=1.36'] })).toThrow(
      'duplicate version flag, kube=1.35 and kube=1.36',
    )
  })

  it.each([
    ['1.37', '1.37', '37 37 36'],
    ['1.37', '1.35', '37 35 34'],
    ['1.37', 'kube=v1.34', '37 34 34'],
    ['1.33', '1.31', '33 31 31'],
  ])('of %s may be %s, as /version reports', async (release, version, expected) => {
    const { json } = await sendRequest(start(release, version), { path: '/version' })
    expect(`${json.minor} ${json.emulationMinor} ${json.minCompatibilityMinor}`).toBe(expected)
    expect(json.gitVersion).toMatch(`v${release}.`)
  })
})

describe('the oldest compatible version', () => {
  it.each([
    ['1.34', '1.33', 'unknown flag: --min-compatibility-version'],
    ['1.37', '1.36', 'minCompatibilityVersion version 1.36 is not between [1.34, 1.35]'],
    ['1.37', '1.33', 'minCompatibilityVersion version 1.33 is not between [1.34, 1.35]'],
  ])('of %s cannot be %s', (release, compatible, error) => {
    const emulated = release === '1.37' ? '1.35' : release
    expect(() => start(release, emulated, { minCompatibilityVersion: [compatible] })).toThrow(error)
  })

  it('is reported by /version', async () => {
    const started = start('1.37', '1.36', { minCompatibilityVersion: ['1.36'] })
    const { json } = await sendRequest(started, { path: '/version' })
    expect(json.minCompatibilityMinor).toBe('36')
  })
})

describe('feature gates', () => {
  it('have the defaults of the emulated release', async () => {
    const { text } = await sendRequest(start('1.37', '1.35'), { path: '/metrics' })
    expect(text).toContain(
      'kubernetes_feature_enabled{name="MutatingAdmissionPolicy",stage="BETA"} 0',
    )
  })

  it.each([
    ['1.37', 'emulated version 1.35, min compatibility version 1.34'],
    ['1.34', 'emulated version 1.33'],
  ])('of later releases cannot be set in %s', (release, emulation) => {
    const [gate, version] =
      release === '1.37' ? ['H2CContainerProbe', '1.35'] : ['PodCertificateRequest', '1.33']
    expect(() =>
      start(release, version as string, { featureGates: { [gate as string]: true } }),
    ).toThrow(`cannot set feature gate ${gate} to true, feature is PreAlpha at ${emulation}`)
  })

  it('are locked as in the emulated release', () => {
    const featureGates = { MutatingAdmissionPolicy: false }
    start('1.37', '1.35', { featureGates })
    expect(() => start('1.37', '1.35', { featureGates: { JobManagedBy: false } })).toThrow(
      'cannot set feature gate JobManagedBy to false, feature is locked to true',
    )
  })
})

describe('resources that came later', () => {
  const POLICIES = '/apis/admissionregistration.k8s.io/v1/mutatingadmissionpolicies'
  const RULES = 'resource.k8s.io/v1/devicetaintrules'
  const statusOf = async (started: ApiServer, path: string) =>
    (await sendRequest(started, { path })).status

  it('are not served', async () => {
    expect(await statusOf(start('1.37', '1.37'), POLICIES)).toBe(200)
    expect(await statusOf(start('1.37', '1.35'), POLICIES)).toBe(404)
    expect(await statusOf(start('1.37', '1.35'), '/apis/apps/v1/deployments')).toBe(200)
  })

  it('are served with an enabled earlier version, if the server is forward compatible', async () => {
    const runtimeConfig = { 'admissionregistration.k8s.io/v1beta1': 'true' }
    expect(await statusOf(start('1.37', '1.35', { runtimeConfig }), POLICIES)).toBe(404)
    const forward = { emulationForwardCompatible: true }
    expect(await statusOf(start('1.37', '1.35', forward), POLICIES)).toBe(404)
    expect(await statusOf(start('1.37', '1.35', { ...forward, runtimeConfig }), POLICIES)).toBe(200)
  })

  it('can be enabled by name only if the configuration is forward compatible', async () => {
    const runtimeConfig = { [RULES]: 'true' }
    expect(() => start('1.37', '1.35', { runtimeConfig })).toThrow(
      /^cannot enable resource resource\.k8s\.io\/v1, Resource=devicetaintrules in runtime-config because it is introduced at 1\.\d+ after the current version 1\.35\. Consider setting --runtime-config-emulation-forward-compatible=true$/,
    )
    const forward = { runtimeConfigEmulationForwardCompatible: true }
    expect(
      await statusOf(start('1.37', '1.35', { ...forward, runtimeConfig }), `/apis/${RULES}`),
    ).toBe(200)
    expect(() =>
      start('1.35', '1.33', { runtimeConfig: { 'resource.k8s.io/v1': 'true' } }),
    ).toThrow(
      'cannot enable version resource.k8s.io/v1 in runtime-config because all the resources have been introduced after the current version 1.33. Consider setting',
    )
  })

  it.each([
    ['emulationForwardCompatible', 'EmulationForwardCompatible'],
    ['runtimeConfigEmulationForwardCompatible', 'RuntimeConfigEmulationForwardCompatible'],
  ])('%s needs an emulated version', (option, name) => {
    expect(() => start('1.37', '1.37', { [option]: true })).toThrow(
      `ServerRunOptions.${name} cannot be set to true if the emulation version is the same as the binary version`,
    )
    expect(() => start('1.32', '1.31', { [option]: true })).toThrow('unknown flag: --')
  })
})

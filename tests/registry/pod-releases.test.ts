import { beforeAll, describe, expect, test } from 'vitest'
import { ApiError, invalid } from '../../src/engine/http/status'
import { worded } from '../../src/engine/http/wording'
import { overlappingPathWarnings } from '../../src/engine/kinds/core/overlapping-paths'
import type { Pod, PodSpec, Volume } from '../../src/engine/kinds/core/pod-types'
import { podErrors } from '../../src/engine/kinds/core/pod-validation/template'
import { podWarnings } from '../../src/engine/kinds/core/pod-warnings'
import { changesOf } from '../../src/engine/release-tables/changes'
import { loadTables } from '../../src/engine/release-tables/load-tables'
import { changedTables } from '../support/release'
import { podOptions } from './pod-options'

beforeAll(() => loadTables('1.35'))

const CONTAINER = {
  name: 'app',
  image: 'nginx:1',
  imagePullPolicy: 'Always',
  terminationMessagePolicy: 'File',
}

const pod = (container: object, spec: PodSpec = {}): Pod => ({
  apiVersion: 'v1',
  kind: 'Pod',
  metadata: { name: 'p', namespace: 'n' },
  spec: {
    restartPolicy: 'Always',
    dnsPolicy: 'ClusterFirst',
    terminationGracePeriodSeconds: 30,
    ...spec,
    containers: [{ ...CONTAINER, ...container }],
  },
})

const errors = (whole: Pod, options = podOptions('1.31')) =>
  podErrors(whole, options).map(({ field, detail }) => `${field}: ${detail}`)

describe('names of environment variables', () => {
  const named = (name: string) => pod({ env: [{ name, value: 'x' }] })

  test('are relaxed at 1.33, or by the gate of 1.31', () => {
    for (const name of ['A B', '1A', '..']) {
      expect(errors(named(name))).not.toEqual([])
      expect(errors(named(name), podOptions('1.33'))).toEqual([])
      const gate = { RelaxedEnvironmentVariableValidation: true }
      expect(errors(named(name), podOptions('1.31', gate))).toEqual([])
    }
  })
  test('are printable ASCII characters without an equals sign', () => {
    for (const name of ['A=B', '\t', '\u{e4}'])
      expect(errors(named(name), podOptions('1.33'))).toEqual([
        expect.stringContaining('must consist only of printable ASCII characters other than'),
      ])
  })
  test('that are stored stay valid without the gate', () => {
    const gate = { RelaxedEnvironmentVariableValidation: false }
    expect(errors(named('A B'), podOptions('1.33', gate))).not.toEqual([])
    expect(errors(named('A B'), podOptions('1.33', gate, named('A B').spec))).toEqual([])
  })
})

describe('search paths', () => {
  const searching = (search: string) => pod({}, { dnsConfig: { searches: [search] } })

  test('may have underscores or be a dot at 1.33', () => {
    for (const search of ['_tcp.example.com', 'a_b', '.']) {
      expect(errors(searching(search))).not.toEqual([])
      expect(errors(searching(search), podOptions('1.33'))).toEqual([])
    }
  })
  test('print the pattern with underscores from 1.34 on', () => {
    const [before] = errors(searching('a!'), podOptions('1.33'))
    const [after] = errors(searching('a!'), podOptions('1.34'))
    expect(before).toContain("'_', '-' or '.'")
    expect(before).toContain("'[a-z0-9]([-a-z0-9]*[a-z0-9])?(")
    expect(after).toContain("'_?[a-z0-9]([-_a-z0-9]*[a-z0-9])?(")
  })
})

test('a hook may sleep for zero seconds at 1.33', () => {
  const sleeping = (seconds: number) => pod({ lifecycle: { preStop: { sleep: { seconds } } } })
  expect(errors(sleeping(0))).toEqual([expect.stringContaining('must be greater than 0')])
  expect(errors(sleeping(0), podOptions('1.33'))).toEqual([])
  expect(errors(sleeping(31), podOptions('1.33'))).toEqual([
    'spec.containers[0].lifecycle.preStop.sleep: Invalid value: 31: must be non-negative and less than terminationGracePeriodSeconds (30)',
  ])
})

test('a toleration with a superfluous value is printed as its value at 1.33', () => {
  const tolerations = [{ key: 'a', operator: 'Exists', value: 'x"y', effect: 'NoSchedule' }]
  const error = invalid(
    { group: '', kind: 'Pod' },
    'p',
    podErrors(pod({}, { tolerations }), podOptions('1.33')),
  )
  const message = (release: string) => worded(error, changedTables(release)).status.message
  expect(message('1.31')).toContain('operator: Invalid value: core.Toleration{Key:"a"')
  expect(message('1.33')).toContain(
    `operator: Invalid value: "x\\"y": value must be empty when \`operator\` is 'Exists'`,
  )
  expect(error).toBeInstanceOf(ApiError)
})

describe('warnings about overlapping paths', () => {
  const warnings = (volume: object, release = '1.33') =>
    overlappingPathWarnings([{ name: 'v', ...volume }], changesOf(release), 100)
  const items = (...paths: string[]) => ({ items: paths.map((path) => ({ key: 'k', path })) })

  test('name the later path and each earlier one at, above or below it', () => {
    expect(warnings({ configMap: { name: 'c', ...items('a/b', 'a', 'x', 'a/b/') } })).toEqual([
      'volume "v" (ConfigMap "c"): overlapping paths: "a" with "a/b"',
      'volume "v" (ConfigMap "c"): overlapping paths: "a/b" with "a/b"',
      'volume "v" (ConfigMap "c"): overlapping paths: "a/b" with "a"',
    ])
    expect(warnings({ secret: { secretName: 's', ...items('ab', 'a') } })).toEqual([])
    expect(warnings({ downwardAPI: items('t', 't') })).toEqual([
      'volume "v" (DownwardAPI): overlapping paths: "t" with "t"',
    ])
  })
  test('name the sources of a projected volume', () => {
    const sources = [
      { clusterTrustBundle: { signerName: 'b', path: 'test/test' } },
      { downwardAPI: items('test') },
      { serviceAccountToken: { path: 'test' } },
      {},
    ]
    expect(warnings({ projected: { sources } })).toEqual([
      'volume "v" (Projected): overlapping paths: "test" (DownwardAPI) with "test/test" (ClusterTrustBundle "b")',
      'volume "v" (Projected): overlapping paths: "test" (ServiceAccountToken) with "test/test" (ClusterTrustBundle "b")',
      'volume "v" (Projected): overlapping paths: "test" (ServiceAccountToken) with "test" (DownwardAPI)',
      'volume "v" (Projected) has no sources provided',
    ])
  })
  test('repeat the files of the source before one without a list, up to 1.33', () => {
    const sources = [{ configMap: { name: 'c', ...items('a') } }, { secret: { name: 's' } }]
    expect(warnings({ projected: { sources } })).toEqual([
      'volume "v" (Projected): overlapping paths: "a" (ConfigMap "c") with "a" (ConfigMap "c")',
    ])
    expect(warnings({ projected: { sources } }, '1.34')).toEqual([])
  })
  test('end at the limit, in linear time', () => {
    const volume = { name: 'v', configMap: items(...Array<string>(100_000).fill('a')) } as Volume
    expect(overlappingPathWarnings([volume], changesOf('1.33'), 50)).toHaveLength(50)
  })
  test('come with 1.33', () => {
    const volumes = [{ name: 'v', projected: { sources: [{}] } }] as Volume[]
    expect(podWarnings(pod({}, { volumes }), changesOf('1.31'))).toEqual([])
    expect(podWarnings(pod({}, { volumes }), changesOf('1.33'))).toHaveLength(1)
  })
})

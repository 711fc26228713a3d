/** The flags `--release`, `--show-hidden-metrics-for-version` and `--feature-gates`. */
import { expect, it } from 'vitest'
import { SimulatedClock, seededRandom } from '../../src/engine/core/environment'
import { loadTables } from '../../src/engine/release-tables/load-tables'
import { tablesOf } from '../../src/engine/release-tables/tables'
import { DEFAULT_RELEASE, identityOf } from '../../src/engine/releases/release'
import { startEngine } from '../../src/hosts/node/engine'
import { FlagError, parseFlags } from '../../src/hosts/node/flags'
import { usage } from '../../src/hosts/node/help'
import { namedRelease, versionLine } from '../../src/hosts/node/kube-apiserver'
import { sendRequest } from '../support/server'

const warnings: string[] = []
const start = (...flags: string[]) =>
  startEngine(parseFlags(flags), {
    clock: new SimulatedClock(),
    random: seededRandom(1),
    log: {
      error: (text, cause) => expect.fail(`${text}: ${cause}`),
      warn: (text) => warnings.push(text),
    },
  })

it('--release sets the release, alone and with --runtime-config', async () => {
  const server = await start('--release=1.21', '--runtime-config=extensions/v1beta1=false')
  const status = async (path: string) =>
    (await sendRequest(server, { path, token: 'admin-token' })).status
  expect(
    (await sendRequest(server, { path: '/version', token: 'admin-token' })).json.gitVersion,
  ).toBe('v1.21.14')
  expect(await status('/apis/policy/v1beta1/podsecuritypolicies')).toBe(200)
  expect(await status('/apis/extensions/v1beta1/ingresses')).toBe(404)
  expect(await status('/apis/autoscaling/v2/horizontalpodautoscalers')).toBe(404)
  await server.close()
})

it('--release has a default, and must be supported', async () => {
  const server = await start()
  expect(
    (await sendRequest(server, { path: '/version', token: 'admin-token' })).json.gitVersion,
  ).toBe(identityOf(DEFAULT_RELEASE).git)
  await server.close()
  await expect(start('--release=1.9')).rejects.toThrow(
    new FlagError('unknown release "1.9", known are 1.15 to 1.37'),
  )
})

it('--show-hidden-metrics-for-version accepts the previous release', async () => {
  const server = await start('--release=1.25', '--show-hidden-metrics-for-version=1.24')
  expect((await sendRequest(server, { path: '/metrics', token: 'admin-token' })).text).toContain(
    '(Deprecated from 1.22)',
  )
  await server.close()
  await expect(start('--show-hidden-metrics-for-version=1.29')).rejects.toThrow(FlagError)
})

it('--feature-gates warns of deprecated gates, and the help shows the stage of each', async () => {
  const server = await start('--release=1.31', '--feature-gates=ServerSideApply=true')
  expect(warnings).toEqual([
    'Setting GA feature gate ServerSideApply=true. It will be removed in a future release.',
  ])
  await server.close()
})

it.each([
  ['1.31', 'WatchList=true|false (ALPHA - default=false)'],
  ['1.36', 'WatchList=true|false (BETA - default=true)'],
  ['1.37', 'MutatingAdmissionPolicy=true|false (GA - default=true)'],
])('--help lists the feature gates of release %s', async (release, line) => {
  await loadTables(release)
  const tables = tablesOf(release)
  expect(tables && usage(tables).replace(/\s+/g, ' ')).toContain(line)
})

it.each([
  [['--version'], identityOf(DEFAULT_RELEASE).git],
  [['--release=1.33', '--version'], 'v1.33.13'],
  [['--version', '--release', 'v1.32'], 'v1.32.13'],
])('kube-apiserver %j prints the version of the release', (args, git) => {
  expect(versionLine('kube-apiserver', '0.0.0', namedRelease(args))).toBe(`Kubernetes ${git}`)
  expect(versionLine('kubetab', '0.0.0', namedRelease(args))).toBe('kubetab 0.0.0')
})

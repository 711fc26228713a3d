/** Lifecycle hooks of containers on simulated nodes. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Pods, podsOn } from '../simulation/pods'

let pods: Pods
beforeEach(async () => {
  pods = await podsOn()
})
afterEach(() => pods.cluster.close())

const AGNHOST = 'registry.k8s.io/e2e-test-images/agnhost:2.53'
const SLEEPS = ['sh', '-c', 'echo begins; sleep 1000000']

const withHooks = (lifecycle: object, more: object = {}) => ({
  terminationGracePeriodSeconds: 30,
  containers: [{ name: 'c', image: AGNHOST, command: SLEEPS, lifecycle }],
  ...more,
})
const status = async (name = 'p') => (await pods.get(`pods/${name}`)).status
const events = async () =>
  (await pods.get('events')).items.map(
    ({ reason, message }: { reason: string; message: string }) => `${reason}: ${message}`,
  )
const remove = (name = 'p', query = '') =>
  pods.cluster.sendRequest({
    method: 'DELETE',
    path: `/api/v1/namespaces/default/pods/${name}${query}`,
  })
const isGone = async () => (await pods.get('pods/p')).code === 404

const server = async () => {
  await pods.pod('server', { containers: [{ name: 'c', image: AGNHOST, args: ['netexec'] }] })
  return (await status('server')).podIP
}

it('postStart runs once after each start, and writes files that the program sees', async () => {
  await pods.pod(
    'p',
    withHooks({ postStart: { exec: { command: ['sh', '-c', 'date >>/tmp/f'] } } }),
  )
  await pods.cluster.pass(120)
  expect(await pods.sh('p', 'wc -l </tmp/f')).toBe('1\n')
  expect((await status()).containerStatuses[0]).toMatchObject({ ready: true, started: true })
})

it('postStart holds readiness until it ends', async () => {
  await pods.pod('p', withHooks({ postStart: { sleep: { seconds: 10 } } }))
  expect((await status()).containerStatuses[0]).toMatchObject({ ready: false, started: false })
  await pods.cluster.pass(10)
  expect((await status()).containerStatuses[0]).toMatchObject({ ready: true, started: true })
})

it('a postStart that fails stops the container, which restarts', async () => {
  await pods.pod('p', withHooks({ postStart: { exec: { command: ['sh', '-c', 'exit 3'] } } }))
  await pods.cluster.pass(60)
  const [own] = (await status()).containerStatuses
  expect(own.restartCount).toBeGreaterThan(1)
  expect(own.lastState.terminated).toMatchObject({ exitCode: 143, reason: 'Error' })
  expect(await events()).toEqual(
    expect.arrayContaining([
      'FailedPostStartHook: PostStartHook failed',
      'Killing: FailedPostStartHook',
      expect.stringContaining('BackOff: Back-off restarting failed container c'),
    ]),
  )
})

it('hooks send requests: exec by the network of the pod, httpGet by the kubelet', async () => {
  const ip = await server()
  const curl = (what: string) => ({
    exec: { command: ['curl', `http://${ip}:8080/echo?msg=${what}`] },
  })
  await pods.pod('p', withHooks({ postStart: curl('begin'), preStop: curl('end') }))
  const get = { httpGet: { host: ip, port: 8080, path: '/echo?msg=by-kubelet' } }
  await pods.pod('q', withHooks({ postStart: get }))
  await remove()
  await pods.cluster.pass(5)
  const log = await pods.log('server')
  expect(log.match(/msg=[\w-]+/g)).toEqual(['msg=begin', 'msg=by-kubelet', 'msg=end'])
})

it('an httpGet hook fails without a connection', async () => {
  const lifecycle = { postStart: { httpGet: { port: 81 } } }
  await pods.pod('p', { containers: [{ name: 'c', image: AGNHOST, args: ['pause'], lifecycle }] })
  await pods.cluster.pass(5)
  expect(await events()).toContain('FailedPostStartHook: PostStartHook failed')
})

it('preStop delays the end, up to the grace period', async () => {
  await pods.pod('p', withHooks({ preStop: { exec: { command: ['sleep', '10'] } } }))
  await remove()
  await pods.cluster.pass(9)
  expect(await isGone()).toBe(false)
  await pods.cluster.pass(3)
  expect(await isGone()).toBe(true)
  await pods.pod('p', withHooks({ preStop: { exec: { command: ['sleep', '1000'] } } }))
  await remove('p', '?gracePeriodSeconds=5')
  await pods.cluster.pass(4)
  expect(await isGone()).toBe(false)
  await pods.cluster.pass(2)
  expect(await isGone()).toBe(true)
})

it('a preStop that fails is reported, and the container stops', async () => {
  await pods.pod('p', withHooks({ preStop: { exec: { command: ['false'] } } }))
  await remove()
  await pods.cluster.pass(3)
  expect(await events()).toEqual(
    expect.arrayContaining([
      'Killing: Stopping container c',
      'FailedPreStopHook: PreStopHook failed',
    ]),
  )
  expect(await isGone()).toBe(true)
})

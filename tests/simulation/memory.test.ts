// cspell:ignore polinux
/** Programs that use memory, and the limits of their containers. */
import { afterEach, expect, it } from 'vitest'
import { type Pods, podsOn } from './pods'

let pods: Pods
afterEach(() => pods.cluster.close())

const ofPod = async (name: string) => (await pods.get(`pods/${name}`)).status
const limited = (command: string[], memory: string, restartPolicy = 'Always') => ({
  restartPolicy,
  containers: [{ name: 'c', image: 'polinux/stress', command, resources: { limits: { memory } } }],
})
const STRESS = ['stress', '--vm', '1', '--vm-bytes', '150M', '--vm-hang', '1']

it('a program within its limit runs', async () => {
  pods = await podsOn()
  await pods.pod('p', limited(STRESS, '200Mi'))
  await pods.cluster.pass(60)
  expect((await ofPod('p')).containerStatuses[0]).toMatchObject({ ready: true, restartCount: 0 })
  expect(await pods.log('p')).toBe('stress: info: [1] dispatching hogs: 0 cpu, 0 io, 1 vm, 0 hdd\n')
})

it('a program beyond its limit is killed, and restarts with back-off', async () => {
  pods = await podsOn()
  await pods.pod('p', limited(STRESS, '100Mi'))
  await pods.cluster.pass(60)
  const [own] = (await ofPod('p')).containerStatuses
  expect(own.restartCount).toBeGreaterThan(1)
  expect(own.lastState.terminated).toMatchObject({ exitCode: 137, reason: 'OOMKilled' })
  expect(own.state.waiting.reason).toBe('CrashLoopBackOff')
})

it('the whole container is killed: dd in a script', async () => {
  pods = await podsOn()
  const script = 'sleep 5; dd if=/dev/zero of=/dev/null bs=20M; echo after'
  await pods.pod('p', limited(['sh', '-c', script], '15Mi', 'Never'))
  expect((await ofPod('p')).phase).toBe('Running')
  await pods.cluster.pass(5)
  const { phase, containerStatuses } = await ofPod('p')
  expect([phase, containerStatuses[0].state.terminated.reason]).toEqual(['Failed', 'OOMKilled'])
  expect(await pods.log('p')).toBe('')
})

it.each([
  ['dd if=/dev/zero bs=4 count=2 of=/tmp/f; wc -c </tmp/f', '8\n2+0 records in\n2+0 records out\n'],
  ['echo hello | dd bs=3 2>/dev/null', 'hello\n'],
  ['stress --cpu 1 --timeout 5s | tail -n 1', 'stress: info: [1] successful run completed in 5s\n'],
])('%s', async (script, expected) => {
  pods = await podsOn()
  await pods.pod('p', { containers: [{ name: 'c', image: 'busybox', command: ['sleep', '1000'] }] })
  expect(await pods.sh('p', script)).toBe(expected)
})

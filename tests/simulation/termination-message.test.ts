/** Termination messages of containers, with the limits of a kubelet. */
import { afterEach, beforeEach, expect, it } from 'vitest'
import { type Pods, podsOn } from './pods'

let pods: Pods
beforeEach(async () => {
  pods = await podsOn()
})
afterEach(() => pods.cluster.close())

it.each([
  ['echo -n done > /dev/termination-log', {}, 'done'],
  ['echo -n done > /dev/own', { terminationMessagePath: '/dev/own' }, 'done'],
  ['echo out; exit 1', {}, undefined],
  ['echo out; exit 1', { terminationMessagePolicy: 'FallbackToLogsOnError' }, 'out\n'],
  ['echo out', { terminationMessagePolicy: 'FallbackToLogsOnError' }, undefined],
  [
    'echo out; echo -n file > /dev/termination-log; exit 1',
    { terminationMessagePolicy: 'FallbackToLogsOnError' },
    'file',
  ],
  [
    'for i in $(seq 1 90); do echo $i; done; exit 1',
    { terminationMessagePolicy: 'FallbackToLogsOnError' },
    `${Array.from({ length: 80 }, (_, index) => index + 11).join('\n')}\n`,
  ],
  ['yes | head -n 3000 | tr -d "\\n" > /dev/termination-log', {}, 'y'.repeat(1000)],
])('%s', async (script, container, message) => {
  await pods.pod('p', {
    restartPolicy: 'Never',
    securityContext: { runAsUser: 1000 },
    containers: [{ name: 'c', image: 'busybox', command: ['sh', '-c', script], ...container }],
  })
  await pods.cluster.pass(5)
  const { terminated } = (await pods.get('pods/p')).status.containerStatuses[0].state
  expect(terminated.message).toBe(message)
})

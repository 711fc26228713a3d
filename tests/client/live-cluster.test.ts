/** What people type to look after workloads, against a headless server with a scheduler and simulated nodes; only where kubectl is installed. */
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { type AddressInfo, createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { bundleNodeHost } from '../../scripts/bundle-host'
import { type Started, start, stop } from '../support/processes'
import { findKubectl, type Kubectl, kubectl } from './kubectl'

const program = findKubectl()

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  await once(server, 'close')
  return port
}

const BEHAVIOR = `
log: [begins, {every: 5, text: 'tick {n}'}]
exec: [{command: cat /etc/release, output: v2.1}]
`

const POD = `
apiVersion: v1
kind: Pod
metadata:
  name: speaker
  annotations:
    simulation.kubetab/behavior: |${BEHAVIOR.replaceAll('\n', '\n      ')}
spec:
  containers: [{name: main, image: shop/speaker}]
`

/** A pod whose program reads the input of the first attached client, and ends with it. */
const reader = (name: string, program: string): string => `
apiVersion: v1
kind: Pod
metadata: {name: ${name}}
spec:
  restartPolicy: Never
  containers: [{name: main, image: busybox, command: [${program}], stdin: true, stdinOnce: true}]
`

if (program === undefined) it.skip('kubectl not installed: not run')
else {
  describe('kubectl, with a cluster that lives', () => {
    const home = mkdtempSync(join(tmpdir(), 'kubetab-live-'))
    const kubeconfig = join(home, 'config')
    let server: Started
    const { run, output }: Kubectl = kubectl(program, { kubeconfig, namespace: 'default', home })

    beforeAll(async () => {
      const flags = [
        '--port=0',
        '--secure-port=0',
        `--kubeconfig=${kubeconfig}`,
        '--scheduler=on',
        '--nodes=3',
        '--clock=20x',
      ]
      server = await start([await bundleNodeHost(), ...flags])
      // They follow the first response.
      await vi.waitFor(
        async () => expect(await output(['get', 'nodes', '-o', 'name'])).toContain('node-3'),
        { timeout: 20_000 },
      )
      await output([
        'wait',
        '--for=condition=Ready',
        'node/node-1',
        'node/node-2',
        'node/node-3',
        '--timeout=20s',
      ])
      await output(['create', 'deployment', 'web', '--image=shop/web:1', '--replicas=3'])
      await output(['rollout', 'status', 'deployment/web', '--timeout=20s'])
    })
    afterAll(async () => {
      await stop(server)
      rmSync(home, { recursive: true })
    })

    const images = () =>
      output([
        'get',
        'pods',
        '-l',
        'app=web',
        '-o',
        'jsonpath={.items[*].spec.containers[0].image}',
      ])

    it('rolls out, prints the history, and rolls back', async () => {
      await output(['set', 'image', 'deployment/web', 'web=shop/web:2'])
      expect(await output(['rollout', 'status', 'deployment/web', '--timeout=20s'])).toContain(
        'successfully rolled out',
      )
      expect(await output(['rollout', 'history', 'deployment/web'])).toMatch(/^1 .*\n2 /m)
      expect(await output(['rollout', 'undo', 'deployment/web'])).toBe(
        'deployment.apps/web rolled back\n',
      )
      await output(['rollout', 'status', 'deployment/web', '--timeout=20s'])
      await expect.poll(images, { timeout: 10_000 }).toBe('shop/web:1 shop/web:1 shop/web:1')
      expect(await output(['rollout', 'history', 'deployment/web'])).toMatch(/^2 .*\n3 /m)
    })

    it('pauses and goes on', async () => {
      expect(await output(['rollout', 'pause', 'deployment/web'])).toBe(
        'deployment.apps/web paused\n',
      )
      await output(['set', 'image', 'deployment/web', 'web=shop/web:3'])
      expect(await images()).not.toContain('shop/web:3')
      expect(await output(['rollout', 'resume', 'deployment/web'])).toBe(
        'deployment.apps/web resumed\n',
      )
      await output(['rollout', 'status', 'deployment/web', '--timeout=20s'])
      await expect.poll(images, { timeout: 10_000 }).toBe('shop/web:3 shop/web:3 shop/web:3')
    })

    it('restarts, scales and waits', async () => {
      expect(await output(['rollout', 'restart', 'deployment/web'])).toBe(
        'deployment.apps/web restarted\n',
      )
      await output(['scale', 'deployment/web', '--replicas=4'])
      await output([
        'wait',
        '--for=jsonpath={.status.availableReplicas}=4',
        'deployment/web',
        '--timeout=20s',
      ])
      await output(['wait', '--for=condition=Available', 'deployment/web', '--timeout=20s'])
    })

    it('scales by load', async () => {
      await output(['set', 'resources', 'deployment/web', '--requests=cpu=100m'])
      expect(
        await output(['autoscale', 'deployment/web', '--min=2', '--max=6', '--cpu-percent=50']),
      ).toContain('autoscaled')
      await output(['annotate', 'hpa', 'web', 'simulation.kubetab/load=cpu=1'])
      await output(['wait', '--for=jsonpath={.spec.replicas}=6', 'deployment/web', '--timeout=25s'])
      expect(await output(['describe', 'hpa', 'web'])).toContain(
        'the desired replica count is more than the maximum replica count',
      )
      await output(['delete', 'hpa', 'web'])
    })

    it('cordons and drains a node: its pods come up elsewhere', async () => {
      await output(['scale', 'deployment/web', '--replicas=3'])
      expect(await output(['cordon', 'node-2'])).toBe('node/node-2 cordoned\n')
      expect(await output(['get', 'node', 'node-2'])).toContain('SchedulingDisabled')
      expect(
        await output([
          'drain',
          'node-3',
          '--ignore-daemonsets',
          '--delete-emptydir-data',
          '--timeout=20s',
        ]),
      ).toContain('drained')
      await output(['rollout', 'status', 'deployment/web', '--timeout=20s'])
      const nodes = () =>
        output([
          'get',
          'pods',
          '-l',
          'app=web',
          '--field-selector=status.phase=Running',
          '-o',
          'jsonpath={.items[*].spec.nodeName}',
        ])
      await expect.poll(nodes, { timeout: 10_000 }).not.toContain('node-3')
      await output(['uncordon', 'node-2', 'node-3'])
    })

    it('reads logs, and runs commands in containers', async () => {
      await output(['apply', '-f', '-'], POD)
      await output(['wait', '--for=condition=Ready', 'pod/speaker', '--timeout=20s'])
      await expect
        .poll(() => output(['logs', 'speaker']), { timeout: 10_000 })
        .toMatch(/^begins\ntick 1\ntick 2\n/)
      expect(await output(['logs', 'speaker', '--tail=1', '--timestamps'])).toMatch(
        /^\d{4}-\S+Z tick \d+\n$/,
      )
      expect((await run(['logs', 'speaker', '--previous'])).stderr).toContain(
        'previous terminated container "main" in pod "speaker" not found',
      )
      expect(await output(['exec', 'speaker', '--', 'cat', '/etc/release'])).toBe('v2.1\n')
      expect(await output(['exec', '-i', 'speaker', '--', 'sh'], 'hostname\n')).toBe('speaker\n')
      const rejected = await run(['exec', 'speaker', '--', 'reboot'])
      expect(rejected).toMatchObject({
        code: 127,
        stderr: expect.stringContaining('no output is scripted'),
      })
    })

    it.each(['true', 'false'])(
      'runs commands, looks on, and forwards ports; over WebSockets: %s',
      async (webSockets) => {
        const environment = {
          KUBECTL_REMOTE_COMMAND_WEBSOCKETS: webSockets,
          KUBECTL_PORT_FORWARD_WEBSOCKETS: webSockets,
        }
        const release = await run(['exec', 'speaker', '--', 'cat', '/etc/release'], { environment })
        expect(release).toMatchObject({ code: 0, stdout: 'v2.1\n' })
        const ended = await run(['exec', '-i', 'speaker', '--', 'sh'], {
          environment,
          input: 'echo one\nhostname\nexit 3\n',
        })
        expect(ended).toMatchObject({ code: 3, stdout: 'one\nspeaker\n' })
        const attached = await run(['attach', 'speaker'], { environment, seconds: 10 })
        expect(attached.stdout).toMatch(/^(?:tick \d+\n)+$/)
        const port = await freePort()
        const forwarding = run(['port-forward', 'pod/speaker', `${port}:80`], {
          environment,
          seconds: 10,
        })
        await expect
          .poll(() => fetch(`http://127.0.0.1:${port}`).catch((error) => error.cause?.code), {
            timeout: 8_000,
          })
          .toBe('UND_ERR_SOCKET')
        expect((await forwarding).stderr).toContain(
          'the program that listens there is not simulated',
        )
      },
      60_000,
    )

    const overBoth = ['true', 'false'].map((webSockets) => ({
      KUBECTL_REMOTE_COMMAND_WEBSOCKETS: webSockets,
    }))

    it.each(overBoth)(
      'sends its input to commands and to attached programs: %o',
      async (environment) => {
        const over = environment.KUBECTL_REMOTE_COMMAND_WEBSOCKETS
        const send = (args: string[], input: string) =>
          run(args, { environment, input, seconds: 20 })
        const long = `${'a line of text\n'.repeat(20_000)}the last one\n`
        expect(await send(['exec', '-i', 'speaker', '--', 'cat'], long)).toEqual({
          code: 0,
          stdout: long,
          stderr: '',
        })
        expect(await send(['exec', '-i', 'speaker', '--', 'cat'], '')).toMatchObject({
          code: 0,
          stdout: '',
        })

        for (const [program, input, stdout, exitCode] of [
          ['cat', 'one\ntwo\n', 'one\ntwo\n', '0'],
          ['sh', 'echo one\nexit 3\n', 'one\n', '3'],
        ] as const) {
          const name = `reads-${program}-${over}`
          await output(['apply', '-f', '-'], reader(name, program))
          await output(['wait', '--for=condition=Ready', `pod/${name}`, '--timeout=20s'])
          expect((await send(['attach', '-i', name], input)).stdout).toBe(stdout)
          const ended = `{.status.containerStatuses[0].state.terminated.exitCode}`
          await output([
            'wait',
            `--for=jsonpath=${ended}=${exitCode}`,
            `pod/${name}`,
            '--timeout=20s',
          ])
        }
      },
      90_000,
    )

    it('gets a plain error for what the cluster lacks', async () => {
      expect((await run(['top', 'nodes'])).stderr).toContain('Metrics API not available')
    })

    it('describes what happened', async () => {
      const text = await output(['describe', 'pod', 'speaker'])
      for (const reason of ['Scheduled', 'Pulled', 'Created', 'Started'])
        expect(text).toContain(reason)
      expect(await output(['describe', 'node', 'node-1'])).toContain('Allocated resources')
    })

    it('runs a job to its end', async () => {
      await output([
        'create',
        'job',
        'sum',
        '--image=busybox',
        '--',
        'sh',
        '-c',
        'echo 42; sleep 3',
      ])
      await output(['wait', '--for=condition=Complete', 'job/sum', '--timeout=25s'])
      expect(await output(['logs', 'job/sum'])).toBe('42\n')
    })
  })
}

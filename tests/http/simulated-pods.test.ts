/** Logs and behavior of containers on simulated nodes, scripted by annotations and ConfigMaps. */
import { describe, expect, it } from 'vitest'
import {
  CORE,
  cluster,
  create,
  LOGGING,
  log,
  podNow,
  running,
  setUpEachTest,
} from './simulated-pod'

setUpEachTest()

describe('the log', () => {
  it('prints the scripted lines up to the current time', async () => {
    await running({ behavior: LOGGING }, 1)
    await cluster.pass(25)
    expect((await log()).text).toBe('begins\nready in web\ntick 1\ntick 2\n')
    expect((await log()).headers.get('content-type')).toBe('text/plain')
  })

  it('supports tailLines, sinceTime, timestamps and limitBytes', async () => {
    await running({ behavior: LOGGING }, 1)
    await cluster.pass(25)
    expect((await log('?tailLines=1')).text).toBe('tick 2\n')
    expect((await log('?tailLines=0')).text).toBe('')
    expect((await log('?sinceSeconds=20')).text).toBe('tick 1\ntick 2\n')
    expect((await log('?limitBytes=8')).text).toBe('begins\nr')
    expect((await log('?timestamps=true&tailLines=1')).text).toMatch(
      /^2026-01-01T00:00:\d\d\.\d{9}Z tick 2\n$/,
    )
  })

  it('is followed until the container ends', async () => {
    await running({ behavior: `${LOGGING}exit: {after: 15, code: 0}`, command: ['serve'] }, 2)
    const followed = log('?follow=true')
    await cluster.pass(20)
    expect((await followed).text).toBe('begins\nready in web\ntick 1\n')
  })

  it('of the previous run exists after a restart', async () => {
    await running({ behavior: 'exit: {after: 3, code: 1}\nlog: [crashing]' }, 2)
    expect(await log('?previous=true')).toMatchObject({
      status: 400,
      json: { message: 'previous terminated container "c" in pod "web" not found' },
    })
    await cluster.pass(20)
    expect((await log('?previous=true')).text).toBe('crashing\n')
  })

  it('does not exist before the container runs', async () => {
    await running({ behavior: 'startsAfter: 30' }, 2)
    expect(await log()).toMatchObject({
      status: 400,
      json: { message: 'container "c" in pod "web" is waiting to start: ContainerCreating' },
    })
  })

  it('is the output of the echo command without a script', async () => {
    await running({ command: ['sh', '-c', 'echo "hello there"; sleep 100'] })
    expect((await log()).text).toBe('hello there\n')
  })

  it('is not available from a failed node', async () => {
    await running()
    const body = { metadata: { annotations: { 'simulation.kubetab/state': 'failed' } } }
    await cluster.sendRequest({
      method: 'PATCH',
      path: '/api/v1/nodes/node-1',
      body,
      headers: { 'content-type': 'application/merge-patch+json' },
    })
    expect((await log()).json.message).toContain('no route to host')
  })
})

describe('the behavior of a container', () => {
  const stateNow = async () => (await podNow()).status.containerStatuses[0]

  it('delays the start, and the readiness', async () => {
    await running({ behavior: '{startsAfter: 5, readyAfter: 5}' }, 3)
    expect((await stateNow()).state.waiting.reason).toBe('ContainerCreating')
    await cluster.pass(4)
    expect(await stateNow()).toMatchObject({ ready: false, state: { running: {} } })
    await cluster.pass(6)
    expect((await stateNow()).ready).toBe(true)
  })

  it('crashes the scripted number of times, then runs', async () => {
    await running({ behavior: 'exit: {after: 1, code: 7, times: 2}' })
    expect((await stateNow()).state.waiting.reason).toBe('CrashLoopBackOff')
    await cluster.pass(120)
    expect(await stateNow()).toMatchObject({
      ready: true,
      restartCount: 2,
      lastState: { terminated: { exitCode: 7 } },
    })
  })

  it('restarts at once the first time, then with exponential backoff', async () => {
    await running({ image: 'img:crashes' }, 3.5)
    expect(await stateNow()).toMatchObject({ restartCount: 1, state: { running: {} } })
    await cluster.pass(2)
    const { metadata } = await podNow()
    const name = `web_default(${metadata.uid})`
    const { waiting } = (await stateNow()).state
    expect(waiting).toEqual({
      reason: 'CrashLoopBackOff',
      message: `back-off 10s restarting failed container=c pod=${name}`,
    })
    const events = (await cluster.sendRequest({ path: `${CORE}/events` })).json.items
    const texts = events.map(({ message }: { message: string }) => message)
    expect(texts).toContain(`Back-off restarting failed container c in pod ${name}`)
    await cluster.pass(600)
    expect((await stateNow()).restartCount).toBe(6)
    expect((await stateNow()).state.waiting.message).toBe(
      `back-off 5m0s restarting failed container=c pod=${name}`,
    )
  })

  it('applies to an ephemeral container, which never restarts and does not count', async () => {
    await running()
    const ephemeralContainers = [
      {
        name: 'look',
        image: 'tools:1',
        targetContainerName: 'c',
        command: ['sh', '-c', 'echo here; sleep 1000'],
      },
      { name: 'short', image: 'tools:1', command: ['sh', '-c', 'sleep 2; exit 3'] },
    ]
    const headers = { 'content-type': 'application/strategic-merge-patch+json' }
    await cluster.sendRequest({
      method: 'PATCH',
      path: `${CORE}/pods/web/ephemeralcontainers`,
      body: { spec: { ephemeralContainers } },
      headers,
    })
    await cluster.pass(300)
    const { status } = await podNow()
    expect(status.ephemeralContainerStatuses).toMatchObject([
      { name: 'look', ready: false, restartCount: 0, state: { running: {} } },
      { name: 'short', ready: false, restartCount: 0, state: { terminated: { exitCode: 3 } } },
    ])
    expect(status).toMatchObject({ phase: 'Running', containerStatuses: [{ ready: true }] })
    expect(status.conditions.find(({ type }: { type: string }) => type === 'Ready').status).toBe(
      'True',
    )
    expect((await log('?container=look')).text).toBe('here\n')
    const events = (await cluster.sendRequest({ path: `${CORE}/events` })).json.items
    expect(events.map(({ message }: { message: string }) => message)).toContain(
      'Started container look',
    )
  })

  it('can be a missing image, which is reported', async () => {
    await running({ image: 'shop/api:missing' })
    expect((await stateNow()).state.waiting.reason).toBe('ErrImagePull')
    await cluster.pass(30)
    expect((await stateNow()).state.waiting.reason).toBe('ImagePullBackOff')
    const events = (await cluster.sendRequest({ path: `${CORE}/events` })).json.items
    const texts = events.filter(
      ({ source }: { source: { component: string } }) => source.component === 'kubelet',
    )
    expect(texts.map(({ message }: { message: string }) => message)).toEqual([
      'Pulling image "shop/api:missing"',
      'Failed to pull image "shop/api:missing": failed to pull and unpack image "shop/api:missing": not found',
      'Error: ErrImagePull',
      'Back-off pulling image "shop/api:missing"',
      'Error: ImagePullBackOff',
    ])
  })

  it.each([
    [
      'Always',
      'api',
      'Pulling image "api"',
      'Successfully pulled image "api" in 0s (0s including waiting). Image size: 0 bytes.',
    ],
    ['IfNotPresent', 'api', 'Container image "api" already present on machine'],
    ['Never', 'api', 'Container image "api" already present on machine'],
    [
      'Never',
      'api:missing',
      'Container image "api:missing" is not present with pull policy of Never',
      'Error: ErrImageNeverPull',
    ],
  ])('pulls the image by policy %s: %s', async (imagePullPolicy, image, ...texts) => {
    await running({ image, imagePullPolicy })
    const events = (await cluster.sendRequest({ path: `${CORE}/events` })).json.items
    const messages = events.map(({ message }: { message: string }) => message)
    expect(messages.filter((message: string) => /image/i.test(message))).toEqual(texts)
  })

  it('comes from a ConfigMap for all pods of a namespace, also while they run', async () => {
    await running()
    expect((await stateNow()).ready).toBe(true)
    const map = {
      metadata: { name: 'simulated-behaviors' },
      data: { all: '- image: img*\n  readyAfter: never' },
    }
    await create(`${CORE}/configmaps`, map)
    await cluster.pass(1)
    expect((await stateNow()).ready).toBe(false)
  })

  it('falls back to the default with an event if the script is invalid', async () => {
    await running({ behavior: 'readyAfter: soon' })
    expect((await stateNow()).ready).toBe(true)
    const events = (await cluster.sendRequest({ path: `${CORE}/events` })).json.items
    expect(events.map(({ message }: { message: string }) => message)).toContain(
      'simulation.kubetab/behavior: behavior 0: readyAfter: cannot be followed',
    )
  })
})

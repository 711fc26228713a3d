import { timestamp } from '../../core/environment'
import type { KubeObject } from '../../core/object'
import type { Engine } from '../../registry/engine'
import { writeStatus } from '../../registry/server-writes'
import type { ContainerStatus } from './simulated-containers'

interface Status {
  containerStatuses?: ContainerStatus[]
}

const ATTEMPTS = 5
const KUBELET = 'kubelet'

/**
 * For a program that exits because of its client. The simulated node continues from there.
 * @param began milliseconds; identifies the run
 */
export async function endContainer(
  engine: Engine,
  key: string,
  name: string,
  began: number,
  exitCode: number,
): Promise<void> {
  for (let attempt = 0; attempt < ATTEMPTS; attempt++) {
    const pod = (await engine.storage.get(key))?.object
    if (pod === undefined) return
    const status = withEnd(pod, name, began, exitCode, timestamp(engine.clock.now()))
    if (status === undefined) return
    if (await writeStatus(engine, pod, status, KUBELET)) return
  }
}

function withEnd(
  { status }: KubeObject,
  name: string,
  began: number,
  exitCode: number,
  now: string,
): KubeObject['status'] | undefined {
  const { containerStatuses = [] } = (status ?? {}) as Status
  const startedAt = containerStatuses.find((one) => one.name === name)?.state?.running?.startedAt
  if (startedAt === undefined || Date.parse(startedAt) !== began) return undefined
  const reason = exitCode === 0 ? 'Completed' : 'Error'
  return {
    ...(status as object),
    containerStatuses: containerStatuses.map((one) => {
      if (one.name !== name) return one
      const { containerID } = one as { containerID?: string }
      const terminated = {
        ...(containerID !== undefined && { containerID }),
        exitCode,
        finishedAt: now,
        reason,
        startedAt,
      }
      return { ...one, ready: false, started: false, state: { terminated } }
    }),
  } as KubeObject['status']
}

/** Keeps the conditions of FlowSchemas. Recorded from kube-apiserver 1.31 (kinds-flowcontrol). */
import { timestamp } from '../core/environment'
import { type FlowSchema, levelOf } from '../flow-control/flow-schema'
import { applyStatus } from '../registry/server-writes'
import { goQuote } from '../schema/go-text'
import { RetryQueue } from '../time/retry-queue'
import { follow, type Loop } from './controller'

const SCHEMAS = '/registry/flowschemas/'
const LEVELS = '/registry/prioritylevelconfigurations/'
const MANAGER = 'api-priority-and-fairness-config-consumer-v1'

interface Condition {
  type: string
  status: string
  reason: string
  message: string
}

type WithStatus = FlowSchema & { status?: { conditions?: Condition[] } }

export const flowSchemas: Loop = (engine) => {
  const { storage, clock } = engine
  const levels = new Map<string, string>()
  const settling = new RetryQueue(engine, async (key) => {
    const schema = (await storage.get(key))?.object as WithStatus | undefined
    if (schema === undefined) return
    const condition = dangling(
      levelOf(schema),
      (await storage.get(LEVELS + levelOf(schema))) !== undefined,
    )
    const current = schema.status?.conditions?.find(({ type }) => type === condition.type)
    if (
      current !== undefined &&
      current.status === condition.status &&
      current.reason === condition.reason &&
      current.message === condition.message
    )
      return
    const now = timestamp(clock.now())
    await applyStatus(
      engine,
      schema,
      { conditions: [{ ...condition, lastTransitionTime: now }] },
      MANAGER,
    )
  })
  const stops = [
    follow(engine, SCHEMAS, ({ type, current: { key, object } }) => {
      if (type === 'DELETED') levels.delete(key)
      else {
        levels.set(key, levelOf(object as FlowSchema))
        settling.add(key)
      }
    }),
    follow(engine, LEVELS, ({ type, current }) => {
      if (type === 'MODIFIED') return
      for (const [key, level] of levels)
        if (level === current.object.metadata.name) settling.add(key)
    }),
  ]
  return () => {
    for (const stop of [...stops, () => settling.stop()]) stop()
  }
}

function dangling(level: string, exists: boolean): Condition {
  const message = `This FlowSchema references the PriorityLevelConfiguration object named ${goQuote(level)}`
  return exists
    ? { type: 'Dangling', status: 'False', reason: 'Found', message: `${message} and it exists` }
    : {
        type: 'Dangling',
        status: 'True',
        reason: 'NotFound',
        message: `${message} but there is no such object`,
      }
}

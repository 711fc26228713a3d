/**
 * Serializes writes that depend on earlier ones, such as allocations. Engines that share a store
 * also update a guard key, and retry after a conflict.
 */

import type {
  Change,
  Guard,
  StoredObject,
  TransactionOptions,
  TransactionResult,
} from '../storage/storage'
import { type RequestContext, transactionOptions } from './request-context'

/** Another engine has written; nothing is stored. */
export class SerializationConflict extends Error {}

/** Runs at once unless the kind serializes its writes. @throws SerializationConflict */
export function serialized<Result>(
  context: RequestContext,
  run: (context: RequestContext) => Promise<Result>,
): Promise<Result> {
  const { engine, resource } = context
  if (!resource.strategy.serializesWrites) return run(context)
  const { lastWrites } = engine.state
  const before = lastWrites.get(resource.prefix) ?? Promise.resolve()
  const begin = engine.storage.readBarrier
    ? () => withSerializationGuard(context, run)
    : () => run(context)
  const result = before.then(begin, begin)
  lastWrites.set(resource.prefix, result)
  return result
}

async function withSerializationGuard<Result>(
  context: RequestContext,
  run: (context: RequestContext) => Promise<Result>,
): Promise<Result> {
  const key = `/kubetab/turns${context.resource.prefix}`.slice(0, -1)
  const last = await context.engine.storage.get(key)
  return run({ ...context, serializationGuard: { key, revision: last?.revision ?? 0 } })
}

/** @throws SerializationConflict */
export function transact(
  context: RequestContext,
  guards: Guard[],
  changes: Change[],
  options: TransactionOptions = transactionOptions(context),
): Promise<TransactionResult> {
  const { serializationGuard, engine } = context
  return serializationGuard === undefined
    ? engine.storage.transaction(guards, changes, options)
    : transactWithGuard(context, serializationGuard, guards, changes, options)
}

async function transactWithGuard(
  { engine, resource }: RequestContext,
  turn: Guard,
  guards: Guard[],
  changes: Change[],
  options: TransactionOptions,
): Promise<TransactionResult> {
  const object = {
    kind: 'Turn',
    apiVersion: 'v1',
    metadata: { name: resource.resource, resourceVersion: '0' },
  }
  const moved: Change = { type: 'put', key: turn.key, object }
  const result = await engine.storage.transaction([...guards, turn], [...changes, moved], options)
  if (!result.succeeded && isSerializationConflict(turn, result.current))
    throw new SerializationConflict()
  return result
}

const isSerializationConflict = (turn: Guard, current: StoredObject | undefined): boolean =>
  current?.key === turn.key

/**
 * Writes that must see what the one before took: each is judged and stored before the next is judged. Where several engines share the
 * store they cannot wait for each other: each such write then also moves a key on, and is refused, and judged anew, if another engine
 * moved it since it began.
 */
import type { Engine } from '../engine'
import type {
  Change,
  Guard,
  StoredObject,
  TransactionOptions,
  TransactionResult,
} from '../storage/storage'
import { type RequestContext, transactionOptions } from './request-context'

const lastOf = new WeakMap<Engine, Map<string, Promise<unknown>>>()

/** Another engine wrote meanwhile what this one had looked at: nothing was written. */
export class SerializationConflict extends Error {}

/**
 * Runs at once, or, if the kind asks for it, when the engine's earlier writes of the kind are done.
 * @throws TurnLost if another engine's write came in between
 */
export function serialized<Result>(
  context: RequestContext,
  run: (context: RequestContext) => Promise<Result>,
): Promise<Result> {
  const { engine, resource } = context
  if (!resource.strategy.serializesWrites) return run(context)
  const queues = lastOf.get(engine) ?? new Map<string, Promise<unknown>>()
  lastOf.set(engine, queues)
  const before = queues.get(resource.prefix) ?? Promise.resolve()
  const begin = engine.storage.readBarrier
    ? () => withSerializationGuard(context, run)
    : () => run(context)
  const result = before.then(begin, begin)
  queues.set(resource.prefix, result)
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

/** The one transaction that ends a write. @throws TurnLost */
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

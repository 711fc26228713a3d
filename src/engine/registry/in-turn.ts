/** Writes that must see what the one before took: each is judged and stored before the next is judged. */
import type { Engine } from '../engine'
import type { RequestContext } from './request-context'

const lastOf = new WeakMap<Engine, Map<string, Promise<unknown>>>()

/** Runs at once, or, if the kind asks for it, when the engine's earlier writes of the kind are done. */
export function inTurn<Result>({ engine, resource }: RequestContext, run: () => Promise<Result>): Promise<Result> {
  if (!resource.strategy.writesInTurn) return run()
  const queues = lastOf.get(engine) ?? new Map<string, Promise<unknown>>()
  lastOf.set(engine, queues)
  const before = queues.get(resource.prefix) ?? Promise.resolve()
  const result = before.then(run, run)
  queues.set(resource.prefix, result)
  return result
}

/** A client that reads and writes single objects, and repeats lost requests. */

import { Actor, keyFor, TEAMS } from './actor'
import type { Chance } from './chance'
import { requestFor, resultOf } from './client'
import type { Content, Intent, State } from './history'
import type { Life, World } from './world'

export class Client extends Actor {
  constructor(world: World, number: number) {
    const { operations, clients } = world.plan
    super(world, `client-${number}`, Math.ceil(operations / clients), number % world.plan.engines)
  }

  protected async act(life: Life, chance: Chance, token: string): Promise<void> {
    const { schedule, history } = this.world
    const key = keyFor(chance)
    const intent = intentOf(chance, token, this.name, this.know.of(key))
    const lostAfter = chance.happens(0.03) ? 1 + chance.below(4) : undefined
    const repeats = chance.happens(0.5)
    const requested = { ...requestFor(key, this.name, intent), ...(repeats ? { id: token } : {}) }
    const called = schedule.now()
    const discarded = this.world.compactions
    let response = await this.received(life, life.sendRequest(requested), lostAfter)
    let requester = life
    // A client that names its object can retry after a lost response.
    for (
      let again = 0;
      repeats && again < 5 && (response === undefined || response.status >= 500);
      again++
    ) {
      await schedule.turn()
      requester = await this.world.engine(this.home)
      // The name of a write is discarded with the history: then a repetition would be a request of its own.
      if (this.world.compactions > discarded) break
      this.world.repetitions++
      response = await this.received(requester, requester.sendRequest(requested))
      this.world.repetitions--
    }
    const result = response ? resultOf(intent, response) : ({ type: 'unknown' } as const)
    const returned = result.type === 'unknown' ? Number.POSITIVE_INFINITY : schedule.now()
    history.operations.push({
      client: this.name,
      server: requester.server,
      key,
      intent,
      called,
      returned,
      result,
    })
    if (result.type === 'done' && 'revision' in result.state) this.know.record(key, result.state)
    else if (result.type === 'absent' || (result.type === 'done' && intent.verb === 'delete'))
      this.know.record(key, undefined)
  }
}

function intentOf(chance: Chance, token: string, client: string, known: State | undefined): Intent {
  const content = (): Content => ({ team: chance.pick(TEAMS), data: { by: token } })
  const expected = known && chance.happens(0.6) ? { expected: known.revision } : {}
  const kind = chance.below(100)
  if (kind < 30) return { verb: 'get' }
  if (kind < 48) return { verb: 'create', content: content() }
  if (kind < 62) return { verb: 'update', content: content(), ...expected }
  if (kind < 76) {
    const team = chance.happens(0.4) ? { team: chance.pick(TEAMS) } : {}
    return { verb: 'patch', set: { by: token, [`p-${client}`]: token }, ...team, ...expected }
  }
  if (kind < 88) return { verb: 'apply', set: { by: token, [`a-${client}`]: token } }
  return {
    verb: 'delete',
    ...expected,
    ...(known && chance.happens(0.2) ? { uid: known.uid } : {}),
  }
}
